"""Measures the CPU time of each check in the reference: the least of several runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..model import Budget, CheckReport, Outcome, Spent
from . import CheckRequest, PreparedTests
from .pace import allowed_s, least_spent

# A run takes longer than it has to, never shorter.  Most references need next to nothing,
# and one run says so: no check has a quarter of what would give it more than the least.
# Others have two; where a budget is at stake it is worth some more, but not seconds.
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
    """Return prepared tests with what each check takes in the reference, of which `request`
    is; without, for what it does not pass.  `known` are runs of the same checks, wherever
    they were decided: what that takes besides is never a factor.
    """
    runs = [run for run in map(_passed, known) if run]
    while len(runs) < _wanted(runs, budget):
        found = _passed(check(request))
        if found is None:
            return request.tests
        runs.append(found)
    return replace(request.tests, costs=least_spent(runs))


def _passed(report: CheckReport) -> Spent | None:
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
    """Tell how many runs it takes to know the budgets."""
    if not runs:
        return 1
    costs = least_spent(runs)
    known = [cost for cost in (costs.others_s, *costs.checks_s) if cost is not None]
    if max(known) * budget.check_factor <= budget.check_least_s * _LITTLE:
        return 1
    # Some phase may use more than the least, and running it takes no time.
    much = any(allowed_s(cost, budget) > budget.check_least_s for cost in known)
    return _MORE_RUNS if much and sum(known) < _LONG_S else _RUNS
