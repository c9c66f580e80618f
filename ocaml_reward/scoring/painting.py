"""
A text painted over: which stretch of it is marked by what, the last paint on top.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..model import Ground

__all__ = ["Entered", "Painted", "merged", "over"]


class Entered(NamedTuple):
    """
    A branch: its number in the part that it begins in, and where that says what it is marked
    by, how many checks entered it that passed, and that did not.
    """

    number: int
    counts: tuple[int, int] | None


class Painted(NamedTuple):
    """
    A stretch of the code, in characters, and what it is marked by; `part` is the one it
    belongs to, None for none, and `lost` what it was to define if it does not parse;
    `branch` is the innermost that it is in, where that has none in it.
    """

    start: int
    stop: int
    ground: Ground
    part: int | None
    lost: tuple[str, ...] = ()
    branch: Entered | None = None


def over(painted: Iterable[Painted], top: Painted) -> list[Painted]:
    """
    Paint over what lies below; what is on top keeps the part that it begins in.
    """
    found: list[Painted] = []
    part, lost, branch = top.part, top.lost, top.branch
    for each in painted:
        low, high = max(each.start, top.start), min(each.stop, top.stop)
        if low >= high:
            found.append(each)
            continue
        part = each.part if part is None else part
        branch = branch or each.branch
        lost = lost or each.lost
        if each.start < low:
            found.append(each._replace(stop=low))
        if high < each.stop:
            found.append(each._replace(start=high))
    return sorted([*found, top._replace(part=part, lost=lost, branch=branch)])


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
