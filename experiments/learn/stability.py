"""Whether seeds agree on which variant is better: Kendall's rank correlation of each pair of them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from itertools import combinations
from typing import Any


def kendall_tau(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Compare two rankings of the same things: tau-b of M. G. Kendall, The treatment of ties in
    ranking problems, Biometrika 33 (1945), which without ties is his tau of 1938.

    Args:
        one: A value of each thing.
        other: Another value of each, in the same order.

    Returns:
        From -1, opposite, to 1, the same order; None where either has all values alike, and so
        ranks nothing.

    Raises:
        ValueError: There are not as many values in both.
    """
    pairs = list(combinations(zip(one, other, strict=True), 2))
    signs = [(_sign(a - c), _sign(b - d)) for (a, b), (c, d) in pairs]
    apart = math.prod(sum(each[side] != 0 for each in signs) for side in (0, 1))
    return sum(mine * theirs for mine, theirs in signs) / math.sqrt(apart) if apart else None


def stability(results: Sequence[dict[str, Any]]) -> str:
    """Write how alike seeds rank the variants by pass@1 over the run: the mean of tau over pairs of
    seeds, and where it lies; nothing where no two seeds rank two variants.
    """
    runs: dict[int, dict[str, float]] = {}
    for each in results:
        over = statistics.fmean(point["pass_at_1"] for point in each["points"])
        runs.setdefault(each["seed"], {})[each["variant"]] = over
    found = []
    for one, other in combinations(runs.values(), 2):
        both = [name for name in one if name in other]
        tau = kendall_tau([one[name] for name in both], [other[name] for name in both])
        found += [] if tau is None else [tau]
    if not found:
        return ""
    return (
        f"Seeds' rankings of the rewards by pass@1 over the run: Kendall's tau"
        f" {statistics.fmean(found):.2f} ({min(found):.2f} to {max(found):.2f}), pairs of seeds:"
        f" {len(found)}.\n"
    )


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
