"""Where the characters of extracted code stand in the completion that they were taken from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

Ranges = Sequence[tuple[int, int]]
"""Parts of a text: the first character of each and the one behind it."""


class Piece(NamedTuple):
    """A stretch of a text that stands as it is in another, at `origin`; None for what was put
    in and stands nowhere.
    """

    start: int
    stop: int
    origin: int | None


class Edit(NamedTuple):
    """What stands from `start` up to `stop` becomes `new`."""

    start: int
    stop: int
    new: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceMap:
    """All of a text as pieces, in their order and without a gap."""

    pieces: tuple[Piece, ...]

    def places(self, start: int, stop: int) -> tuple[tuple[int, int], ...]:
        """Find where the characters from `start` up to `stop` stand in the other text: ranges
        that do not touch, in the order of the code.  What was put in is in none.
        """
        found: list[tuple[int, int]] = []
        for piece in cut(self, start, stop):
            if piece.origin is None:
                continue
            begin, end = piece.origin, piece.origin + piece.stop - piece.start
            if found and found[-1][1] == begin:
                begin = found.pop()[0]
            found.append((begin, end))
        return tuple(found)

    def after(self, earlier: SourceMap) -> SourceMap:
        """Follow the pieces through another step: `earlier` says where the text that they
        point into comes from.
        """
        return joined(
            part
            for piece in self.pieces
            for part in (
                [piece]
                if piece.origin is None
                else cut(earlier, piece.origin, piece.origin + piece.stop - piece.start)
            )
        )


def kept(ranges: Ranges) -> SourceMap:
    """Describe a text made of parts of another, one behind the other."""
    return joined(Piece(start, stop, start) for start, stop in ranges)


def cut(whole: SourceMap, start: int, stop: int) -> Iterator[Piece]:
    """Yield the pieces between two places."""
    first = bisect_right(whole.pieces, start, key=attrgetter("start")) - 1
    for place in range(max(first, 0), len(whole.pieces)):
        piece = whole.pieces[place]
        if piece.start >= stop:
            break
        low, high = max(piece.start, start), min(piece.stop, stop)
        if low < high:
            origin = piece.origin
            moved = None if origin is None else origin + low - piece.start
            yield Piece(low, high, moved)


def joined(pieces: Iterable[Piece]) -> SourceMap:
    """Put pieces one behind the other; those that are so in the other text, too, become one."""
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
    return SourceMap(pieces=tuple(found))


def edited(text: str, edits: Sequence[Edit]) -> str:
    """Make edits that stand in their order and do not overlap."""
    pieces: list[str] = []
    done = 0
    for edit in edits:
        pieces += text[done : edit.start], edit.new
        done = edit.stop
    return "".join([*pieces, text[done:]])


def map_of(text: str, edits: Sequence[Edit]) -> SourceMap:
    """Tell where the characters of the edited text stand: one that others were written for stands
    where these begin, and whatever else was put in nowhere.
    """
    pieces: list[Piece] = []
    done = 0
    for edit in edits:
        is_written = len(edit.new) == 1 and edit.start < edit.stop
        pieces.append(Piece(0, edit.start - done, done))
        pieces.append(Piece(0, len(edit.new), edit.start if is_written else None))
        done = edit.stop
    return joined([*pieces, Piece(0, len(text) - done, done)])
