"""
From what the engine found to what it earns: pure functions of a report and a scheme.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .extraction import Extraction
from .model import CheckReport, CheckResult, Credits, Outcome, Stage, Verdict
from .scheme import RewardScheme

__all__ = ["credits_for", "verdict_for"]

_BY_STAGE = {
    Stage.SYNTAX_ERROR: Verdict.SYNTAX_ERROR,
    Stage.TYPE_ERROR: Verdict.TYPE_ERROR,
    Stage.INTERFACE_ERROR: Verdict.INTERFACE_ERROR,
    Stage.LINK_ERROR: Verdict.LINK_ERROR,
    Stage.COMPILER_LIMIT: Verdict.COMPILER_LIMIT,
}

# The first of these among the checks names the verdict.  A check that was not run, with
# no other reason beside it, means that the program ended before its tests did.
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
# How far behind the word that opens a definition its equals sign may stand.
_MOST_BEFORE_EQUALS = 400


def verdict_for(
    report: CheckReport | None, extraction: Extraction, total: int
) -> Verdict:
    """
    Name the outcome in one word.  `report` may be None where there is no code to check;
    `total` is the number of checks of the problem.
    """
    if report is None or not extraction.has_code:
        return Verdict.NO_CODE
    if report.forbidden:
        return Verdict.FORBIDDEN
    if report.stage is not Stage.EXECUTABLE:
        return _BY_STAGE[report.stage]
    if total and _passed(report.results) >= total:
        return Verdict.PASSED
    outcomes = {result.outcome for result in report.results}
    for outcome, verdict in _BY_OUTCOME:
        if outcome in outcomes:
            return verdict
    return Verdict.RUNTIME_ERROR


def credits_for(
    report: CheckReport | None,
    extraction: Extraction,
    total: int,
    scheme: RewardScheme,
) -> Credits:
    """
    Read the scheme's ladders at what the engine found.

    Code that is empty, or that exhausted the compiler's own budget, earns nothing: the
    second is how a completion attacks the compiler, and cannot be told from it.
    """
    if report is None or not extraction.has_code:
        return Credits()
    if report.stage is Stage.COMPILER_LIMIT:
        return Credits()
    available = scheme.available
    # Rounded far below what a reward shows, so that records read 0.4875.
    return Credits(
        structural=round(
            available.structural * _structural_share(report, extraction), 9
        ),
        type=round(available.type * _type_share(report, scheme), 9),
        compile=round(available.compile * _compile_share(report.stage, scheme), 9),
        tests=round(available.tests * _tests_share(report, total), 9),
    )


def _structural_share(report: CheckReport, extraction: Extraction) -> float:
    """
    Reward the end marker after code only: after text in which nothing parses and
    nothing is defined it would be a constant reward for writing no program.
    """
    if not extraction.end_marker_present:
        return 0.0
    if report.stage is not Stage.SYNTAX_ERROR or report.parsed_share:
        return 1.0
    return float(_defines(extraction.source.blank))


def _defines(blank: str) -> bool:
    """
    Find a definition in code that does not parse: `let`, a name, `=`.
    """
    equals = 0
    for opening in _OPENING.finditer(blank):
        # One equals sign serves all that open before it: no text is read twice.
        if equals < opening.end():
            equals = blank.find("=", opening.end())
        if equals < 0:
            return False
        if 1 <= equals - opening.end() <= _MOST_BEFORE_EQUALS:
            return True
    return False


def _type_share(report: CheckReport, scheme: RewardScheme) -> float:
    ladder = scheme.type
    match report.stage:
        case Stage.SYNTAX_ERROR:
            return ladder.syntax_error_share * (report.parsed_share or 0.0)
        case Stage.TYPE_ERROR | Stage.INTERFACE_ERROR if report.type_errors is None:
            return ladder.ladder[-1]
        case Stage.TYPE_ERROR | Stage.INTERFACE_ERROR:
            return ladder.share(max(1, report.type_errors or 0), report.typed_fraction)
        case _:
            return ladder.rung(0)


def _compile_share(stage: Stage, scheme: RewardScheme) -> float:
    ladder = scheme.compile
    shares = {
        Stage.SYNTAX_ERROR: ladder.syntax_error,
        Stage.LINK_ERROR: ladder.link_error,
        Stage.EXECUTABLE: ladder.executable,
    }
    return shares.get(stage, ladder.type_error)


def _tests_share(report: CheckReport, total: int) -> float:
    if report.forbidden or report.stage is not Stage.EXECUTABLE or total <= 0:
        return 0.0
    return min(1.0, _passed(report.results) / total)


def _passed(results: Sequence[CheckResult]) -> int:
    return sum(result.outcome is Outcome.PASSED for result in results)
