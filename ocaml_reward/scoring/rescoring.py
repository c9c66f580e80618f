"""Computes the breakdown under another scheme from a record, without running OCaml.

Raises MissingInformation if the record does not contain what the new scheme needs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from ..errors import FormatError, SchemeError
from ..model import Breakdown, CheckReport, CheckResult, Outcome, Penalty, Stage, Verdict
from ..penalties import DEGENERATE, Rule, apply, penalties_of
from ..penalties.runaway import CAP, FACTOR, LENGTH_LIMIT
from ..reading.extraction import Extraction, How
from ..reading.lexing import Source
from ..reasons import Reasons, Why
from ..scheme import RewardScheme
from .credit import credits_with_reasons

_EFFECT_NUMBERS: Final = frozenset(("factor", "cap"))
"""Numbers of a penalty that set its effect, not what it detects."""


class MissingInformation(FormatError):
    """A record does not contain what another scheme needs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedFacts:
    """The facts that decide penalties, read from a record, for another scheme.

    `was` is the scheme of the record, `now` the new one. `known`: the record was written by a
    version that stores `truncated`. Raises MissingInformation if a fact is not in the record.
    """

    old: Breakdown
    reasons: Reasons
    was: RewardScheme
    now: RewardScheme
    report: CheckReport | None
    known: bool

    @property
    def verdict(self) -> Verdict:
        """Return the verdict."""
        return self.old.verdict

    @property
    def stage(self) -> Stage | None:
        """Return the stage that the compiler reached."""
        return self.report.stage if self.report else None

    @property
    def results(self) -> Sequence[CheckResult]:
        """Return the results of the checks, with their steps."""
        results = self.old.tests.results
        if any(one.steps is None and one.outcome is Outcome.PASSED for one in results):
            raise MissingInformation("the record is from before steps were counted")
        return results

    @property
    def passes(self) -> bool:
        """Return whether at least one check passes."""
        return any(one.outcome is Outcome.PASSED for one in self.old.tests.results)

    @property
    def lines(self) -> int:
        """Return the number of lines of the completion's own code."""
        return len(Source(self.old.own_code).lines)

    @property
    def same_end_marker(self) -> bool:
        """Return whether the old scheme looked for the new scheme's end marker."""
        return self.now.end_marker == self.was.end_marker

    @property
    def marker_ends(self) -> bool:
        """Return whether the old scheme's end marker ends the code."""
        return self.reasons.structural.code is not Why.NO_END_MARKER

    @property
    def cut_off(self) -> str:
        """Return the evidence that the length limit cut the completion off, or ""."""
        runaway = self._penalty(FACTOR) or self._penalty(CAP)
        if runaway:
            return runaway.evidence if self.same_end_marker else LENGTH_LIMIT
        if self.known and self.old.truncated is not True:
            return ""
        looked_for_runaway = not (
            FACTOR.is_off(self.was.penalties) and CAP.is_off(self.was.penalties)
        )
        if looked_for_runaway and (self.same_end_marker or not self.marker_ends):
            return ""
        if self.known and self.now.end_marker is None:
            return LENGTH_LIMIT
        if self.known and self.marker_ends:
            # It was cut off after its end marker.
            return ""
        raise MissingInformation(
            "the record does not say whether a length limit ended the completion"
        )

    def evidence(self, rule: Rule) -> str:
        """Return the evidence for a penalty that the old scheme looked for."""
        was, now = self.was.penalties, self.now.penalties
        if rule.is_off(was):
            raise MissingInformation(
                f"{rule.key} was turned off in {self.was.label}, so the record does not contain it"
            )
        part, _, _ = rule.key.partition(".")
        numbers = dataclasses.asdict(attrgetter(part)(now))
        for name in numbers.keys() - _EFFECT_NUMBERS:
            key = f"{part}.{name}"
            if attrgetter(key)(was) != attrgetter(key)(now):
                raise MissingInformation(f"{key} differs, and the record has not the whole text")
        penalty = self._penalty(rule)
        return penalty.evidence if penalty else ""

    def _penalty(self, rule: Rule) -> Penalty | None:
        """Return the penalty of a rule in the record; None if it has none."""
        return next((one for one in self.old.penalties if one.code == rule.code), None)


class Rescoring:
    """Recomputes breakdowns of one scheme for another."""

    def __init__(self, was: RewardScheme, now: RewardScheme) -> None:
        """Set the schemes.

        Raises SchemeError with the key if code could run differently under the new scheme.
        """
        _check(was, now)
        self._was = was
        self._now = now
        self._label = now.label

    def of(self, breakdown: Breakdown, *, known: bool = True) -> Breakdown:
        """Return the breakdown under the new scheme.

        Args:
            breakdown: The breakdown under the old scheme.
            known: Whether its `truncated` is reliable; older records do not store it.

        Returns:
            The breakdown that grading under the new scheme would give, except for its timings. One
                without a reward stays without.

        Raises:
            MissingInformation: The record lacks what the new scheme needs.
        """
        if breakdown.fault is not None:
            return replace(breakdown, scheme=self._label)
        if breakdown.reasons is None:
            raise MissingInformation("the record is from before there were reasons")
        facts = RecordedFacts(
            old=breakdown,
            reasons=breakdown.reasons,
            was=self._was,
            now=self._now,
            report=_report(breakdown, breakdown.reasons),
            known=known,
        )
        penalties = penalties_of(facts, self._now.penalties)
        # Only what the credits depend on.
        extraction = Extraction(
            source=Source(breakdown.code),
            given=breakdown.given,
            how=How.WHOLE,
            text="",
            prose="",
            end_marker_present=facts.marker_ends,
        )
        earned, reasons = credits_with_reasons(
            facts.report,
            extraction,
            breakdown.tests.total,
            self._now,
            degenerate=any(penalty.code == DEGENERATE.code for penalty in penalties),
            groups=breakdown.tests.groups,
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
    """Raise SchemeError with the key if code could run differently under the new scheme."""
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


def _report(breakdown: Breakdown, reasons: Reasons) -> CheckReport | None:
    """Return the parts of the engine's report that credits depend on, rebuilt from a record."""
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
