"""
A text painted over: which stretch of it is marked by what, the last paint on top.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..model import Ground

__all__ = ["Painted", "merged", "over"]


class Painted(NamedTuple):
    """
    A stretch of the code, in characters, and what it is marked by; `part` is the one it
    belongs to, None for none, and `lost` what it was to define if it does not parse;
    `entered`, of a branch, is how many checks entered it that passed, and that did not.
    """

    start: int
    stop: int
    ground: Ground
    part: int | None
    lost: tuple[str, ...] = ()
    entered: tuple[int, int] | None = None


def over(painted: Iterable[Painted], top: Painted) -> list[Painted]:
    """
    Paint over what lies below; what is on top keeps the part that it begins in, unless it
    was to define something itself.
    """
    found: list[Painted] = []
    part, lost = top.part, top.lost
    for each in painted:
        low, high = max(each.start, top.start), min(each.stop, top.stop)
        if low >= high:
            found.append(each)
            continue
        part = each.part if part is None and not top.lost else part
        lost = lost or each.lost
        if each.start < low:
            found.append(each._replace(stop=low))
        if high < each.stop:
            found.append(each._replace(start=high))
    return sorted([*found, top._replace(part=part, lost=lost)])


def merged(painted: Sequence[Painted]) -> Iterator[Painted]:
    """
    Join what touches and says the same.
    """
    last: Painted | None = None
    for each in painted:
        if last and last.stop == each.start and last[2:] == each[2:]:
            last = last._replace(stop=each.stop)
            continue
        if last:
            yield last
        last = each
    if last:
        yield last
