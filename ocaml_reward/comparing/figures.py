"""Means over problems, with confidence intervals."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 2_000
"""Number of bootstrap samples; an interval's ends move by about 0.002 with the seed."""
MOST_DRAWN: Final = 2_000
"""With more problems the normal interval is used: the ends differ by less than 0.001, and
resampling would take long.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """A mean over problems with its 95 % bootstrap interval, `low` to `high`.

    Both are None if all problems have the same value, because nothing is then known about other
    problems.
    """

    value: float | None
    low: float | None
    high: float | None


def figure_of(values: Iterable[float | None]) -> Figure:
    """Return the mean over problems with its percentile bootstrap interval (Efron, 1979).

    Equal values give equal ends. With more than 2,000 problems the interval is the normal one.
    """
    known = [value for value in values if value is not None]
    if not known:
        return Figure(value=None, low=None, high=None)
    value = statistics.fmean(known)
    if len(set(known)) == 1:
        return Figure(value=value, low=None, high=None)
    if len(known) > MOST_DRAWN:
        error = statistics.pstdev(known, value) / len(known) ** 0.5
        beyond = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error
        return Figure(value=value, low=value - beyond, high=value + beyond)
    random = Random(0)  # noqa: S311 - no secret
    means = sorted(statistics.fmean(random.choices(known, k=len(known))) for _ in range(RESAMPLES))
    cut = round(RESAMPLES * (1 - CONFIDENCE) / 2)
    return Figure(value=value, low=means[cut], high=means[-1 - cut])
