"""Computes the steps from the sum of credits to the reward."""

from __future__ import annotations

from collections.abc import Iterator

from ocaml_reward import Breakdown
from ocaml_reward.model import Penalty


def steps_to_reward(breakdown: Breakdown) -> Iterator[tuple[Penalty, float]]:
    """Yield each penalty with the value that remains after it."""
    value = breakdown.credits.total
    # Factors apply before caps, as in the reward.
    for penalty in sorted(breakdown.penalties, key=lambda each: each.cap is not None):
        value *= penalty.factor
        if penalty.cap is not None:
            value = min(value, penalty.cap)
        yield penalty, value
