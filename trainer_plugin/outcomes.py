"""
Questions about one breakdown that several files ask.
"""

from __future__ import annotations

from typing import Final

from ocaml_reward import Breakdown, Verdict
from ocaml_reward.penalties import RUNAWAY

__all__ = ["compiled", "passed", "ran_away"]

_RAN: Final = frozenset(
    {
        Verdict.PASSED,
        Verdict.FAILED_TESTS,
        Verdict.RUNTIME_ERROR,
        Verdict.TIMED_OUT,
        Verdict.OUT_OF_MEMORY,
        Verdict.OUTPUT_LIMIT,
        Verdict.CRASHED,
    }
)


def compiled(breakdown: Breakdown) -> bool:
    """
    Tell whether the code became a program that was run.
    """
    return breakdown.verdict in _RAN


def passed(breakdown: Breakdown) -> bool | None:
    """
    Tell whether every check passes, whatever the scheme makes of it; None if not scored.
    """
    if breakdown.reward is None:
        return None
    return breakdown.verdict is Verdict.PASSED


def ran_away(breakdown: Breakdown) -> bool:
    """
    Tell whether the completion hit its length limit without its end.
    """
    return any(penalty.code == RUNAWAY for penalty in breakdown.penalties)
