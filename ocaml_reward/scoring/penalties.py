"""
What takes reward away, one function for each penalty that `penalty_values` declares, and
the sum that makes the reward.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from ..model import (
    CheckReport,
    Completion,
    Credits,
    Outcome,
    Penalty,
    Stage,
    Verdict,
)
from ..reading.extraction import Extraction
from ..scheme import RewardScheme
from ..scheme.penalty_values import (
    DEGENERATE,
    IDLE,
    MIN_LINES,
    PENALTIES,
    RUNAWAY,
    RUNAWAY_CAP,
    UNRELATED,
)
from .degenerate import evidence_of_degeneracy
from .unrelated import touches

__all__ = [
    "LENGTH_LIMIT",
    "TYPED",
    "apply",
    "lines_short",
    "penalties_for",
]

LENGTH_LIMIT: Final = "length limit reached"
TYPED: Final = frozenset((Stage.INTERFACE_ERROR, Stage.LINK_ERROR, Stage.EXECUTABLE))


class _Case(NamedTuple):
    """
    What the rules look at.
    """

    report: CheckReport | None
    extraction: Extraction
    completion: Completion
    scheme: RewardScheme
    verdict: Verdict


def penalties_for(
    report: CheckReport | None,
    extraction: Extraction,
    completion: Completion,
    scheme: RewardScheme,
    verdict: Verdict,
) -> tuple[Penalty, ...]:
    """
    List the penalties of a completion with that verdict, each code at most once, in a fixed order.
    """
    case = _Case(report, extraction, completion, scheme, verdict)
    found = (
        _RULES[declared.code](case)
        for declared in PENALTIES
        if not declared.is_off(scheme.penalties)
    )
    return tuple(penalty for penalty in found if penalty)


def apply(earned: Credits, penalties: Sequence[Penalty]) -> float:
    """
    Multiply the credits' sum by every factor, then bound it by every cap.

    The result lies in [0, 1], is rounded to 6 decimals, and does not depend on the
    order of the penalties.
    """
    # Sorted, because a product of floats depends on its order in the last digit.
    factors = sorted(penalty.factor for penalty in penalties)
    caps = [penalty.cap for penalty in penalties if penalty.cap is not None]
    reward = min([earned.total * math.prod(factors), 1.0, *caps])
    return round(max(0.0, reward), 6)


def _runaway(case: _Case) -> Penalty | None:
    """
    Punish a completion that hit its length limit before its end.
    """
    evidence = _cut_off(case)
    if not evidence:
        return None
    factor = case.scheme.penalties.runaway.factor
    return Penalty(code=RUNAWAY, factor=factor, evidence=evidence)


def _runaway_cap(case: _Case) -> Penalty | None:
    """
    Bound what such a completion may earn.
    """
    evidence = _cut_off(case)
    if not evidence:
        return None
    cap = case.scheme.penalties.runaway.cap
    return Penalty(code=RUNAWAY_CAP, factor=1.0, cap=cap, evidence=evidence)


def _cut_off(case: _Case) -> str:
    """
    Say that the length limit was hit before the end.

    Where nobody knows whether it was (`truncated` is None), nothing is taken.  Who goes on
    behind the marker, up to the limit, has not ended there.
    """
    if case.completion.truncated is not True or case.extraction.ends_with_marker:
        return ""
    marked = ""
    if case.extraction.end_marker_present:
        marked = " behind the end marker"
    elif case.scheme.end_marker is not None:
        marked = " without the end marker"
    return f"{LENGTH_LIMIT}{marked}"


def _min_lines(case: _Case) -> Penalty | None:
    """
    Punish code of fewer lines than wanted, blank lines and comments apart.
    """
    values = case.scheme.penalties
    if not values.min_lines_if_passed and case.verdict is Verdict.PASSED:
        return None
    evidence = lines_short(len(case.extraction.own.lines), values.min_lines)
    return Penalty(code=MIN_LINES, factor=0.0, evidence=evidence) if evidence else None


def lines_short(lines: int, wanted: int) -> str:
    """
    Say that there are too few lines of code; "" if there are enough, or none.
    """
    if not 0 < lines < wanted:
        return ""
    return f"{lines} {'line' if lines == 1 else 'lines'} of code (minimum {wanted})"


def _unrelated(case: _Case) -> Penalty | None:
    """
    Punish a program that has nothing to do with the problem.

    Whatever it is, it types and compiles: a constant reward for no attempt.
    """
    report, extraction = case.report, case.extraction
    if report is None or report.stage is Stage.EXECUTABLE:
        return None
    broken = report.stage is Stage.SYNTAX_ERROR
    own = extraction.own
    code = own.text if broken else own.without_literals
    if touches(code, extraction.wanted, broken=broken):
        return None
    names = ", ".join(sorted(extraction.wanted))
    evidence = f"nothing in the code is called anything like {names}"
    factor = case.scheme.penalties.unrelated.factor
    return Penalty(code=UNRELATED, factor=factor, evidence=evidence)


def _degenerate(case: _Case) -> Penalty | None:
    """
    Punish filling the length instead of answering; several signs are one penalty.

    What passes every check has answered, and repeats itself as its problem does: a literal board
    of equal rows, or one call for each case.  Spam that passes no check keeps nothing.  A share of its other credits would be a
    constant reward, as the same spam earns them whatever the problem, and models that
    find such a constant stay there.
    """
    if case.verdict is Verdict.PASSED:
        return None
    limits = case.scheme.penalties.degenerate
    signs = evidence_of_degeneracy(case.report, case.extraction, limits)
    if not signs:
        return None
    results = case.report.results if case.report else ()
    passes = any(result.outcome is Outcome.PASSED for result in results)
    factor = limits.factor if passes else 0.0
    return Penalty(code=DEGENERATE, factor=factor, evidence="; ".join(signs))


def _idle(case: _Case) -> Penalty | None:
    """
    Punish functions that ignore what they are given, or only raise, where no check passes.

    Only in code that types: a parameter that nothing mentions may be misspelt where it is used.
    """
    report, wanted = case.report, case.extraction.wanted
    if report is None or report.stage not in TYPED or not wanted:
        return None
    # Of equal names the last one counts.
    stubs = {name: part.stub for part in report.parts or () for name in part.names}
    passes = any(result.outcome is Outcome.PASSED for result in report.results)
    if passes or not all(stubs.get(name) for name in wanted):
        return None
    names = ", ".join(sorted(wanted))
    evidence = f"no check passes, and {names} ignore every argument or only raise"
    factor = case.scheme.penalties.idle.factor
    return Penalty(code=IDLE, factor=factor, evidence=evidence)


_RULES: Final[Mapping[str, Callable[[_Case], Penalty | None]]] = {
    RUNAWAY: _runaway,
    RUNAWAY_CAP: _runaway_cap,
    MIN_LINES: _min_lines,
    UNRELATED: _unrelated,
    DEGENERATE: _degenerate,
    IDLE: _idle,
}
