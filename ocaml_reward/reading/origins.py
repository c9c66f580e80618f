"""
Where the characters of extracted code stand in the completion that they were taken from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

__all__ = ["Origins", "Piece", "Ranges", "cut", "joined", "kept"]

Ranges = Sequence[tuple[int, int]]
"""
Parts of a text: the first character of each and the one behind it.
"""


class Piece(NamedTuple):
    """
    A stretch of a text that stands as it is in another, at `origin`; None for what was put
    in and stands nowhere.
    """

    start: int
    stop: int
    origin: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Origins:
    """
    All of a text as pieces, in their order and without a gap.
    """

    pieces: tuple[Piece, ...]

    def places(self, start: int, stop: int) -> tuple[tuple[int, int], ...]:
        """
        Find where the characters from `start` up to `stop` stand in the other text: ranges
        that do not touch, in the order of the code.  What was put in is in none.
        """
        found: list[tuple[int, int]] = []
        first = max(bisect_right(self.pieces, start, key=attrgetter("start")) - 1, 0)
        for at in range(first, len(self.pieces)):
            piece = self.pieces[at]
            if piece.start >= stop:
                break
            low, high = max(piece.start, start), min(piece.stop, stop)
            if piece.origin is None or low >= high:
                continue
            begin = piece.origin + low - piece.start
            if found and found[-1][1] == begin:
                begin, _ = found.pop()[0], None
            found.append((begin, piece.origin + high - piece.start))
        return tuple(found)

    def after(self, earlier: Origins) -> Origins:
        """
        Follow the pieces through another step: `earlier` says where the text that they
        point into comes from.
        """
        if len(earlier.pieces) == 1 and earlier.pieces[0].origin == 0:
            # It is the beginning of the other text, as it stands.
            return self
        return joined(
            part
            for piece in self.pieces
            for part in (
                [piece]
                if piece.origin is None
                else cut(earlier, piece.origin, piece.origin + piece.stop - piece.start)
            )
        )


def kept(ranges: Ranges) -> Origins:
    """
    Describe a text made of parts of another, one behind the other.
    """
    return joined(Piece(start, stop, start) for start, stop in ranges)


def cut(origins: Origins, start: int, stop: int) -> Iterator[Piece]:
    """
    Yield the pieces between two places.
    """
    first = bisect_right(origins.pieces, start, key=attrgetter("start")) - 1
    for place in range(max(first, 0), len(origins.pieces)):
        piece = origins.pieces[place]
        if piece.start >= stop:
            break
        low, high = max(piece.start, start), min(piece.stop, stop)
        if low < high:
            origin = piece.origin
            moved = None if origin is None else origin + low - piece.start
            yield Piece(low, high, moved)


def joined(pieces: Iterable[Piece]) -> Origins:
    """
    Put pieces one behind the other; those that are so in the other text, too, become one.
    """
    found: list[Piece] = []
    place = begins = 0
    follows: int | None = None
    for start, stop, origin in pieces:
        length = stop - start
        if length <= 0:
            continue
        if origin is not None and origin == follows:
            found[-1] = Piece(begins, place + length, found[-1].origin)
        else:
            begins = place
            found.append(Piece(place, place + length, origin))
        place += length
        follows = None if origin is None else origin + length
    return Origins(pieces=tuple(found))
