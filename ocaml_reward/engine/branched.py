"""Runs code once more of which some checks pass and some do not, to see which branches each check
enters.  What it comes to then decides nothing: the outcomes are those of the runs before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..model import Branches, CheckReport, Outcome, Stage
from . import CheckRequest
from .execute import Program, pace_of
from .pace import Limits
from .protocol import Event

# After these the process goes on with the next check.
_GOES_ON = (
    Outcome.PASSED,
    Outcome.FAILED,
    Outcome.RAISED,
    Outcome.EXITED,
    Outcome.STACK_OVERFLOW,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Watched:
    """A run that says which branches are entered: what it leaves out ("c3") or runs with a small
    stack ("s3"), and what it may use.
    """

    skip: tuple[str, ...]
    limits: Limits
    cpu_s: float
    wall_s: float


def branches_wanted(request: CheckRequest, report: CheckReport) -> bool:
    """Tell whether it matters which branches the checks enter: some pass, and some do not."""
    if not request.branches or request.tests.stdio or report.cut:
        return False
    if report.stage is not Stage.EXECUTABLE or report.forbidden:
        return False
    outcomes = {result.outcome for result in report.results} - {Outcome.NOT_RUN}
    return Outcome.PASSED in outcomes and len(outcomes) > 1


def watched_runs(request: CheckRequest, report: CheckReport) -> tuple[Watched, ...]:
    """Plan the runs: one of all checks behind which others run, which have the time that they had,
    and one of the first of those that end their process, if there are any, as in a first look.
    Those that overflow the stack do so in a small one.
    """
    budget, checks = request.budget, range(len(report.results))
    overflowing = tuple(
        f"s{place}"
        for place, result in enumerate(report.results)
        if result.outcome is Outcome.STACK_OVERFLOW
    )
    ending = [
        place
        for place, result in enumerate(report.results)
        if result.outcome not in _GOES_ON
    ]
    plans = [(ending, False)]
    if ending:
        plans.append(([place for place in checks if place != ending[0]], True))
    return tuple(
        Watched(
            skip=(*(f"c{place}" for place in left_out), *overflowing),
            limits=pace_of(replace(request, quick=quick)).limits(()),
            cpu_s=budget.tests_cpu_s,
            wall_s=budget.tests_wall_s,
        )
        for left_out, quick in plans
    )


def with_branches(
    program: Program,
    report: CheckReport,
    spans: Sequence[tuple[int, int]],
    runs: Iterable[Watched],
) -> CheckReport:
    """Run a program that says which branches it enters.

    Args:
        program: The program, linked.
        report: What its code came to.
        spans: Where the branches lie, in bytes; where there are none nothing is run.
        runs: How to run it.

    Returns:
        The report, with the branches that each check enters.
    """
    if not spans:
        return report
    count = len(report.results)
    entered: dict[int, set[int]] = {}
    for run in runs:
        _, events = program.start(
            run.skip, run.limits, cpu_s=run.cpu_s, wall_s=run.wall_s
        )
        entered |= _entered(events, count, len(spans))
    told = (
        tuple(sorted(entered[place])) if place in entered else None
        for place in range(count)
    )
    return replace(report, branches=Branches(spans=tuple(spans), entered=tuple(told)))


def _entered(
    events: Iterable[Event], checks: int, branches: int
) -> dict[int, set[int]]:
    """Gather for each check that began the branches that it entered.  Code that is free to break
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
