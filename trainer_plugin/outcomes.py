"""Predicates of a breakdown that several modules use."""

from __future__ import annotations

from typing import Final

from ocaml_reward import Breakdown, Completion, Verdict
from ocaml_reward.reasons import Why

_PROGRAMS: Final = frozenset(
    {
        Verdict.PASSED,
        Verdict.FAILED_TESTS,
        Verdict.RUNTIME_ERROR,
        Verdict.TIMED_OUT,
        Verdict.OUT_OF_MEMORY,
        Verdict.OUTPUT_LIMIT,
        Verdict.CRASHED,
        Verdict.COMPILES,
    }
)

# No end marker after the code; if the scheme has none, only the limit counts.
_UNENDED: Final = frozenset({Why.NO_END_MARKER, Why.NOT_ASKED})


def compiled(breakdown: Breakdown) -> bool:
    """Return whether the code became a program."""
    return breakdown.verdict in _PROGRAMS


def passed(breakdown: Breakdown) -> bool | None:
    """Return whether every check passes, under any scheme; None if not scored, or without tests."""
    if breakdown.reward is None or not breakdown.tests.total:
        return None
    return breakdown.verdict is Verdict.PASSED


def ran_away(completion: Completion, breakdown: Breakdown) -> bool:
    """Return whether the completion hit its length limit before its end, under any scheme."""
    if completion.truncated is not True or breakdown.reasons is None:
        return False
    return breakdown.reasons.structural.code in _UNENDED
