"""A text painted over: which stretch of it is marked by what, the last paint on top."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..model import Ground


class Painted(NamedTuple):
    """A stretch of the code, in characters, and what it is marked by; `part` is the one it
    belongs to, None for none, and `lost` what it was to define if it does not parse;
    `entered`, of a branch, is how many checks entered it that passed, and that did not.
    """

    start: int
    stop: int
    ground: Ground
    part: int | None
    lost: tuple[str, ...] = ()
    entered: tuple[int, int] | None = None


def over(painted: Iterable[Painted], tops: Iterable[Painted]) -> Iterable[Painted]:
    """Paint over what lies below, which is in order and does not overlap; what is on top keeps
    the part that it begins in, unless it was to define something itself.
    """
    for row in _rows(tops):
        painted = _over(painted, row)
    return painted


def _rows(tops: Iterable[Painted]) -> Iterator[list[Painted]]:
    """Gather what lies in a row, so that it is painted in one go."""
    row: list[Painted] = []
    for top in tops:
        if row and top.start < row[-1].stop:
            yield row
            row = []
        row.append(top)
    if row:
        yield row


def _over(painted: Iterable[Painted], row: Iterable[Painted]) -> list[Painted]:
    found: list[Painted] = []
    below = deque(painted)
    for top in row:
        while below and below[0].stop <= top.start:
            found.append(below.popleft())
        if below and below[0].start < top.start:
            found.append(below[0]._replace(stop=top.start))
        part, lost = top.part, top.lost
        while below and below[0].start < top.stop:
            each = below.popleft()
            part = each.part if part is None and not top.lost else part
            lost = lost or each.lost
            if top.stop < each.stop:
                below.appendleft(each._replace(start=top.stop))
                break
        found.append(top._replace(part=part, lost=lost))
    return [*found, *below]


def merged(painted: Iterable[Painted]) -> Iterator[Painted]:
    """Join what touches and says the same."""
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
