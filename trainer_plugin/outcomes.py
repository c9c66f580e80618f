"""Questions about one breakdown that several files ask."""

from __future__ import annotations

from typing import Final

from ocaml_reward import Breakdown, Completion, Verdict
from ocaml_reward.reasons import Why

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

# No end marker stands after the code; where none is asked for, the limit alone decides.
_UNENDED: Final = frozenset({Why.NO_END_MARKER, Why.NOT_ASKED})


def compiled(breakdown: Breakdown) -> bool:
    """Tell whether the code became a program that was run."""
    return breakdown.verdict in _RAN


def passed(breakdown: Breakdown) -> bool | None:
    """Tell whether every check passes, whatever the scheme makes of it; None if not scored."""
    if breakdown.reward is None:
        return None
    return breakdown.verdict is Verdict.PASSED


def ran_away(completion: Completion, breakdown: Breakdown) -> bool:
    """Tell whether the completion hit its length limit before its end, whatever the scheme
    takes for that.
    """
    if completion.truncated is not True or breakdown.reasons is None:
        return False
    return breakdown.reasons.structural.code in _UNENDED
