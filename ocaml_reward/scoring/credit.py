"""Computes credits, their reasons and the verdict: pure functions of a report and a scheme."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ..model import CaseGroup, CheckReport, CheckResult, Credits, Outcome, Stage, Verdict
from ..reading.extraction import Extraction
from ..reasons import Reason, Reasons, Why
from ..scheme import RewardScheme, TypeInput
from .grouped import share_of

_ILL_TYPED = frozenset((Stage.TYPE_ERROR, Stage.INTERFACE_ERROR))

_BY_STAGE = {
    Stage.SYNTAX_ERROR: Verdict.SYNTAX_ERROR,
    Stage.TYPE_ERROR: Verdict.TYPE_ERROR,
    Stage.INTERFACE_ERROR: Verdict.INTERFACE_ERROR,
    Stage.LINK_ERROR: Verdict.LINK_ERROR,
    Stage.COMPILER_LIMIT: Verdict.COMPILER_LIMIT,
}

# The first of these outcomes that occurs names the verdict. If checks were not run and no other
# outcome occurs, the program ended before its tests did.
_BY_OUTCOME = (
    (Outcome.OUT_OF_MEMORY, Verdict.OUT_OF_MEMORY),
    (Outcome.TIMED_OUT, Verdict.TIMED_OUT),
    (Outcome.OUTPUT_LIMIT, Verdict.OUTPUT_LIMIT),
    (Outcome.CRASHED, Verdict.CRASHED),
    (Outcome.RAISED, Verdict.RUNTIME_ERROR),
    (Outcome.EXITED, Verdict.RUNTIME_ERROR),
    (Outcome.STACK_OVERFLOW, Verdict.RUNTIME_ERROR),
    (Outcome.FAILED, Verdict.FAILED_TESTS),
)

_OPENING = re.compile(r"^[ \t]*+(?:let|type|module|exception)\b", re.MULTILINE)
# Maximum distance from the end of the opening keyword to the equals sign.
_MOST_BEFORE_EQUALS = 400


class EarnedCredits(NamedTuple):
    """The credit of each part, and the reasons."""

    credits: Credits
    reasons: Reasons


def verdict_for(report: CheckReport | None, extraction: Extraction, total: int) -> Verdict:
    """Return the verdict of a completion.

    `report` may be None if there is no code to check; `total` is the problem's number of checks, 0
    for one without tests.
    """
    if report is None or not extraction.has_code:
        return Verdict.NO_CODE
    if report.forbidden:
        return Verdict.FORBIDDEN
    if report.stage is not Stage.EXECUTABLE:
        return _BY_STAGE[report.stage]
    if not total:
        # Whether it is right, nobody has asked.
        return Verdict.COMPILES
    if _passed(report.results) >= total:
        return Verdict.PASSED
    outcomes = {result.outcome for result in report.results}
    for outcome, verdict in _BY_OUTCOME:
        if outcome in outcomes:
            return verdict
    return Verdict.RUNTIME_ERROR


def credits_with_reasons(
    report: CheckReport | None,
    extraction: Extraction,
    total: int,
    scheme: RewardScheme,
    *,
    degenerate: bool = False,
    groups: Sequence[CaseGroup] = (),
) -> EarnedCredits:
    """Compute the credits that a scheme pays for a report.

    `groups` are those of the checks; none where each check earns the same.
    `degenerate` completions get no structural credit. Code that is empty or that exhausted the
    compiler's budget earns nothing: such code cannot be told from an attack on the compiler.
    """
    structural = _structural(report, extraction, scheme, degenerate=degenerate)
    if report is None or not extraction.has_code:
        return _summed(structural, *_not_evaluated(Why.NO_CODE, scheme))
    if report.stage is Stage.COMPILER_LIMIT:
        return _summed(structural, *_not_evaluated(Why.COMPILER_LIMIT, scheme))
    return _summed(
        structural,
        _type(report, scheme),
        _compile(report.stage, scheme),
        _tests(report, total, scheme, groups),
        _solved(report, total, scheme),
    )


# The earned share of the available credit, and the reason.
_Part = tuple[float, Reason]
# Most completions earn a credit for the same reasons as others.
_reason = lru_cache(maxsize=1024)(Reason)


def _summed(*parts: _Part) -> EarnedCredits:
    """Return the credits and reasons of the five parts, in the order of a record."""
    # Rounded so that records read 0.4875.
    earned = [round(reason.available * share, 9) for share, reason in parts]
    structural, type_, compile_, tests, solved = [reason for _, reason in parts]
    # A scheme that does not pay for solving has no such part, as in older schemes.
    paid = solved.available > 0
    return EarnedCredits(
        credits=Credits(
            structural=earned[0],
            type=earned[1],
            compile=earned[2],
            tests=earned[3],
            solved=earned[4] if paid else 0.0,
        ),
        reasons=Reasons(
            structural=structural,
            type=type_,
            compile=compile_,
            tests=tests,
            solved=solved if paid else None,
        ),
    )


def _not_evaluated(why: Why, scheme: RewardScheme) -> tuple[_Part, _Part, _Part, _Part]:
    """Return the parts after the structural one for code that was not evaluated."""
    offer = scheme.available
    return (
        (0.0, _reason(code=why, available=offer.type)),
        (0.0, _reason(code=why, available=offer.compile)),
        (0.0, _reason(code=why, available=offer.tests)),
        (0.0, _reason(code=why, available=offer.solved)),
    )


def _structural(
    report: CheckReport | None,
    extraction: Extraction,
    scheme: RewardScheme,
    *,
    degenerate: bool,
) -> _Part:
    """Return the part of the reward for the end marker, which only counts after code.

    After text in which nothing parses and nothing is defined it would be a constant reward for
    writing no program.
    """
    if scheme.end_marker is None:
        why = Why.NOT_ASKED
    elif not extraction.end_marker_present:
        why = Why.NO_END_MARKER
    elif degenerate:
        # The end marker says that an answer is finished; spam is no answer and must not be paid for
        # it.
        why = Why.DEGENERATE
    elif report is None or not extraction.has_code:
        why = Why.NO_PROGRAM
    elif report.stage is Stage.COMPILER_LIMIT:
        why = Why.COMPILER_LIMIT
    elif (
        report.stage is Stage.SYNTAX_ERROR
        and not report.parsed_share
        and not _defines(extraction.own.without_literals)
    ):
        why = Why.NO_PROGRAM
    else:
        why = Why.END_MARKER
    reason = _reason(code=why, available=scheme.available.structural)
    return float(why is Why.END_MARKER), reason


def _defines(blank: str) -> bool:
    """Return whether code that does not parse contains a definition: `let`, a name, `=`."""
    equals = 0
    for opening in _OPENING.finditer(blank):
        # Reuse an equals sign for all keywords before it, so that no text is searched twice.
        if equals < opening.end():
            equals = blank.find("=", opening.end())
        if equals < 0:
            return False
        if 1 <= equals - opening.end() <= _MOST_BEFORE_EQUALS:
            return True
    return False


def _type(report: CheckReport, scheme: RewardScheme) -> _Part:
    """Return the part of the reward for types."""
    ladder, available = scheme.type, scheme.available.type
    ill_typed = report.stage in _ILL_TYPED
    errors = fraction = parsed = rung = None
    if report.stage is Stage.SYNTAX_ERROR:
        why = Why.SYNTAX_ERROR
        parsed = report.parsed_share or 0.0
        share = ladder.syntax_error_share * parsed
    elif ill_typed and report.type_errors is None:
        why = Why.UNCOUNTED
        rung, share = ladder.place(None), ladder.rung(None)
    else:
        why = Why.ERRORS
        errors = max(1, report.type_errors or 0) if ill_typed else 0
        if ill_typed and ladder.input is TypeInput.TYPED_FRACTION:
            fraction = report.typed_fraction
            why = Why.ERRORS if fraction is None else Why.TYPED_FRACTION
        rung, share = ladder.place(errors), ladder.share(errors, fraction)
    reason = _reason(
        code=why,
        available=available,
        share=share,
        errors=errors,
        rung=rung,
        typed_fraction=fraction,
        parsed_share=parsed,
    )
    return share, reason


def _compile(stage: Stage, scheme: RewardScheme) -> _Part:
    """Return the part of the reward for how far the compilation came."""
    ladder = scheme.compile
    shares = {
        Stage.SYNTAX_ERROR: ladder.syntax_error,
        Stage.LINK_ERROR: ladder.link_error,
        Stage.EXECUTABLE: ladder.executable,
    }
    share = shares.get(stage, ladder.type_error)
    available = scheme.available.compile
    return share, _reason(code=Why(stage), available=available, share=share)


def _tests(
    report: CheckReport, total: int, scheme: RewardScheme, groups: Sequence[CaseGroup]
) -> _Part:
    """Return the part of the reward for passed checks."""
    available = scheme.available.tests
    if why := _not_run(report, total):
        return 0.0, _reason(code=why, available=available)
    passed = _passed(report.results)
    if groups:
        share = share_of(groups, report.results)
        return share, _reason(
            code=Why.GROUPS, available=available, passed=passed, total=total, share=share
        )
    return (
        min(1.0, (passed + sum([each.partial for each in report.results])) / total),
        _reason(code=Why.CHECKS, available=available, passed=passed, total=total),
    )


def _solved(report: CheckReport, total: int, scheme: RewardScheme) -> _Part:
    """Return the part of the reward for passing every check: all or nothing."""
    available = scheme.available.solved
    if why := _not_run(report, total):
        return 0.0, _reason(code=why, available=available)
    passed = _passed(report.results)
    why = Why.SOLVED if passed >= total else Why.UNSOLVED
    return (
        float(why is Why.SOLVED),
        _reason(code=why, available=available, passed=passed, total=total),
    )


def _not_run(report: CheckReport, total: int) -> Why | None:
    """Return the reason why no check was run."""
    if report.forbidden:
        return Why.FORBIDDEN
    if report.stage is not Stage.EXECUTABLE:
        return Why(report.stage)
    return Why.NO_CHECKS if total <= 0 else None


def _passed(results: Sequence[CheckResult]) -> int:
    return [result.outcome for result in results].count(Outcome.PASSED)
