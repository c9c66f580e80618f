"""When a validation reward has fallen: by epoch, and held against how exactly it is known."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

SURE: Final = 2.5
"""So many standard errors below the best is a fall.  Simulated, no run whose reward rises is
stopped and one in a hundred whose reward stays; a fall by a tenth is seen in two epochs.
"""

LEAST: Final = 0.01
"""What is less is no fall, however exactly it is known."""

FEWEST: Final = 3
PARTS: Final = 10
"""A run of fewer than FEWEST epochs is looked at in tenths instead."""

EDGE: Final = 1e-6


@dataclass(frozen=True, kw_only=True, slots=True)
class Evaluation:
    """One evaluation: its mean reward, and the standard error of that."""

    epoch: float
    value: float
    error: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Stretch:
    """The mean of an epoch's evaluations, or of a tenth of a short run's."""

    mean: float
    error: float


def error_of(value: float, variance: float | None, problems: int) -> float:
    """Return the standard error of a mean reward over so many problems, given the variance
    of each one's own mean; without it the most that rewards from 0 to 1 can have.
    """
    spread = max(0.0, value * (1 - value)) if variance is None else variance
    return math.sqrt(spread / max(1, problems))


def length_of(epochs: float) -> float:
    """Return the length of a run's stretches, in epochs, by the number of its epochs."""
    return 1.0 if epochs >= FEWEST else max(epochs, EDGE) / PARTS


def stretches(evaluations: Sequence[Evaluation], length: float) -> list[Stretch]:
    """Put the evaluations of each stretch together, without one that is not over: another
    evaluation, as far off as the last two are, would still belong to it.
    """
    grouped = itertools.groupby(evaluations, lambda each: _number(each.epoch, length))
    found = [(number, list(group)) for number, group in grouped]
    if len(evaluations) > 1:
        before, last = evaluations[-2].epoch, evaluations[-1].epoch
        if _number(2 * last - before, length) == found[-1][0]:
            found.pop()
    return [_stretch(group) for _, group in found]


def fall(known: Sequence[Stretch], patience: int) -> str | None:
    """Tell a fall: the last `patience` stretches all lie below the best before them, and
    together so far that chance would hardly do it.
    """
    before, last = known[:-patience], known[-patience:]
    if not before or patience < 1:
        return None
    best = max(before, key=lambda each: each.mean)
    if any(each.mean >= best.mean for each in last):
        return None
    now = _mean(last)
    error = math.hypot(best.error, now.error)
    # The best of many is the luckiest too: by about as much, where nothing has changed.
    lucky = best.error * math.sqrt(2 * math.log(len(before)))
    if best.mean - now.mean <= max(LEAST, SURE * error + lucky):
        return None
    means = ", ".join(f"{each.mean:.3f}" for each in last)
    return (
        f"the best was {best.mean:.3f}, and then came {means}; the standard error of the"
        f" difference is {error:.3f}"
    )


def _number(epoch: float, length: float) -> int:
    # The evaluation that ends the first stretch belongs to it.
    return max(0, math.ceil(epoch / length - EDGE) - 1)


def _stretch(group: Sequence[Evaluation]) -> Stretch:
    return _mean([Stretch(mean=one.value, error=one.error) for one in group])


def _mean(parts: Sequence[Stretch]) -> Stretch:
    return Stretch(
        mean=statistics.fmean(each.mean for each in parts),
        error=math.hypot(*(each.error for each in parts)) / len(parts),
    )
