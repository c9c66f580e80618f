"""Computes the credit of each token from the regions of its completion's code.

A definition is compared with those of the same name in the group, and a part without a name with
all parts of the group, where each completion weighs the same. Right counts 1 and wrong 0; the
difference from the mean is scaled as the trainer scales its own advantages. Unknown parts get no
credit.

In an ill-typed definition, a token's credit is multiplied by the sum of the weights of the
candidate error locations that contain it.
"""

from __future__ import annotations

import math
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
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
"""The causes of a token's credit; the last one is that its part is unknown, or that it differs from
no other of the group.
"""

EPSILON: Final = 1e-4
"""TRL adds this to a standard deviation before it divides by it."""

Names = tuple[str, ...]

KnownParts = tuple[tuple[Names, float], ...]
"""The known parts of one completion, each with its names: 1 right, 0 wrong."""

Ranges = Sequence[tuple[int, int]]

ErrorCandidates = Sequence[tuple[int, int, float]]
"""Candidate error locations: ranges of characters of the completion's text, with weights."""

ERROR_GROUNDS: Final = (Ground.ERROR, Ground.HOLDS_ERROR)
"""The grounds of regions that hold a mistake in ill-typed code."""


class Part(NamedTuple):
    """A region of the code, as far as the credit of its tokens depends on it."""

    ground: Ground
    names: Names


def known_parts(regions: Iterable[Region | Part]) -> KnownParts:
    """Return the known parts of a completion.

    There is one entry per name, which is wrong if any region of that name is, and one for each
    region without a name.
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
    """The credit of right and wrong parts in one group.

    Attributes:
        pools: By names, the mean over such parts, and the divisor of differences from it; the pool
            without names is over all parts.
    """

    pools: Mapping[Names, tuple[float, float]]

    def credit(self, region: Region | Part) -> float:
        """Return a region's credit; 0 if it is unknown or differs from no other."""
        value = _value(region)
        pool = self.pools.get(region.names)
        if value is None or pool is None:
            return 0.0
        mean, divisor = pool
        return (value - mean) / divisor


def compare_groups(
    completions: Sequence[KnownParts], groups: Sequence[Hashable], *, scale: str
) -> dict[Hashable, Comparison]:
    """Compare the parts of each group's completions.

    Args:
        completions: The known parts of each completion.
        groups: The group of each completion.
        scale: The divisor of differences, as in TRL's `scale_rewards`: the standard deviation in
            the `group`, in the whole `batch`, or `none`.

    Returns:
        The comparison of each group.
    """
    _, whole = _over_completions(completions)
    members: dict[Hashable, list[KnownParts]] = {}
    for group, each in zip(groups, completions, strict=True):
        members.setdefault(group, []).append(each)
    return {group: _comparison(found, scale, whole) for group, found in members.items()}


