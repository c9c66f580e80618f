"""A breakdown under another scheme, from what it says: no OCaml runs.

What a breakdown does not say is not guessed: Unsaid is raised with the reason.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from ..errors import FormatError, SchemeError
from ..model import Breakdown, CheckReport, Outcome, Penalty, Stage, Verdict
from ..penalties import DEGENERATE, Rule, apply, penalties_of
from ..penalties.runaway import CAP, FACTOR, LENGTH_LIMIT
from ..reading.extraction import Extraction, How, is_foreign
from ..reading.given import without
from ..reading.lexing import Source
from ..reasons import Reasons, Why
from ..scheme import RewardScheme
from .credit import account

_TAKEN: Final = frozenset(("factor", "cap"))
"""Numbers of a penalty that say what is taken, not what is looked for."""


class Unsaid(FormatError):
    """A breakdown does not say what another scheme would make of its completion."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedFacts:
    """The facts that penalties are decided by, of a breakdown, for another scheme.

    `was` is the scheme that made the breakdown, `now` the one that is asked for.  `known` says
    that the breakdown is of a time that kept whether its completion was cut off.  What the
    breakdown does not say raises Unsaid.
    """

    old: Breakdown
    reasons: Reasons
    was: RewardScheme
    now: RewardScheme
    report: CheckReport | None
    known: bool

    @property
    def verdict(self) -> Verdict:
        """The verdict."""
        return self.old.verdict

    @property
    def stage(self) -> Stage | None:
        """How far the compiler got."""
        return self.report.stage if self.report else None

    @property
    def passes(self) -> bool:
        """Whether a check passes."""
        return any(one.outcome is Outcome.PASSED for one in self.old.tests.results)

    @property
    def lines(self) -> int:
        """The number of lines of the completion's own code."""
        return len(Source(without(self.old.code, self.old.given)).lines)

    @property
    def marker_known(self) -> bool:
        """Whether the end marker that is asked for was looked for."""
        return self.now.end_marker == self.was.end_marker

    @property
    def marker_ends(self) -> bool:
        """Whether the marker that was looked for ends the code."""
        return self.reasons.structural.code is not Why.NO_END_MARKER

    @property
    def cut_off(self) -> str:
        """The evidence that the length limit ended it before its end."""
        told = self._penalty(FACTOR) or self._penalty(CAP)
        if told:
            return told.evidence if self.marker_known else LENGTH_LIMIT
        if self.known and self.old.truncated is not True:
            return ""
        looked = not (
            FACTOR.is_off(self.was.penalties) and CAP.is_off(self.was.penalties)
        )
        if looked and (self.marker_known or not self.marker_ends):
            return ""
        if self.known and self.now.end_marker is None:
            return LENGTH_LIMIT
        if self.known and self.marker_ends:
            # Cut off behind its end: the marker stands last.
            return ""
        raise Unsaid(
            "the record does not say whether a length limit ended the completion"
        )

    def evidence(self, rule: Rule) -> str:
        """Return what spoke for a penalty that the first scheme looked for."""
        was, now = self.was.penalties, self.now.penalties
        if rule.is_off(was):
            raise Unsaid(f"{rule.key} was off in {self.was.label}: nobody looked")
        part, _, _ = rule.key.partition(".")
        numbers = dataclasses.asdict(attrgetter(part)(now))
        for name in numbers.keys() - _TAKEN:
            key = f"{part}.{name}"
            if attrgetter(key)(was) != attrgetter(key)(now):
                raise Unsaid(f"{key} differs, and the record has not the whole text")
        penalty = self._penalty(rule)
        return penalty.evidence if penalty else ""

    def _penalty(self, rule: Rule) -> Penalty | None:
        return next((one for one in self.old.penalties if one.code == rule.code), None)


class Rescoring:
    """What completions that were scored under one scheme earn under another."""

    def __init__(self, was: RewardScheme, now: RewardScheme) -> None:
        """Go from one scheme to another; raises SchemeError, naming the key, where what ran
        may run otherwise.
        """
        _check(was, now)
        self._was = was
        self._now = now
        self._label = now.label

    def of(self, breakdown: Breakdown, *, known: bool = True) -> Breakdown:
        """Return what a completion would have been given.

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
        facts = RecordedFacts(
            old=breakdown,
            reasons=breakdown.reasons,
            was=self._was,
            now=self._now,
            report=_report(breakdown, breakdown.reasons),
            known=known,
        )
        penalties = penalties_of(facts, self._now.penalties)
        # As far as credits look at it.
        extraction = Extraction(
            source=Source(breakdown.code),
            given=breakdown.given,
            how=How.WHOLE,
            text="",
            prose="",
            end_marker_present=facts.marker_ends,
        )
        earned, reasons = account(
            facts.report,
            extraction,
            breakdown.tests.total,
            self._now,
            degenerate=any(penalty.code == DEGENERATE.code for penalty in penalties),
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
    """Refuse to go from one scheme to another where what ran may run otherwise.

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
    """Put the engine's report together again, as far as credits look at it."""
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
