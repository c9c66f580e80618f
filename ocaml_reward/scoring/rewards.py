"""Computes the score of a completion from the engine's report: credits, penalties, verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ..engine import Engine
from ..model import (
    Breakdown,
    CaseGroup,
    CheckReport,
    Completion,
    Credits,
    Diagnostic,
    DiagnosticKind,
    DiagnosticSource,
    Fault,
    Penalty,
    Problem,
    Region,
    Tally,
    Verdict,
)
from ..penalties import DEGENERATE, apply, penalties_of
from ..reading.extraction import Extraction
from ..reasons import Reasons
from ..scheme import RewardScheme
from .credit import credits_with_reasons, verdict_for
from .facts import ScoredFacts

# Why there is no code, where that is known.
_PYTHON = (
    Diagnostic(
        kind=DiagnosticKind.ERROR,
        source=DiagnosticSource.ENVIRONMENT,
        message="The code is Python, not OCaml.",
    ),
)


class Score(NamedTuple):
    """The fields of a breakdown that depend on the scheme."""

    credits: Credits
    reasons: Reasons
    penalties: tuple[Penalty, ...]
    reward: float
    verdict: Verdict


def score(
    report: CheckReport | None,
    extraction: Extraction,
    completion: Completion,
    total: int,
    scheme: RewardScheme,
    *,
    groups: Sequence[CaseGroup] = (),
) -> Score:
    """Score one completion of a problem with `total` checks, in `groups` if they have some.

    `report` is None if there was no code to check. The score depends on the arguments only.
    """
    verdict = verdict_for(report, extraction, total)
    facts = ScoredFacts(report, extraction, completion, scheme, verdict)
    penalties = penalties_of(facts, scheme.penalties)
    ended = extraction
    if completion.truncated is True and not extraction.ends_with_marker:
        # The length limit ended the completion, not the marker that it wrote earlier.
        ended = replace(extraction, end_marker_present=False)
    earned, reasons = credits_with_reasons(
        report,
        ended,
        total,
        scheme,
        degenerate=any(penalty.code == DEGENERATE.code for penalty in penalties),
        groups=groups,
    )
    return Score(
        credits=earned,
        reasons=reasons,
        penalties=penalties,
        reward=apply(earned, penalties),
        verdict=verdict,
    )


def graded(
    problem: Problem,
    result: Score,
    *,
    extraction: Extraction,
    truncated: bool | None,
    report: CheckReport | None,
    checks: int,
    label: str,
    engine: Engine,
    regions: tuple[Region, ...] | None,
    total_ms: float,
    groups: tuple[CaseGroup, ...] = (),
) -> Breakdown:
    """Return the breakdown of a graded completion.

    `report` is None if there was no code, `checks` is the problem's number of checks, `groups`
    are those of its cases, `label` is the scheme's (computing it takes a digest), and `total_ms` is the time of grading.
    """
    through = report.through_holes if report else None
    return Breakdown(
        problem_id=problem.id,
        reward=result.reward,
        verdict=result.verdict,
        credits=result.credits,
        reasons=result.reasons,
        penalties=result.penalties,
        code=extraction.code,
        given=tuple(extraction.given),
        type_errors=report.type_errors if report else None,
        typed_fraction=report.typed_fraction if report else None,
        parsed_share=report.parsed_share if report else None,
        truncated=truncated,
        diagnostics=report.diagnostics if report else _PYTHON if extraction.is_python else (),
        forbidden=report.forbidden if report else (),
        tests=Tally(
            total=checks,
            results=report.results if report else (),
            steps=report.steps if report else None,
            groups=groups,
        ),
        through_holes=(through.results or None) if through else None,
        blame=(report.blame or None) if report and regions is not None else None,
        fault=None,
        engine=engine.name,
        sandbox=engine.sandbox,
        scheme=label,
        toolchain=engine.toolchain,
        timings_ms={
            **(report.timings_ms if report else {}),
            "total": round(total_ms, 3),
        },
        regions=regions,
    )


def ungraded(
    problem_id: str,
    fault: Fault,
    scheme: RewardScheme,
    engine: Engine | None,
    *,
    code: str = "",
    checks: int = 0,
) -> Breakdown:
    """Return a breakdown without a reward.

    `engine` is None if none started; `code` and the number of `checks` are given if known.
    """
    return Breakdown(
        problem_id=problem_id,
        reward=None,
        verdict=Verdict.UNGRADED,
        credits=Credits(),
        penalties=(),
        code=code,
        type_errors=None,
        parsed_share=None,
        diagnostics=(),
        forbidden=(),
        tests=Tally(total=checks),
        fault=fault,
        engine=engine.name if engine else "",
        sandbox=engine.sandbox if engine else "",
        scheme=scheme.label,
        toolchain=engine.toolchain if engine else "",
    )
