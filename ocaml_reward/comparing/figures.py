"""Means over problems with their intervals."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 2_000
"""Enough for the second decimal of an interval's ends: they move by about 0.002 with the seed."""
MOST_DRAWN: Final = 2_000
"""Means of more problems are as good as normally distributed, and drawing them takes long: the
ends of 2,000 problems' intervals move by under 0.001.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """A mean over problems; `low` and `high` enclose 95 % of the means of as many problems
    drawn from them with putting back.  Both are None where all problems agree, as what
    others would do is not known then.
    """

    value: float | None
    low: float | None
    high: float | None


def figure_of(values: Iterable[float | None]) -> Figure:
    """Average over problems, with the interval of a bootstrap (Efron, 1979) by percentiles;
    equal values give equal ends.  Of more than 2,000 problems it is the normal one.
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
    means = sorted(
        statistics.fmean(random.choices(known, k=len(known))) for _ in range(RESAMPLES)
    )
    cut = round(RESAMPLES * (1 - CONFIDENCE) / 2)
    return Figure(value=value, low=means[cut], high=means[-1 - cut])
