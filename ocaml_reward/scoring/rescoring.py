"""
A breakdown under another scheme, from what it says: no OCaml runs.

What a breakdown does not say is not guessed: Unsaid is raised with the reason.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from ..errors import FormatError, SchemeError
from ..model import Breakdown, CheckReport, Outcome, Penalty, Stage, Verdict
from ..reading.extraction import Extraction, How, is_foreign
from ..reading.given import without
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
from .credit import account
from .degenerate import END_MARKERS
from .penalties import LENGTH_LIMIT, TYPED, apply, lines_short

__all__ = ["Rescoring", "Unsaid"]

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
    lines = len(Source(without(case.old.code, case.old.given)).lines)
    return _made(MIN_LINES, lines_short(lines, values.min_lines), 0.0)


def _unrelated(case: Case, declared: Declared) -> Penalty | None:
    if case.report is None or case.report.stage is Stage.EXECUTABLE:
        return None
    factor = case.now.penalties.unrelated.factor
    return _made(UNRELATED, _evidence(case, declared), factor)


def _degenerate(case: Case, declared: Declared) -> Penalty | None:
    if case.old.verdict is Verdict.PASSED:
        return None
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


class Rescoring:
    """
    What completions that were scored under one scheme earn under another.
    """

    def __init__(self, was: RewardScheme, now: RewardScheme) -> None:
        """
        Go from one scheme to another; raises SchemeError, naming the key, where what ran
        may run otherwise.
        """
        _check(was, now)
        self._was = was
        self._now = now
        self._label = now.label

    def of(self, breakdown: Breakdown, *, known: bool = True) -> Breakdown:
        """
        Return what a completion would have been given.

        Args:
            breakdown: What it was given under the first scheme.
            known: Whether its `truncated` is to be trusted, which records from before
                there was the key do not have.

        Returns:
            The breakdown that grading under the other scheme gives, but for the time that
            takes; one without a reward stays so.

        Raises:
            Unsaid: The breakdown lacks what the scheme looks at.
        """
        if breakdown.fault is not None:
            return replace(breakdown, scheme=self._label)
        if breakdown.reasons is None:
            raise Unsaid("the record is from before there were reasons")
        case = Case(
            old=breakdown,
            reasons=breakdown.reasons,
            was=self._was,
            now=self._now,
            report=_report(breakdown, breakdown.reasons),
            known=known,
        )
        penalties = penalties_of(case)
        # As far as credits look at it.
        extraction = Extraction(
            source=Source(breakdown.code),
            given=breakdown.given,
            how=How.WHOLE,
            text="",
            prose="",
            end_marker_present=case.ends,
        )
        earned, reasons = account(
            case.report,
            extraction,
            breakdown.tests.total,
            self._now,
            degenerate=any(penalty.code == DEGENERATE for penalty in penalties),
        )
        return replace(
            breakdown,
            reward=apply(earned, penalties),
            credits=earned,
            reasons=reasons,
            penalties=penalties,
            scheme=self._label,
        )


def _check(was: RewardScheme, now: RewardScheme) -> None:
    """
    Refuse to go from one scheme to another where what ran may run otherwise.

    Raises SchemeError, naming the key.
    """
    before, after = dataclasses.asdict(was.budget), dataclasses.asdict(now.budget)
    for key, value in after.items():
        if value != before[key]:
            raise SchemeError(
                f"budget.{key} was {before[key]:g} in {was.label} and is {value:g} in"
                f" {now.label}: checks may end otherwise; score again"
            )
    old, new = was.end_marker, now.end_marker
    if old == new:
        return
    if new is not None:
        raise SchemeError(
            f"end_marker: nobody has looked for {new!r} under {was.label}; score again"
        )
    if old is not None and is_foreign(old):
        raise SchemeError(
            f"end_marker: {old!r} is no comment of OCaml's, and was taken off the code under"
            f" {was.label}; score again"
        )


def _report(breakdown: Breakdown, reasons: Reasons) -> CheckReport | None:
    """
    Put the engine's report together again, as far as credits look at it.
    """
    if reasons.compile.code is Why.NO_CODE:
        return None
    return CheckReport(
        stage=Stage(reasons.compile.code),
        type_errors=breakdown.type_errors,
        typed_fraction=breakdown.typed_fraction,
        parsed_share=breakdown.parsed_share,
        diagnostics=breakdown.diagnostics,
        forbidden=breakdown.forbidden,
        results=breakdown.tests.results,
    )
