"""
The penalties of a completion under another scheme, from those that it got under one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from ..errors import FormatError
from ..model import Breakdown, CheckReport, Outcome, Penalty, Stage, Verdict
from ..reading.lexing import Source
from ..reasons import Reasons, Why
from ..scheme import RewardScheme
from ..scheme.penalty_values import (
    DEGENERATE,
    IDLE,
    MIN_LINES,
    PENALTIES,
    RUNAWAY,
    RUNAWAY_CAP,
    UNRELATED,
    Declared,
)
from .degenerate import END_MARKERS
from .penalties import LENGTH_LIMIT, TYPED, lines_short

__all__ = ["Case", "Unsaid", "penalties_of"]

_FACTORS: Final = frozenset(("factor", "cap"))


class Unsaid(FormatError):
    """
    A breakdown does not say what another scheme would make of its completion.
    """


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """
    A breakdown with its reasons, the scheme that made it, and the one that is asked for.

    `known` says that the breakdown is of a time that kept whether its completion was cut.
    """

    old: Breakdown
    reasons: Reasons
    was: RewardScheme
    now: RewardScheme
    report: CheckReport | None
    known: bool

    def penalty(self, code: str) -> Penalty | None:
        """
        Return the penalty of that code.
        """
        return next((each for each in self.old.penalties if each.code == code), None)

    @property
    def looked(self) -> bool:
        """
        Tell whether the scheme looked for the end marker that is asked for.
        """
        return self.now.end_marker == self.was.end_marker

    @property
    def ends(self) -> bool:
        """
        Tell whether the marker that was looked for ends the code.
        """
        return self.reasons.structural.code is not Why.NO_END_MARKER


def penalties_of(case: Case) -> tuple[Penalty, ...]:
    """
    List the penalties, each code at most once, in a fixed order; raises Unsaid.
    """
    found = (
        _RULES[declared.code](case, declared)
        for declared in PENALTIES
        if not declared.is_off(case.now.penalties)
    )
    return tuple(penalty for penalty in found if penalty)


def _evidence(case: Case, declared: Declared) -> str:
    """
    Return what speaks for a penalty that the first scheme looked for; "" if nothing does.
    """
    if declared.is_off(case.was.penalties):
        raise Unsaid(f"{declared.key} was off in {case.was.label}: nobody looked")
    penalty = case.penalty(declared.code)
    return penalty.evidence if penalty else ""


def _cut_off(case: Case) -> str:
    """
    Say whether its length limit ended a completion before its end.
    """
    told = case.penalty(RUNAWAY) or case.penalty(RUNAWAY_CAP)
    if told:
        return told.evidence if case.looked else LENGTH_LIMIT
    if case.known and case.old.truncated is not True:
        return ""
    values = case.was.penalties.runaway
    looked = values.factor != 1 or values.cap != 1
    if looked and (case.looked or not case.ends):
        return ""
    if case.known and case.now.end_marker is None:
        return LENGTH_LIMIT
    if case.known and case.ends:
        # Cut off behind its end: the marker stands last.
        return ""
    raise Unsaid("the record does not say whether a length limit ended the completion")


def _made(
    code: str, evidence: str, factor: float, cap: float | None = None
) -> Penalty | None:
    """
    Make a penalty that something speaks for.
    """
    if not evidence:
        return None
    return Penalty(code=code, factor=factor, cap=cap, evidence=evidence)


def _runaway(case: Case, _: Declared) -> Penalty | None:
    return _made(RUNAWAY, _cut_off(case), case.now.penalties.runaway.factor)


def _runaway_cap(case: Case, _: Declared) -> Penalty | None:
    return _made(RUNAWAY_CAP, _cut_off(case), 1.0, case.now.penalties.runaway.cap)


def _min_lines(case: Case, _: Declared) -> Penalty | None:
    values = case.now.penalties
    if not values.min_lines_if_passed and case.old.verdict is Verdict.PASSED:
        return None
    lines = len(Source(case.old.code).lines)
    return _made(MIN_LINES, lines_short(lines, values.min_lines), 0.0)


def _unrelated(case: Case, declared: Declared) -> Penalty | None:
    if case.report is None or case.report.stage is Stage.EXECUTABLE:
        return None
    factor = case.now.penalties.unrelated.factor
    return _made(UNRELATED, _evidence(case, declared), factor)


def _degenerate(case: Case, declared: Declared) -> Penalty | None:
    was, now = case.was.penalties.degenerate, case.now.penalties.degenerate
    evidence = _evidence(case, declared)
    for key in dataclasses.asdict(now).keys() - _FACTORS:
        if attrgetter(key)(was) != attrgetter(key)(now):
            raise Unsaid(
                f"degenerate.{key} differs, and the record has not the whole text"
            )
    signs = [
        sign
        for sign in evidence.split("; ")
        if sign and (case.looked or not END_MARKERS.fullmatch(sign))
    ]
    factor = now.factor if _passes(case) else 0.0
    return _made(DEGENERATE, "; ".join(signs), factor)


def _idle(case: Case, declared: Declared) -> Penalty | None:
    if case.report is None or case.report.stage not in TYPED or _passes(case):
        return None
    return _made(IDLE, _evidence(case, declared), case.now.penalties.idle.factor)


def _passes(case: Case) -> bool:
    return any(one.outcome is Outcome.PASSED for one in case.old.tests.results)


_RULES: Final[Mapping[str, Callable[[Case, Declared], Penalty | None]]] = {
    RUNAWAY: _runaway,
    RUNAWAY_CAP: _runaway_cap,
    MIN_LINES: _min_lines,
    UNRELATED: _unrelated,
    DEGENERATE: _degenerate,
    IDLE: _idle,
}
