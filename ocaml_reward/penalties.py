"""
What takes reward away, one function each, and the sum that makes the reward.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from .degenerate import evidence_of_degeneracy
from .extraction import Extraction
from .idleness import ignores_its_arguments, reads_nothing
from .model import (
    CheckReport,
    Completion,
    Credits,
    DiagnosticKind,
    Outcome,
    Penalty,
    Stage,
)
from .scheme import RewardScheme
from .substance import lines_of_substance, touches

__all__ = [
    "DEGENERATE",
    "IDLE",
    "MIN_LINES",
    "RUNAWAY",
    "RUNAWAY_CAP",
    "UNRELATED",
    "apply",
    "penalties_for",
]

RUNAWAY = "runaway"
RUNAWAY_CAP = "runaway_cap"
MIN_LINES = "min_lines"
DEGENERATE = "degenerate"
UNRELATED = "unrelated"
IDLE = "idle"

_ILL_TYPED = frozenset((Stage.TYPE_ERROR, Stage.INTERFACE_ERROR))
_PARSED = _ILL_TYPED | {Stage.LINK_ERROR, Stage.EXECUTABLE}


def penalties_for(
    report: CheckReport | None,
    extraction: Extraction,
    completion: Completion,
    scheme: RewardScheme,
) -> tuple[Penalty, ...]:
    """
    List the penalties of a completion, each code at most once, in a fixed order.
    """
    found = (
        *_runaway(completion, extraction, scheme),
        _min_lines(report, extraction, scheme),
        _unrelated(report, extraction),
        _degenerate(report, extraction, scheme),
        _idle(report, extraction, scheme),
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


def _runaway(
    completion: Completion, extraction: Extraction, scheme: RewardScheme
) -> list[Penalty]:
    """
    Punish a completion that hit its length limit before its end.

    Where nobody knows whether it did (`truncated` is None), nothing is taken.
    """
    if completion.truncated is not True or extraction.end_marker_present:
        return []
    evidence = "length limit reached"
    if scheme.end_marker is not None:
        evidence += " without the end marker"
    found = [Penalty(code=RUNAWAY, factor=scheme.runaway.factor, evidence=evidence)]
    if scheme.runaway.cap < 1:
        found.append(
            Penalty(
                code=RUNAWAY_CAP, factor=1.0, cap=scheme.runaway.cap, evidence=evidence
            )
        )
    return found


def _min_lines(
    report: CheckReport | None, extraction: Extraction, scheme: RewardScheme
) -> Penalty | None:
    """
    Punish code of fewer lines than wanted, blank ones and comments apart.

    Of code that parses, only the lines that the answer needs are counted: short answers
    would else be paid for lines that do nothing, or for a mistake beside such lines.
    """
    lines = len(extraction.source.lines)
    if not lines:
        return None
    plural = "line" if lines == 1 else "lines"
    evidence = f"{lines} {plural} of code"
    if lines >= scheme.min_lines > 1 and report and report.stage in _PARSED:
        needed = lines_of_substance(
            extraction.source,
            report.parts,
            extraction.wanted,
            extraction.prompt,
            mistakes=_mistakes(report) if report.stage in _ILL_TYPED else None,
        )
        evidence = f"the answer needs {needed} of {evidence}"
        lines = needed
    if lines >= scheme.min_lines:
        return None
    evidence += f", at least {scheme.min_lines} wanted"
    return Penalty(code=MIN_LINES, factor=0.0, evidence=evidence)


def _mistakes(report: CheckReport) -> set[int]:
    """
    Find the lines on which the errors of the code itself begin.
    """
    return {
        found.span.line
        for found in report.diagnostics
        if found.span and found.is_of_code and found.kind is DiagnosticKind.ERROR
    }


def _unrelated(report: CheckReport | None, extraction: Extraction) -> Penalty | None:
    """
    Punish a program that has nothing to do with the problem.

    Whatever it is, it types and compiles: a constant reward for no attempt.
    """
    if report is None or report.stage is Stage.EXECUTABLE:
        return None
    broken = report.stage is Stage.SYNTAX_ERROR
    code = extraction.code if broken else extraction.source.blank
    if touches(code, extraction.wanted, broken=broken):
        return None
    names = ", ".join(sorted(extraction.wanted))
    evidence = f"nothing in the code is called anything like {names}"
    return Penalty(code=UNRELATED, factor=0.0, evidence=evidence)


def _degenerate(
    report: CheckReport | None, extraction: Extraction, scheme: RewardScheme
) -> Penalty | None:
    """
    Punish filling the length instead of answering; several signs are one penalty.

    Spam that passes no check keeps nothing.  A share of its other credits would be a
    constant reward, as the same spam earns them whatever the problem, and models that
    find such a constant stay there.
    """
    signs = evidence_of_degeneracy(report, extraction, scheme.degenerate)
    if not signs:
        return None
    results = report.results if report else ()
    passes = any(result.outcome is Outcome.PASSED for result in results)
    factor = scheme.degenerate.factor if passes else 0.0
    return Penalty(code=DEGENERATE, factor=factor, evidence="; ".join(signs))


def _idle(
    report: CheckReport | None, extraction: Extraction, scheme: RewardScheme
) -> Penalty | None:
    """
    Punish a program that answers nothing: a constant, or no value at all, for whatever it
    is given.  It types for any problem, and would be a constant reward for no attempt.

    Two witnesses have to agree, as an honest attempt can raise in every check, or loop, or
    be wrong in one way: what the engine saw, and the text.  Code that does not type was
    never seen, so that there the text must not even look at what it is given.
    """
    if report is None or scheme.idle.factor == 1 or report.stage not in _PARSED:
        return None
    seen = report.answers
    if any(result.outcome is Outcome.PASSED for result in report.results):
        return None
    if report.results and (seen is None or seen.distinct > 1):
        return None
    if not extraction.wanted:
        if not (seen and seen.printed and reads_nothing(extraction.source)):
            return None
        ignored = "it never reads what it is given"
    else:
        if not ignores_its_arguments(
            extraction.source,
            extraction.wanted,
            strictly=seen is None or seen.unseen > 0,
        ):
            return None
        names = ", ".join(sorted(extraction.wanted))
        ignored = f"no result of {names} is made of what it is given"
    answer = "no check passes"
    if seen is not None:
        answer += f", {'one value' if seen.values else 'no value'} comes back"
    return Penalty(
        code=IDLE, factor=scheme.idle.factor, evidence=f"{answer}, and {ignored}"
    )
