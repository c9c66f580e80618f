"""Reports expensive tests, by their cost in the reference."""

from __future__ import annotations

from collections.abc import Iterator

from ..engine import Budget, PreparedTests
from .complaints import Complaint

# CPU seconds from which a check is expensive: every right completion pays them, and looping ones
# many times.
_MUCH_S = 0.02


def costly(prepared: PreparedTests, budget: Budget) -> Iterator[Complaint]:
    """Yield complaints about checks that are expensive in the reference or close to the limit of
    `budget`.
    """
    costs = prepared.costs.checks_s if prepared.costs else ()
    for check, cost_s in zip(prepared.checks, costs, strict=False):
        if cost_s is None or cost_s <= _MUCH_S:
            continue
        message = f"check {check.index} takes {cost_s * 1000:.0f} ms in the reference"
        if cost_s * budget.check_factor > budget.check_cpu_s:
            times = budget.check_cpu_s / cost_s
            message += (
                f", and a completion may use {times:.1f} times that and no more"
                f" (check_cpu_s = {budget.check_cpu_s:g})"
            )
        yield Complaint(kind="costly tests", message=message, line=check.line, broken=False)
