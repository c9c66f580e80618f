"""
A breakdown under another scheme, from what it says: no OCaml runs.

What a breakdown does not say is not guessed: Unsaid is raised with the reason.
"""

from __future__ import annotations

import dataclasses
from dataclasses import replace

from ..errors import SchemeError
from ..model import Breakdown, CheckReport, Stage
from ..reading.extraction import Extraction, How
from ..reading.lexing import Source
from ..reading.markers import is_foreign
from ..reasons import Reasons, Why
from ..scheme import RewardScheme
from ..scheme.penalty_values import DEGENERATE
from .credit import account
from .other_penalties import Case, Unsaid, penalties_of
from .penalties import apply

__all__ = ["Rescoring", "Unsaid"]


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
