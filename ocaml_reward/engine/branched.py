"""
Runs code once more of which some checks pass and some do not, to see which branches each check
enters.  What it comes to then decides nothing: the outcomes are those of the first run.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..errors import EngineFault
from ..model import Branches, CheckReport, Outcome, Stage
from . import CheckRequest
from .execute import Program
from .pace import Pace
from .protocol import Event

__all__ = ["branches_wanted", "paced", "skipped", "with_branches"]

# After these the process goes on with the next check.
_GOES_ON = (
    Outcome.PASSED,
    Outcome.FAILED,
    Outcome.RAISED,
    Outcome.EXITED,
    Outcome.STACK_OVERFLOW,
)
# The lock's own minimum for a run.
_LEAST_S = 0.1


def branches_wanted(request: CheckRequest, report: CheckReport) -> bool:
    """
    Tell whether it matters which branches the checks enter: some pass, and some do not.
    """
    if not request.branches or request.tests.stdio or report.cut:
        return False
    if report.stage is not Stage.EXECUTABLE or report.forbidden:
        return False
    outcomes = {result.outcome for result in report.results} - {Outcome.NOT_RUN}
    return Outcome.PASSED in outcomes and len(outcomes) > 1


def paced(request: CheckRequest) -> Pace:
    """
    Return what the checks may use: as much as in a first look.
    """
    tests = request.tests
    return Pace(
        budget=request.budget, count=len(tests.checks), costs=tests.costs, hasty=True
    )


def skipped(report: CheckReport) -> list[str]:
    """
    List the checks behind which nothing would run.
    """
    return [
        f"c{place}"
        for place, result in enumerate(report.results)
        if result.outcome not in _GOES_ON
    ]


def with_branches(
    program: Program,
    request: CheckRequest,
    report: CheckReport,
    spans: Sequence[tuple[int, int]],
) -> CheckReport:
    """
    Run a program that says which branches it enters.

    Args:
        program: The program, linked.
        request: What is asked for.
        report: What its code came to.
        spans: Where the branches lie, in bytes.

    Returns:
        The report, with the branches that each check enters.
    """
    budget = request.budget
    count = len(report.results)
    entered: dict[int, set[int]] = {}
    skip = skipped(report)
    cpu_s, deadline = budget.tests_cpu_s, time.monotonic() + budget.tests_wall_s
    # First all that goes on; then one of those that do not, by itself.
    ending = [int(each[1:]) for each in skip]
    alone = [f"c{place}" for place in range(count) if place not in ending[:1]]
    for left_out in (skip, alone) if ending else (skip,):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        try:
            _, events = program.start(
                left_out,
                paced(request).limits(()),
                cpu_s=cpu_s,
                wall_s=max(left, _LEAST_S),
            )
        except EngineFault:
            break
        entered |= _entered(events, count, len(spans))
    return replace(
        report,
        branches=Branches(
            spans=tuple(spans),
            entered=tuple(
                tuple(sorted(entered[place])) if place in entered else None
                for place in range(count)
            ),
        ),
    )


def _entered(
    events: Iterable[Event], checks: int, branches: int
) -> dict[int, set[int]]:
    """
    Gather for each check that began the branches that it entered.  Code that is free to break
    its process may say anything.
    """
    found: dict[int, set[int]] = {}
    inside: set[int] | None = None
    for event in events:
        number = event.arguments[0] if event.arguments else ""
        if not (number.isascii() and number.isdigit() and len(number) < 8):
            continue
        place = int(number)
        if event.name == "begin":
            inside = found.setdefault(place, set()) if place < checks else None
        elif event.name == "end":
            inside = None
        elif event.name == "went" and inside is not None and place < branches:
            inside.add(place)
    return found
