"""Maps the characters of extracted code to the completion that they were taken from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

Ranges = Sequence[tuple[int, int]]
"""Ranges of a text, as (start, end)."""


class Edit(NamedTuple):
    """Replaces the text from `start` to `stop` with `new`."""

    start: int
    stop: int
    new: str = ""


class Copied(NamedTuple):
    """The ranges of a text that are copied to another, and where each begins there."""

    ranges: Ranges
    starts: Sequence[int]

    def places(self, parts: Ranges) -> Ranges:
        """Return the ranges in the first text of parts of the other.

        The ranges are in the order of the parts and do not touch; inserted text has none.
        """
        found: list[tuple[int, int]] = []
        for start, stop in parts:
            first = bisect_right(self.starts, start) - 1
            for number in range(max(first, 0), len(self.ranges)):
                (begin, end), place = self.ranges[number], self.starts[number]
                if place >= stop:
                    break
                low, high = begin + max(start - place, 0), min(begin + stop - place, end)
                if low < high:
                    low = found.pop()[0] if found and found[-1][1] == low else low
                    found.append((low, high))
        return found


class SourceMap(NamedTuple):
    """The steps from a completion to its code, the last one first."""

    steps: Sequence[Copied]

    def places(self, start: int, stop: int) -> tuple[tuple[int, int], ...]:
        """Return the ranges in the completion of the code from `start` to `stop`."""
        found: Ranges = [(start, stop)]
        for step in self.steps:
            found = step.places(found)
        return tuple(found)


def together(ranges: Ranges) -> Copied:
    """Return what is copied to a text that consists of ranges of another."""
    return Copied(ranges, list(accumulate((stop - start for start, stop in ranges), initial=0)))


def copied(text: str, edits: Sequence[Edit]) -> Copied:
    """Return what is copied to the edited text."""
    ranges: list[tuple[int, int]] = []
    starts: list[int] = []
    place = done = 0
    for edit in (*edits, Edit(len(text), len(text))):
        ranges.append((done, edit.start))
        starts.append(place)
        place += edit.start - done + len(edit.new)
        done = edit.stop
    return Copied(ranges, starts)


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


def inserted_ranges(edits: Sequence[Edit]) -> Ranges:
    """Return the ranges of the edited text that edits inserted."""
    found: list[tuple[int, int]] = []
    moved = 0
    for edit in edits:
        start, size = edit.start + moved, len(edit.new)
        found += [(start, start + size)] if size else []
        moved += size - (edit.stop - edit.start)
    return tuple(found)


def byte_ranges(text: str, ranges: Ranges) -> tuple[tuple[int, int], ...]:
    """Convert ranges of characters to ranges of the text's UTF-8 bytes."""
    found: list[int] = []
    done = place = 0
    for edge in (edge for each in ranges for edge in each):
        place += len(text[done:edge].encode("utf-8", "replace"))
        done = edge
        found.append(place)
    return tuple(zip(found[::2], found[1::2], strict=True))
