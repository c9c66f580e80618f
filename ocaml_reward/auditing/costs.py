"""Reports expensive tests, by their cost in the reference."""

from __future__ import annotations

from collections.abc import Iterator

from ..engine import Budget, PreparedTests
from ..engine.messages.limits import allowed_steps
from .complaints import Complaint

# Steps from which a check is expensive, about 25 ms: every right completion takes them, and looping
# ones many times.
_MUCH = 1_000_000


def costly(prepared: PreparedTests, budget: Budget) -> Iterator[Complaint]:
    """Yield complaints about checks that are expensive in the reference or close to the limit of
    `budget`. (exercism/ocaml exercises/practice/perfect-numbers/test.ml)
    """
    costs = prepared.costs.checks if prepared.costs else ()
    for check, steps in zip(prepared.checks, costs, strict=False):
        if steps is None or steps <= _MUCH:
            continue
        message = f"check {check.index} takes {steps:,} steps in the reference"
        most = allowed_steps(steps, budget)
        if steps * budget.steps_factor > most:
            message += (
                f", and a completion may take {most / steps:.1f} times that and no more"
                f" (most_steps = {budget.most_steps:,})"
            )
        yield Complaint(kind="costly tests", message=message, line=check.line, broken=False)
