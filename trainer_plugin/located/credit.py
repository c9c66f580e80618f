"""What the parts of a completion's code are worth beside the same parts of the other
completions of its group, and which token gets what of it.

A definition is compared with those of the same name, and a part without a name with all
parts of the group: right is 1, wrong is 0, and the difference from the mean is divided as
the trainer divides its own advantages.  What is unknown is worth nothing.

Of a definition that does not type a token has its part: the sum of the weights of those
places that it lies in where the mistake may be.
"""

from __future__ import annotations

import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from ocaml_reward import Breakdown, Ground, Mark, Region
from ocaml_reward.model import Blame, Span
from ocaml_reward.scoring.places import Text

UNKNOWN: Final = "unknown"
ALIKE: Final = "alike"
CAUSES: Final = (
    *(ground.value for ground in Ground if ground.mark is not Mark.UNKNOWN),
    UNKNOWN,
    ALIKE,
)
"""Why a token has credit by its place; and why one in a part of the code has none, as nothing
is known of the part, or it differs from no other of the group.
"""

EPSILON: Final = 1e-4
"""What TRL adds to a spread before it divides by it."""

Names = tuple[str, ...]

Judged = tuple[tuple[Names, float], ...]
"""What one completion's parts are known to be, each with its names: 1 right, 0 wrong."""

Ranges = Sequence[tuple[int, int]]

Suspected = Sequence[tuple[int, int, float]]
"""Ranges of characters in the completion's text where the mistake may be, and how likely."""

OF_ERRORS: Final = (Ground.ERROR, Ground.HOLDS_ERROR)
"""What code that does not type is marked by where it holds a mistake."""


def judged(regions: Iterable[Region]) -> Judged:
    """List what is known of a completion's parts: one entry for all of one name, wrong if any
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
    """What right and wrong are worth in one group.

    Attributes:
        pools: By names, the mean of what is known of such parts, and what a difference
            from it is divided by; those without names stand for all parts.
    """

    pools: Mapping[Names, tuple[float, float]]

    def credit(self, region: Region) -> float:
        """Return what a region is worth; 0 where it is unknown, or differs from no other."""
        value = _value(region)
        pool = self.pools.get(region.names)
        if value is None or pool is None:
            return 0.0
        mean, spread = pool
        return (value - mean) / spread


def compared(
    completions: Sequence[Judged], *, group: int, scale: str
) -> list[Comparison]:
    """Compare the parts of each group's completions.

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


def suspected(breakdown: Breakdown) -> tuple[tuple[int, int, float], ...]:
    """Say where in the completion's text the mistakes of code that does not type may be, and how
    likely each is there.

    All of a definition that holds an error is as likely where no such place is in it.
    """
    text = Text(breakdown.code)
    spans = [
        (*span, each.weight)
        for each in breakdown.blame or ()
        if (span := text.span(_span(each)))
    ]
    regions = [each for each in breakdown.regions or () if each.ground in OF_ERRORS]
    found = [(region, list(_within(region, spans))) for region in regions]
    told = {region.names for region, places in found if places}
    return tuple(
        place
        for region, places in found
        for place in (
            places
            if region.names in told
            else ((start, stop, 1.0) for start, stop in region.places)
        )
    )


def _span(place: Blame) -> Span:
    return Span(
        line=place.line,
        end_line=place.end_line,
        column=place.column,
        end_column=place.end_column,
    )


def _within(
    region: Region, spans: Iterable[tuple[int, int, float]]
) -> Iterator[tuple[int, int, float]]:
    """Yield where in the completion's text what a region has of some spans of the code stands."""
    stands = [at for start, stop in region.places for at in range(start, stop)]
    for start, stop, weight in spans:
        first, last = max(start, region.start), min(stop, region.stop)
        inside = stands[first - region.start : max(last - region.start, 0)]
        if first < last and inside:
            yield inside[0], inside[-1] + 1, weight


class Credit(NamedTuple):
    """A token's advantage, and why it has one by its place; None where it has none."""

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
    suspected: Suspected | None = None,
) -> list[Credit]:
    """Give each token of a completion its credit.

    Args:
        spans: The characters of each token, in the decoded text.
        regions: The parts of the code, with their places in the completion's text.
        comparison: What they are worth in the group.
        advantage: The completion's own, which a token outside of the code has, and every
            token where no part is worth anything.
        share: How much of a token's credit goes by its place, 0 to 1.
        shift: Where in the decoded text the completion's text begins.
        suspected: Where the mistakes of code that does not type may be; None where all that
            holds an error is as likely.

    Returns:
        One credit a token.
    """
    whole = Credit(advantage, None)
    places = None if suspected is None else _Places(suspected)
    worths = [comparison.credit(region) for region in regions]
    if not any(worths):
        share = 0.0
    found = []
    for span, at in zip(spans, _regions_of(spans, regions, shift), strict=True):
        if at is None:
            found.append(whole)
            continue
        region, worth = regions[at], worths[at]
        cause = region.ground.value if worth else ALIKE
        if region.ground in OF_ERRORS and places is not None:
            part = places.weight(span[0] - shift, span[1] - shift)
            worth *= part
            cause = cause if part else UNKNOWN
        if region.mark is Mark.UNKNOWN:
            cause = UNKNOWN
        found.append(Credit((1 - share) * advantage + share * worth, cause))
    return found


class _Places:
    """Places with their weights, in order, and how far any of those up to each reaches."""

    def __init__(self, suspected: Suspected) -> None:
        self._places = sorted(suspected)
        self._reaching = list(accumulate((stop for _, stop, _ in self._places), max))

    def weight(self, first: int, last: int) -> float:
        """Sum up the weights of the places that a token has a character in."""
        begin = bisect_right(self._reaching, first)
        end = bisect_left(self._places, (last,))
        near = self._places[begin:end]
        return min(1.0, sum(weight for _, stop, weight in near if first < stop))


def _regions_of(
    spans: Ranges, regions: Sequence[Region], shift: int
) -> list[int | None]:
    """Say which region each token belongs to: the one that most of its characters are in, of
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
