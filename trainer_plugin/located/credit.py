"""
What the parts of a completion's code are worth beside the same parts of the other
completions of its group, and which token gets what of it.

A definition is compared with those of the same name, and a part without a name with all
parts of the group: right is 1, wrong is 0, and the difference from the mean is divided as
the trainer divides its own advantages.  What is unknown is worth nothing.
"""

from __future__ import annotations

import statistics
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ocaml_reward import Ground, Mark, Region

__all__ = [
    "ALIKE",
    "CAUSES",
    "UNKNOWN",
    "Comparison",
    "Credit",
    "Judged",
    "compared",
    "credits_of",
    "judged",
]

UNKNOWN: Final = "unknown"
ALIKE: Final = "alike"
CAUSES: Final = (
    *(ground.value for ground in Ground if ground.mark is not Mark.UNKNOWN),
    UNKNOWN,
    ALIKE,
)
"""
Why a token has credit by its place; and why one in a part of the code has none, as nothing
is known of the part, or it differs from no other of the group.
"""

EPSILON: Final = 1e-4
"""
What TRL adds to a spread before it divides by it.
"""

Names = tuple[str, ...]

Judged = tuple[tuple[Names, float], ...]
"""
What one completion's parts are known to be, each with its names: 1 right, 0 wrong.
"""

Ranges = Sequence[tuple[int, int]]


def judged(regions: Iterable[Region]) -> Judged:
    """
    List what is known of a completion's parts: one entry for all of one name, wrong if any
    of it is, and one for each region without a name.
    """
    named: dict[Names, float] = {}
    others: list[tuple[Names, float]] = []
    for region in regions:
        value = _value(region)
        if value is None:
            continue
        if region.names:
            named[region.names] = min(value, named.get(region.names, value))
        else:
            others.append(((), value))
    return (*sorted(named.items()), *others)


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """
    What right and wrong are worth in one group.

    Attributes:
        pools: By names, the mean of what is known of such parts, and what a difference
            from it is divided by; those without names stand for all parts.
    """

    pools: Mapping[Names, tuple[float, float]]

    def credit(self, region: Region) -> float:
        """
        Return what a region is worth; 0 where it is unknown, or differs from no other.
        """
        value = _value(region)
        pool = self.pools.get(region.names)
        if value is None or pool is None:
            return 0.0
        mean, spread = pool
        return (value - mean) / spread


def compared(
    completions: Sequence[Judged], *, group: int, scale: str
) -> list[Comparison]:
    """
    Compare the parts of each group's completions.

    Args:
        completions: What is known of each completion, groups one behind the other.
        group: How many completions a group has.
        scale: What differences are divided by, as TRL's `scale_rewards`: the spread in the
            `group`, in the whole `batch`, or nothing (`none`).

    Returns:
        One comparison a group.
    """
    every = [value for each in completions for _, value in each]
    whole = _spread(every)
    return [
        _comparison(completions[first : first + group], scale, whole)
        for first in range(0, len(completions), group)
    ]


class Credit(NamedTuple):
    """
    A token's advantage, and why it has one by its place; None where it has none.
    """

    advantage: float
    cause: str | None


def credits_of(
    spans: Ranges,
    regions: Sequence[Region],
    comparison: Comparison,
    *,
    advantage: float,
    share: float,
    shift: int = 0,
) -> list[Credit]:
    """
    Give each token of a completion its credit.

    Args:
        spans: The characters of each token, in the decoded text.
        regions: The parts of the code, with their places in the completion's text.
        comparison: What they are worth in the group.
        advantage: The completion's own, which a token outside of the code has, and every
            token where no part is worth anything.
        share: How much of a token's credit goes by its place, 0 to 1.
        shift: Where in the decoded text the completion's text begins.

    Returns:
        One credit a token.
    """
    whole = Credit(advantage, None)
    worths = [comparison.credit(region) for region in regions]
    if not any(worths):
        share = 0.0
    found = [
        _credit(region, worth, advantage, share)
        for region, worth in zip(regions, worths, strict=True)
    ]
    return [
        whole if place is None else found[place]
        for place in _regions_of(spans, regions, shift)
    ]


def _credit(region: Region, worth: float, advantage: float, share: float) -> Credit:
    cause = region.ground.value if worth else ALIKE
    if region.mark is Mark.UNKNOWN:
        cause = UNKNOWN
    return Credit((1 - share) * advantage + share * worth, cause)


def _regions_of(
    spans: Ranges, regions: Sequence[Region], shift: int
) -> list[int | None]:
    """
    Say which region each token belongs to: the one that most of its characters are in, of
    equals the first.
    """
    places = sorted(
        (start + shift, stop + shift, index)
        for index, region in enumerate(regions)
        for start, stop in region.places
    )
    starts = [start for start, _, _ in places]
    found: list[int | None] = []
    for first, last in spans:
        # No two places overlap, so that the one before the token is the first in question.
        at = max(bisect_right(starts, first) - 1, 0)
        shares: dict[int, int] = {}
        while at < len(places) and places[at][0] < last:
            start, stop, index = places[at]
            inside = min(stop, last) - max(start, first)
            if inside > 0:
                shares[index] = shares.get(index, 0) + inside
            at += 1
        found.append(max(shares, key=shares.__getitem__, default=None))
    return found


def _value(region: Region) -> float | None:
    if region.mark is Mark.UNKNOWN:
        return None
    return float(region.mark is Mark.RIGHT)


def _comparison(completions: Sequence[Judged], scale: str, whole: float) -> Comparison:
    values: dict[Names, list[float]] = {}
    for each in completions:
        for names, value in each:
            values.setdefault(names, []).append(value)
    values[()] = [value for each in completions for _, value in each]
    pools = {}
    for names, pool in values.items():
        spread = _spread(pool)
        if spread:
            divisor = {"group": spread, "batch": whole}.get(scale)
            mean = statistics.fmean(pool)
            pools[names] = mean, 1.0 if divisor is None else divisor + EPSILON
    return Comparison(pools=pools)


def _spread(values: Sequence[float]) -> float:
    return statistics.stdev(values) if len(values) > 1 else 0.0