def error_candidates(breakdown: Breakdown) -> tuple[tuple[int, int, float], ...]:
    """Return the candidate error locations in an ill-typed completion's text, with weights.

    If a definition with an error contains no candidate, all of it is one.
    """
    text = Text(breakdown.code)
    spans = [
        (*span, each.weight) for each in breakdown.blame or () if (span := text.span(_span(each)))
    ]
    regions = [each for each in breakdown.regions or () if each.ground in ERROR_GROUNDS]
    found = [(region, list(_inside(region, spans))) for region in regions]
    located_names = {region.names for region, places in found if places}
    return tuple(
        place
        for region, places in found
        for place in (
            places
            if region.names in located_names
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


def _inside(
    region: Region, spans: Iterable[tuple[int, int, float]]
) -> Iterator[tuple[int, int, float]]:
    """Yield the ranges in the completion's text of those parts of `spans` that lie in a region."""
    stands = [at for start, stop in region.places for at in range(start, stop)]
    for start, stop, weight in spans:
        first, last = max(start, region.start), min(stop, region.stop)
        inside = stands[first - region.start : max(last - region.start, 0)]
        if first < last and inside:
            yield inside[0], inside[-1] + 1, weight


class TokenPlace(NamedTuple):
    """The index of the part that a token belongs to, None outside of the code; and the share of the
    part's credit that the token gets.
    """

    part: int | None = None
    share: float = 1.0


def token_places(
    spans: Ranges,
    regions: Sequence[Region],
    *,
    shift: int = 0,
    candidates: ErrorCandidates | None = None,
) -> list[TokenPlace]:
    """Return the place of each token of a completion.

    Args:
        spans: The characters of each token, in the decoded text.
        regions: The regions of the code, with their places in the completion's text.
        shift: Offset of the completion's text in the decoded text.
        candidates: The candidate error locations in ill-typed code; None if all of a wrong
            definition is equally likely.
    """
    places = None if candidates is None else _Places(candidates)
    found = []
    for (first, last), at in zip(spans, _regions_of(spans, regions, shift), strict=True):
        located = at is not None and regions[at].ground in ERROR_GROUNDS
        share = places.weight(first - shift, last - shift) if places and located else 1.0
        found.append(TokenPlace(at, share))
    return found


class Credit(NamedTuple):
    """A token's advantage, and the cause of its regional credit; None if it has none."""

    advantage: float
    cause: str | None


def token_credits(
    places: Iterable[TokenPlace],
    parts: Sequence[Region | Part],
    comparison: Comparison,
    *,
    advantage: float,
    share: float,
) -> list[Credit]:
    """Compute the credit of each token of a completion.

    Args:
        places: The place of each token.
        parts: The parts of the code that the places refer to.
        comparison: The comparison within the group.
        advantage: The completion's own advantage. A token outside of the code has it, and all
            tokens if no part has credit.
        share: The share of a token's credit that depends on its part, 0 to 1.

    Returns:
        One credit per token.
    """
    whole = Credit(advantage, None)
    worths = [comparison.credit(part) for part in parts]
    if not any(worths):
        share = 0.0
    found = []
    for at, of_part in places:
        if at is None:
            found.append(whole)
            continue
        worth = worths[at] * of_part
        cause = parts[at].ground.value if worths[at] else ALIKE
        if not of_part or parts[at].ground.mark is Mark.UNKNOWN:
            cause = UNKNOWN
        found.append(Credit((1 - share) * advantage + share * worth, cause))
    return found


class _Places:
    """Sorted places with their weights, and the maximum end of the places up to each."""

    def __init__(self, candidates: ErrorCandidates) -> None:
        self._places = sorted(candidates)
        self._reaching = list(accumulate((stop for _, stop, _ in self._places), max))

    def weight(self, first: int, last: int) -> float:
        """Sum the weights of the places that contain a character of a token."""
        begin = bisect_right(self._reaching, first)
        end = bisect_left(self._places, (last,))
        near = self._places[begin:end]
        return min(1.0, sum(weight for _, stop, weight in near if first < stop))


def _regions_of(spans: Ranges, regions: Sequence[Region], shift: int) -> list[int | None]:
    """Return the region of each token: the one that most of its characters are in, or the first
    such.
    """
    places = sorted(
        (start + shift, stop + shift, index)
        for index, region in enumerate(regions)
        for start, stop in region.places
    )
    starts = [start for start, _, _ in places]
    found: list[int | None] = []
    for first, last in spans:
        # Places do not overlap, so the first candidate is the one that starts before the token.
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


def _value(part: Region | Part) -> float | None:
    mark = part.ground.mark
    return None if mark is Mark.UNKNOWN else float(mark is Mark.RIGHT)


def _comparison(completions: Sequence[KnownParts], scale: str, whole: float) -> Comparison:
    values: dict[Names, list[float]] = {}
    for each in completions:
        for names, value in each:
            if names:
                values.setdefault(names, []).append(value)
    found = {names: (statistics.fmean(pool), spread(pool)) for names, pool in values.items()}
    found[()] = _over_completions(completions)
    pools = {
        names: (mean, divisor(scale, own, whole)) for names, (mean, own) in found.items() if own
    }
    return Comparison(pools=pools)


def _over_completions(completions: Sequence[KnownParts]) -> tuple[float, float]:
    """Return the mean of all known parts and their standard deviation; 0 and 0 without any.

    Each completion weighs the same: one with hundreds of parts would otherwise decide both, and
    with a deviation near 0 a single part of another would count twenty times.
    """
    pools = [[value for _, value in each] for each in completions if each]
    count = sum(map(len, pools))
    if count < 2:
        return 0.0, 0.0
    mean = statistics.fmean(map(statistics.fmean, pools))
    variance = statistics.fmean(
        statistics.fmean((value - mean) ** 2 for value in pool) for pool in pools
    )
    return mean, math.sqrt(variance * count / (count - 1))


def divisor(scale: str, group: float, batch: float) -> float:
    """Return what TRL divides differences by, given the spreads in a group and in the batch.

    Raises ValueError for an unknown scale.
    """
    divisors = {"group": group + EPSILON, "batch": batch + EPSILON, "none": 1.0}
    if scale not in divisors:
        raise ValueError(f"scale: {', '.join(divisors)}, found {scale}")
    return divisors[scale]


def spread(values: Sequence[float]) -> float:
    """Return the standard deviation of a sample; 0 for less than two values."""
    return statistics.stdev(values) if len(values) > 1 else 0.0
