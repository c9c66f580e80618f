"""Converts the compiler's bytes, lines and columns to character offsets."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from ..model import Span

Place = tuple[int, int]

_LINE_END = re.compile(rb"\n")
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*[0-9]", re.MULTILINE)


class Text:
    """A text and its bytes as the engine writes them: UTF-8, a lone surrogate as "?"."""

    def __init__(self, text: str) -> None:
        """Index the offsets of characters and lines."""
        self._text = text
        self._raw = text.encode("utf-8", "replace")
        self._starts: list[int] | None = None
        if len(self._raw) > len(text):
            sizes = (len(char.encode("utf-8", "replace")) for char in text)
            self._starts = list(accumulate(sizes, initial=0))
        self._directed = _DIRECTIVE.search(text) is not None
        self._lines = [0, *(found.end() for found in _LINE_END.finditer(self._raw))]

    def characters(self, start: int, stop: int) -> tuple[int, int]:
        """Return the characters that a range of bytes touches, clipped to the text."""
        start = min(max(start, 0), len(self._raw))
        stop = min(max(stop, 0), len(self._raw))
        if self._starts is None:
            return start, stop
        first = bisect_right(self._starts, start) - 1
        return first, max(first, bisect_left(self._starts, stop))

    def span(self, span: Span) -> tuple[int, int] | None:
        """Return the characters of a compiler's span.

        Returns None if a line directive changes the compiler's line numbers.
        """
        if self._directed or not 1 <= span.line <= span.end_line <= len(self._lines):
            return None
        start = self._lines[span.line - 1] + (span.column or 0)
        stop = self._end_of(span.end_line)
        if span.end_column is not None:
            stop = self._lines[span.end_line - 1] + span.end_column
        return self.characters(start, stop)

    def of_line(self, line: int) -> tuple[int, int]:
        """Return the characters of a line, from 1; (0, 0) if a directive changes line numbers."""
        if self._directed or not 1 <= line <= len(self._lines):
            return 0, 0
        return self.characters(self._lines[line - 1], self._end_of(line))

    def trimmed(self, start: int, stop: int) -> tuple[int, int]:
        """Return the range without whitespace at both ends."""
        inside = self._text[start:stop]
        start += len(inside) - len(inside.lstrip())
        return start, start + len(inside.strip())

    def line(self, character: int) -> int:
        """Return the line number, from 1, of a character."""
        byte = character if self._starts is None else self._starts[character]
        return bisect_right(self._lines, byte)

    def _end_of(self, line: int) -> int:
        return self._lines[line] - 1 if line < len(self._lines) else len(self._raw)


class Segment(NamedTuple):
    """A range of characters whose innermost part is `part`."""

    start: int
    stop: int
    part: int


class Layout(NamedTuple):
    """A text split into segments, and the enclosing part of each part."""

    segments: list[Segment]
    around: dict[int, int]

    def at(self, character: int) -> Segment | None:
        """Return the segment that contains a character."""
        before = bisect_right(self.segments, character, key=lambda each: each.start)
        segment = self.segments[before - 1] if before else None
        return segment if segment and character < segment.stop else None

    def outwards(self, part: int) -> Iterator[int]:
        """Yield a part and its enclosing parts, innermost first."""
        yield part
        while part in self.around:
            part = self.around[part]
            yield part


def layout(spans: Iterable[Place]) -> Layout:
    """Split a text at the boundaries of its parts, given by their character spans.

    Text outside all parts is left out. A part that extends beyond the one it starts in is cut off
    at its end.
    """
    order = sorted(
        (start, -stop, place) for place, (start, stop) in enumerate(spans) if start < stop
    )
    found = Layout([], {})
    # Open parts, each as (end, index).
    inside: list[tuple[int, int]] = []
    at = 0

    def leave(until: int) -> None:
        nonlocal at
        while inside and inside[-1][0] <= until:
            stop, place = inside.pop()
            if at < stop:
                found.segments.append(Segment(at, stop, place))
            at = max(at, stop)

    for start, stop, place in order:
        leave(start)
        if inside:
            last, outer = inside[-1]
            found.around[place] = outer
            if at < start:
                found.segments.append(Segment(at, start, outer))
            inside.append((min(-stop, last), place))
        else:
            inside.append((-stop, place))
        at = start
    leave(inside[0][0] if inside else 0)
    return found
