"""Re-runs code that passes only some checks, with branch coverage.

The outcomes of this run are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...model import Branches, CheckReport, Outcome, Stage
from .. import CheckRequest
from ..messages.limits import RunLimits
from ..messages.protocol import Event
from .execute import Program, limits_of

# After these outcomes the process continues with the next check.
_GOES_ON = (
    Outcome.PASSED,
    Outcome.FAILED,
    Outcome.RAISED,
    Outcome.EXITED,
    Outcome.STACK_OVERFLOW,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class CoverageRun:
    """A run with branch coverage: its limits, and its `skip` list.

    The list has the checks to leave out ("c3") or to run with a small stack ("s3").
    """

    skip: tuple[str, ...]
    limits: RunLimits
    cpu_s: float
    wall_s: float


def branches_wanted(request: CheckRequest, report: CheckReport) -> bool:
    """Tell whether branches have to be recorded: some checks pass, and some fail."""
    if not request.branches or request.tests.stdio or report.cut:
        return False
    if report.stage is not Stage.EXECUTABLE or report.forbidden:
        return False
    outcomes = {result.outcome for result in report.results} - {Outcome.NOT_RUN}
    return Outcome.PASSED in outcomes and len(outcomes) > 1


def coverage_runs(request: CheckRequest, report: CheckReport) -> tuple[CoverageRun, ...]:
    """Return the planned runs.

    The first runs all checks that do not end their process, with their full budgets.  If some do,
    a second runs the first of these alone, with the budget of a quick attempt.  Checks that
    overflow the stack get a small one.
    """
    budget, checks = request.budget, range(len(report.results))
    overflowing = tuple(
        f"s{place}"
        for place, result in enumerate(report.results)
        if result.outcome is Outcome.STACK_OVERFLOW
    )
    ending = [
        place for place, result in enumerate(report.results) if result.outcome not in _GOES_ON
    ]
    plans = [(ending, False)]
    if ending:
        plans.append(([place for place in checks if place != ending[0]], True))
    return tuple(
        CoverageRun(
            skip=(*(f"c{place}" for place in left_out), *overflowing),
            limits=limits_of(replace(request, quick=quick)).next_run(),
            cpu_s=budget.tests_cpu_s,
            wall_s=budget.tests_wall_s,
        )
        for left_out, quick in plans
    )


def with_branches(
    program: Program,
    report: CheckReport,
    spans: Sequence[tuple[int, int]],
    runs: Iterable[CoverageRun],
) -> CheckReport:
    """Run a program with branch coverage.

    Args:
        program: The program, linked.
        report: The report on its code.
        spans: The byte ranges of the branches; without any, nothing is run.
        runs: The planned runs.

    Returns:
        The report, with the branches that each check entered.
    """
    if not spans:
        return report
    count = len(report.results)
    entered: dict[int, set[int]] = {}
    for run in runs:
        _, events = program.start(run.skip, run.limits, cpu_s=run.cpu_s, wall_s=run.wall_s)
        entered |= _entered(events, count, len(spans))
    branches = (
        tuple(sorted(entered[place])) if place in entered else None for place in range(count)
    )
    return replace(report, branches=Branches(spans=tuple(spans), entered=tuple(branches)))


def _entered(events: Iterable[Event], checks: int, branches: int) -> dict[int, set[int]]:
    """Return the branches that each check entered, for each check that began.

    Invalid events are skipped: code that may break its process can send anything.
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
