"""
What of a completion is said: its thoughts dropped, and the marks around an answer; its line
ends made alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .lexing import Source
from .origins import Piece, cut, kept
from .quoting import has_marks, unmarked

__all__ = ["normal_ranges", "normalised", "spoken", "spoken_ranges"]

# An opening tag counts at the start of a line only, or it could stand in a string.
_NAMES = r"(?:think(?:ing)?|reasoning|thoughts?)"
_THINK = re.compile(rf"^[ \t]*<{_NAMES}>", re.MULTILINE | re.IGNORECASE)
_THOUGHT = re.compile(rf"</{_NAMES}>", re.IGNORECASE)
_EITHER = re.compile(rf"</?{_NAMES}>", re.IGNORECASE)
# Around an answer, at the edges of lines; and what tokenizers write at a text's end where
# nobody took it away.  Neither is at such a place in OCaml.
_ANSWER = r"(?:answer|code|solution)>"
_LAST = r"<\|[\w\u2581]{1,40}\|>|<\uff5c[^\n>]{1,40}\uff5c>|</s>|<end_of_turn>"
_MARKS = re.compile(
    rf"^[ \t]*<{_ANSWER}|</{_ANSWER}(?=[ \t]*(?:$|{_LAST}|\(\*))|(?:(?:{_LAST})\s*+){{1,8}}\Z",
    re.MULTILINE | re.IGNORECASE,
)

# A character of no width, where a line begins or ends; each run of them is looked at once.
_NO_WIDTH = "[\u200b-\u200d\u2060\ufeff]"
_DROPPED = re.compile(
    rf"^{_NO_WIDTH}++|(?<!{_NO_WIDTH}){_NO_WIDTH}++(?=\r?\n|\Z)|\r(?=\n)",
    re.MULTILINE,
)


def normalised(text: str) -> str:
    """
    Write all line ends as one newline, and drop what nobody sees at the edges of lines:
    byte order marks and characters of no width.
    """
    if text.isascii():
        return text.replace("\r\n", "\n")
    return "".join(text[start:stop] for start, stop in normal_ranges(text))


def normal_ranges(text: str) -> Iterator[tuple[int, int]]:
    """
    Yield the parts of a text that `normalised` keeps.
    """
    start = 0
    for dropped in _DROPPED.finditer(text):
        yield start, dropped.start()
        start = dropped.end()
    yield start, len(text)


def spoken(text: str) -> str:
    """
    Drop the thoughts, the marks around an answer, and those of diffs and quotations.

    A closing tag alone ends thoughts that the prompt's template opened.  Thoughts never
    closed hold no answer: the model was cut off, or stopped, before it gave one.
    """
    if not _EITHER.search(text) and not _MARKS.search(text) and not has_marks(text):
        return text
    return "".join(text[start:stop] for start, stop in spoken_ranges(text))


def spoken_ranges(text: str) -> list[tuple[int, int]]:
    """
    List the parts of a text that `spoken` keeps.
    """
    pieces = _without_thoughts(text)
    whole = "".join(text[start:stop] for start, stop in pieces)
    places = [0, *(edge for mark in _MARKS.finditer(whole) for edge in mark.span())]
    edges = [*places, len(whole)]
    answers = list(zip(edges[::2], edges[1::2], strict=True))
    said = kept(answers).after(kept(pieces))
    whole = "".join(whole[start:stop] for start, stop in answers)
    if has_marks(whole):
        said = kept(unmarked(whole)).after(said)
    return _ranges(said.pieces)


def _without_thoughts(text: str) -> list[tuple[int, int]]:
    pieces: list[tuple[int, int]] = []
    place = 0
    while opened := _THINK.search(text, place):
        pieces.append((place, opened.start()))
        closed = _THOUGHT.search(text, opened.end())
        if not closed:
            return _after_thoughts(text, pieces)
        place = closed.end()
    return _after_thoughts(text, [*pieces, (place, len(text))])


def _after_thoughts(text: str, pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """
    Keep what stands behind the last closing tag of what is left.

    One in a literal or a comment that begins and ends on its line is spoken of, or code.
    """
    whole = "".join(text[start:stop] for start, stop in pieces)
    end = start = stop = 0
    blank = ""
    for closed in _THOUGHT.finditer(whole):
        if closed.start() >= stop:
            start = whole.rfind("\n", 0, closed.start()) + 1
            stop = whole.find("\n", closed.end())
            stop = len(whole) if stop < 0 else stop
            blank = Source(f"{whole[start:stop]}\nend").without_literals
        if not blank.endswith("end") or blank[closed.start() - start] != " ":
            end = closed.end()
    return _ranges(cut(kept(pieces), end, len(whole)))


def _ranges(pieces: Iterable[Piece]) -> list[tuple[int, int]]:
    return [
        (piece.origin, piece.origin + piece.stop - piece.start)
        for piece in pieces
        if piece.origin is not None
    ]
