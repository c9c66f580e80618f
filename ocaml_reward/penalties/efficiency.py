"""Code that takes many more steps than the reference: a part of the reward for efficiency."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final

from ..model import Outcome, Penalty
from .rule import Facts, Rule, at_least


@dataclass(frozen=True, kw_only=True, slots=True)
class Efficiency:
    """The lowest factor, and the times of the reference's steps up to which nothing is taken and
    from which most is.
    """

    factor: float = field(default=1.0, metadata={"low": 0.8, "high": 1})
    free: float = field(default=2.0, metadata=at_least(1))
    worst: float = field(default=20.0, metadata=at_least(1))


def _take(facts: Facts, values: Any) -> Penalty | None:
    """Return the penalty by the steps of the checks that pass, beside those of the reference.

    Between `free` and `worst` the factor falls evenly with the logarithm of the ratio.
    (evalplus/evalplus, EvalPerf, measures the same on tasks of Python)
    """
    known = [
        (each.steps, each.reference_steps)
        for each in facts.results
        if each.outcome is Outcome.PASSED and each.reference_steps is not None
    ]
    steps = sum(own or 0 for own, _ in known)
    reference = max(sum(theirs for _, theirs in known), 1)
    own = values.efficiency
    ratio = steps / reference
    if ratio <= own.free:
        return None
    part = (
        1.0 if ratio >= own.worst else math.log(ratio / own.free) / math.log(own.worst / own.free)
    )
    factor = round(1 - (1 - own.factor) * part, 6)
    evidence = f"{steps:,} steps in the checks that pass, the reference {reference:,}"
    return Penalty(code=EFFICIENCY.code, factor=factor, evidence=evidence)


EFFICIENCY: Final = Rule(
    code="efficiency",
    key="efficiency.factor",
    text="takes many more steps than the reference",
    effect="off; at most times 0.8",
    when=(
        "with `efficiency.factor` below 1: the checks that pass take more than twice the reference's"
        " steps; the factor falls to that at 20 times as many"
    ),
    take=_take,
)
