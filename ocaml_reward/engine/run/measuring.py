"""Measures what the reference takes: one run is enough, as its steps are the same in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...model import CheckReport, Outcome, ReferenceCosts
from .. import CheckRequest, PreparedTests


def costs_of(report: CheckReport) -> ReferenceCosts | None:
    """Return what a run took; None if nothing ran.  A check that does not pass has no costs."""
    if report.steps is None:
        return None
    checks = tuple(
        each.steps or 0 if each.outcome is Outcome.PASSED else None for each in report.results
    )
    return ReferenceCosts(checks=checks, all_steps=report.steps, cpu_s=report.cpu_s)


def with_costs(
    request: CheckRequest,
    check: Callable[[CheckRequest], CheckReport],
    known: Sequence[CheckReport] = (),
) -> PreparedTests:
    """Return the request's tests with what each check takes that the reference passes.

    `request` has the reference's code.  `known` are reports on earlier runs of the same checks.
    """
    costs = costs_of(known[0] if known else check(request))
    return replace(request.tests, costs=costs) if costs else request.tests
