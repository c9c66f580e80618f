"""The text of one report, sorted into message, hint and places named inside the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import dropwhile

from ..model import SubLocation
from .lines import Place, indentation, is_excerpt, read_hint, read_place

_HINT_WIDTH = len("Hint: ")


@dataclass(frozen=True, kw_only=True, slots=True)
class Body:
    """What a report says, without the margins it was printed with."""

    message: str
    hint: str | None
    sub: tuple[SubLocation, ...]


@dataclass(slots=True)
class _Part:
    """Lines under one left margin; `width` bounds the margin, None if nothing does."""

    lines: list[str]
    width: int | None

    def text(self) -> str:
        """Return the lines as one text without their margin.

        The first one follows a label and has none of its own; where it is blank, the
        next one tells how far all were indented. (ucsd-progsys/yunounderstand-data pair00738)
        """
        first, *rest = self.lines
        margins = [indentation(line) for line in rest if line.strip()]
        if self.width is not None and first.strip():
            margin = min([self.width, *margins])
        else:
            margin = margins[0] if margins else 0
        shifted = (line[min(margin, indentation(line)) :] for line in rest)
        return "\n".join(line.rstrip() for line in (first, *shifted)).strip()


@dataclass(slots=True)
class _Sorter:
    """Hands each line to the part it belongs to."""

    main: _Part
    hints: list[_Part] = field(default_factory=list)
    sub: list[SubLocation] = field(default_factory=list)

    def take(self, line: str) -> None:
        """LINE = HINT | TEXT; a hint runs to the end of the report, or to the next hint"""
        hint = read_hint(line)
        if hint is not None:
            width = indentation(line) + _HINT_WIDTH
            self.hints.append(_Part(lines=[hint], width=width))
        else:
            (self.hints[-1] if self.hints else self.main).lines.append(line)


def settle(lines: Sequence[str], *, width: int | None) -> Body:
    """Return the message, hint and sub-messages in the lines of a report.

    `width` is the length of the label before the first line, in columns: following
    lines lose at most so much of their common margin, so that what an author indented
    further stays indented.  None bounds nothing.
    """
    sorter = _Sorter(main=_Part(lines=[lines[0]], width=width))
    at = 1
    while at < len(lines):
        line = lines[at]
        at += 1
        place = read_place(line.lstrip(" \t"))
        text = "" if place is None else place.text
        # A long file name pushes "Expected declaration" onto a line of its own.
        # (ocaml/ocaml testsuite/tests/typing-sigsubst/test_locations.compilers.reference)
        if place is not None and not text and _is_deeper(lines, at):
            text = lines[at].strip()
            at += 1
        if place is None or not text or read_hint(text) is not None:
            sorter.take(line)
        else:
            sorter.sub.append(sub_location(place, text))
    hints = [part.text() for part in sorter.hints]
    return Body(
        message=sorter.main.text(),
        hint="\n".join(filter(None, hints)) or None,
        sub=tuple(sorter.sub),
    )


def sub_location(place: Place, message: str) -> SubLocation:
    """Name a second place; it always has a file, and `_none_` is the compiler's own word."""
    file = "_none_" if place.file is None and place.span is None else place.file
    # A quoted line of source is no message.
    lines = dropwhile(lambda line: not line or is_excerpt(line), message.split("\n"))
    return SubLocation(file=file or "", span=place.span, message="\n".join(lines))


def _is_deeper(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line is indented more than the one before it."""
    return at < len(lines) and indentation(lines[at]) > indentation(lines[at - 1])
