"""Measures the CPU time of each check in the reference: the minimum of several runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..model import Budget, CheckReport, Outcome, Spent
from . import CheckRequest, PreparedTests
from .cpu_limits import allowed_s, least_spent

# Measured times only err upwards, so take the minimum of several runs.  One run is enough when no
# check is near its limit: none takes a quarter of what would raise its budget above the minimum.
# Else there are two runs, or four if a budget depends on it and the checks take little time.
_LITTLE = 0.25
_RUNS = 2
_MORE_RUNS = 4
_LONG_S = 0.2


def with_costs(
    request: CheckRequest,
    check: Callable[[CheckRequest], CheckReport],
    budget: Budget,
    known: Sequence[CheckReport] = (),
) -> PreparedTests:
    """Return the request's tests with the CPU time of each check that the reference passes.

    `request` has the reference's code.  `known` are reports on earlier runs of the same checks.
    """
    runs = [run for run in map(_passed, known) if run]
    while len(runs) < _wanted(runs, budget):
        found = _passed(check(request))
        if found is None:
            return request.tests
        runs.append(found)
    return replace(request.tests, costs=least_spent(runs))


def _passed(report: CheckReport) -> Spent | None:
    """Return the time spent by the checks that passed; None if it was not measured."""
    if report.spent is None:
        return None
    return replace(
        report.spent,
        checks_s=tuple(
            took if result.outcome is Outcome.PASSED else None
            for took, result in zip(report.spent.checks_s, report.results, strict=True)
        ),
    )


def _wanted(runs: list[Spent], budget: Budget) -> int:
    """Return the number of runs needed to know the budgets."""
    if not runs:
        return 1
    costs = least_spent(runs)
    known = [cost for cost in (costs.others_s, *costs.checks_s) if cost is not None]
    if max(known) * budget.check_factor <= budget.check_least_s * _LITTLE:
        return 1
    # A budget is above the minimum, and more runs take little time.
    much = any(allowed_s(cost, budget) > budget.check_least_s for cost in known)
    return _MORE_RUNS if much and sum(known) < _LONG_S else _RUNS
