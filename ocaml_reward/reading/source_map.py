"""Maps the characters of extracted code to the completion that they were taken from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

Ranges = Sequence[tuple[int, int]]
"""Ranges of a text, as (start, end)."""


class Piece(NamedTuple):
    """A piece of a text copied from `origin` in another; None for inserted text."""

    start: int
    stop: int
    origin: int | None


class Edit(NamedTuple):
    """Replaces the text from `start` to `stop` with `new`."""

    start: int
    stop: int
    new: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceMap:
    """A whole text as pieces, in order and without gaps."""

    pieces: tuple[Piece, ...]

    def places(self, start: int, stop: int) -> tuple[tuple[int, int], ...]:
        """Return the ranges in the other text of the characters from `start` to `stop`.

        The ranges are in the order of the code and do not touch; inserted text has none.
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
        """Compose with an earlier step: `earlier` maps the text that the pieces refer to."""
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
    """Return the map of a text made of ranges of another."""
    return joined(Piece(start, stop, start) for start, stop in ranges)


def cut(whole: SourceMap, start: int, stop: int) -> Iterator[Piece]:
    """Yield the pieces between two offsets."""
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
    """Concatenate pieces, merging those that are adjacent in the other text, too."""
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
    """Apply edits, which are sorted and do not overlap."""
    pieces: list[str] = []
    done = 0
    for edit in edits:
        pieces += text[done : edit.start], edit.new
        done = edit.stop
    return "".join([*pieces, text[done:]])


def keeping(text: str, groups: Sequence[Ranges]) -> list[Edit]:
    """Return the edits that remove all text but these ranges, and put a line end between groups."""
    edits: list[Edit] = []
    done = 0
    for number, group in enumerate(groups):
        for place, (start, stop) in enumerate(group):
            edits.append(Edit(done, start, "\n" if number and not place else ""))
            done = stop
    return [*edits, Edit(done, len(text))]


def inserted_ranges(text: str, edits: Sequence[Edit]) -> Ranges:
    """Return the ranges of the edited text that edits inserted."""
    pieces = source_map_of(text, edits).pieces
    return tuple((piece.start, piece.stop) for piece in pieces if piece.origin is None)


def byte_ranges(text: str, ranges: Ranges) -> tuple[tuple[int, int], ...]:
    """Convert ranges of characters to ranges of the text's UTF-8 bytes."""
    found: list[int] = []
    done = place = 0
    for edge in (edge for each in ranges for edge in each):
        place += len(text[done:edge].encode("utf-8", "replace"))
        done = edge
        found.append(place)
    return tuple(zip(found[::2], found[1::2], strict=True))


def source_map_of(text: str, edits: Sequence[Edit]) -> SourceMap:
    """Return the map of an edited text."""
    pieces: list[Piece] = []
    done = 0
    for edit in edits:
        pieces += Piece(done, edit.start, done), Piece(0, len(edit.new), None)
        done = edit.stop
    return joined([*pieces, Piece(done, len(text), done)])
