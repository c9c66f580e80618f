"""Overlays marks on a text: later marks hide earlier ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..model import Ground


class Painted(NamedTuple):
    """A range of characters with its mark.

    Attributes:
        part: The part of the code that the range belongs to; None for none.
        lost: The names that it should define, if it does not parse.
        entered: For a branch, the number of passing and of failing checks that entered it.
    """

    start: int
    stop: int
    ground: Ground
    part: int | None
    lost: tuple[str, ...] = ()
    entered: tuple[int, int] | None = None


def over(painted: Iterable[Painted], tops: Iterable[Painted]) -> Iterable[Painted]:
    """Return marks, which are sorted and do not overlap, with `tops` laid over them.

    A top mark takes over the part in which it begins, unless it has names in `lost`.
    """
    for row in _rows(tops):
        painted = _over(painted, row)
    return painted


def _rows(tops: Iterable[Painted]) -> Iterator[list[Painted]]:
    """Yield groups of top marks that do not overlap, so that each group takes one pass."""
    row: list[Painted] = []
    for top in tops:
        if row and top.start < row[-1].stop:
            yield row
            row = []
        row.append(top)
    if row:
        yield row


def _over(painted: Iterable[Painted], row: Iterable[Painted]) -> list[Painted]:
    """Return the pieces with a row of pieces painted over them."""
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
    """Yield the marks with adjacent ranges of the same mark joined."""
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
