"""All penalties, one file each with its numbers, texts and rule.

A new penalty takes a file here, a line in PENALTIES and one in PenaltyValues, and its numbers in
scheme/shipped/seed.toml; `pytest tests/penalties/test_penalty_values.py --promote` writes its row of
docs/scoring.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from ..model import Credits, Penalty
from .degenerate import DEGENERATE, Degenerate
from .efficiency import EFFICIENCY, Efficiency
from .idle import IDLE, Idle
from .min_lines import MIN_LINES
from .rule import SHARE, Facts, Rule, at_least
from .runaway import CAP, FACTOR, Runaway
from .unrelated import UNRELATED, Unrelated

__all__ = [
    "DEGENERATE",
    "IDLE",
    "MIN_LINES",
    "PENALTIES",
    "Facts",
    "PenaltyValues",
    "Rule",
    "apply",
    "penalties_of",
    "reward_steps",
]

PENALTIES: Final = (FACTOR, CAP, MIN_LINES, UNRELATED, DEGENERATE, IDLE, EFFICIENCY)
"""All penalties, in the order of a record."""


@dataclass(frozen=True, kw_only=True)
class PenaltyValues:
    """The numbers of all penalties, by their keys in a scheme.

    Defaults apply to older scheme files without the key. `min_lines_if_passed`: whether `min_lines`
    also applies to code that passes every check.
    """

    min_lines: int = field(metadata=at_least(0))
    runaway: Runaway
    degenerate: Degenerate
    idle: Idle = field(default_factory=Idle)
    unrelated: Unrelated = field(default_factory=Unrelated)
    efficiency: Efficiency = field(default_factory=Efficiency)
    min_lines_if_passed: bool = field(default=True, metadata=SHARE)

    @cached_property
    def on(self) -> tuple[Rule, ...]:
        """The penalties that are not turned off."""
        return tuple(rule for rule in PENALTIES if not rule.is_off(self))


def penalties_of(facts: Facts, values: PenaltyValues) -> tuple[Penalty, ...]:
    """Return the penalties of a completion, each code at most once, in a fixed order."""
    found = [rule.take(facts, values) for rule in values.on]
    return tuple([penalty for penalty in found if penalty])


def apply(earned: Credits, penalties: Sequence[Penalty]) -> float:
    """Multiply the sum of the credits by every factor, then apply every cap.

    The result lies in [0, 1], is rounded to 6 decimals, and does not depend on the order of the
    penalties.
    """
    # Sorted, because the last digit of a product of floats depends on the order.
    factors = sorted(penalty.factor for penalty in penalties)
    caps = [penalty.cap for penalty in penalties if penalty.cap is not None]
    reward = min([earned.total * math.prod(factors), 1.0, *caps])
    return round(max(0.0, reward), 6)


def reward_steps(earned: Credits, penalties: Sequence[Penalty]) -> Iterator[tuple[Penalty, float]]:
    """Yield each penalty with the value that remains after it; factors come before caps."""
    value = earned.total
    for penalty in sorted(penalties, key=lambda each: each.cap is not None):
        value *= penalty.factor
        if penalty.cap is not None:
            value = min(value, penalty.cap)
        yield penalty, value
