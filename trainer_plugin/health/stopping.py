"""Detects a fall of the validation reward over epochs, given its standard error."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

SIGNIFICANT: Final = 2.5
"""Number of standard errors below the best that count as a fall.

In simulations, no run with a rising reward is stopped, and one in a hundred with a constant reward
is; a fall by a tenth is detected in two epochs.
"""

MIN_FALL: Final = 0.01
"""Minimum fall that counts, however small its standard error."""

FEW_EPOCHS: Final = 3
PARTS: Final = 10
"""A run of fewer than FEWEST epochs is divided into tenths instead."""

EDGE: Final = 1e-6


@dataclass(frozen=True, kw_only=True, slots=True)
class Evaluation:
    """One evaluation: its mean reward with its standard error."""

    epoch: float
    value: float
    error: float


@dataclass(frozen=True, kw_only=True, slots=True)
class StretchMean:
    """The mean of the evaluations of an epoch, or of a tenth of a short run."""

    mean: float
    error: float


def standard_error(value: float, variance: float | None, problems: int) -> float:
    """Return the standard error of a mean reward.

    `variance` is that of each problem's own mean; without it, the largest variance of rewards from
    0 to 1 is used.
    """
    spread = max(0.0, value * (1 - value)) if variance is None else variance
    return math.sqrt(spread / max(1, problems))


def stretch_length(epochs: float) -> float:
    """Return the length of a run's stretches, in epochs."""
    return 1.0 if epochs >= FEW_EPOCHS else max(epochs, EDGE) / PARTS


def stretches(evaluations: Sequence[Evaluation], length: float) -> list[StretchMean]:
    """Average the evaluations of each finished stretch.

    A stretch is unfinished if another evaluation, at the distance of the last two, would still
    belong to it.
    """
    grouped = itertools.groupby(evaluations, lambda each: _number(each.epoch, length))
    found = [(number, list(group)) for number, group in grouped]
    if len(evaluations) > 1:
        before, last = evaluations[-2].epoch, evaluations[-1].epoch
        if _number(2 * last - before, length) == found[-1][0]:
            found.pop()
    return [_stretch(group) for _, group in found]


def find_fall(known: Sequence[StretchMean], patience: int) -> str | None:
    """Return a fall: the last `patience` stretches are all significantly below the best before
    them.
    """
    before, last = known[:-patience], known[-patience:]
    if not before or patience < 1:
        return None
    best = max(before, key=lambda each: each.mean)
    if any(each.mean >= best.mean for each in last):
        return None
    now = _mean(last)
    error = math.hypot(best.error, now.error)
    # The maximum of many equal values exceeds their mean by about this much.
    lucky = best.error * math.sqrt(2 * math.log(len(before)))
    if best.mean - now.mean <= max(MIN_FALL, SIGNIFICANT * error + lucky):
        return None
    means = ", ".join(f"{each.mean:.3f}" for each in last)
    return (
        f"the best was {best.mean:.3f}, and then came {means}; the standard error of the"
        f" difference is {error:.3f}"
    )


def _number(epoch: float, length: float) -> int:
    """Return the number of the stretch that an epoch is in."""
    # The evaluation that ends the first stretch belongs to it.
    return max(0, math.ceil(epoch / length - EDGE) - 1)


def _stretch(group: Sequence[Evaluation]) -> StretchMean:
    """Return the mean of the evaluations in a stretch."""
    return _mean([StretchMean(mean=one.value, error=one.error) for one in group])


def _mean(parts: Sequence[StretchMean]) -> StretchMean:
    """Return the mean of means, with its standard error."""
    return StretchMean(
        mean=statistics.fmean(each.mean for each in parts),
        error=math.hypot(*(each.error for each in parts)) / len(parts),
    )
