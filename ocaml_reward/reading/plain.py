"""
Code that stands among prose without a fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .fences import Block
from .lexing import Source
from .prose import is_prose

__all__ = ["before_prose", "block_at", "runs"]

# More than anybody writes.
_MOST_RUNS = 100
_BEGINS = re.compile(
    r"(?!let (?:me|us)\b)(?:let|type|open|module|exception|external|include|class)"
    r"(?![\w'])(?![^=(]*[.!?]$)|\(\*"
)
# What is typed into a toplevel behind code.
_ASKED = re.compile(r"^(?:\#|utop[ ]?\#)[ ].*;;[ \t]*$", re.MULTILINE)


def runs(text: str) -> list[Block]:
    """
    Find the runs of code between prose, as blocks without fences; none where there is no
    prose, or so many that nobody has written them.
    """
    begins, said = _first(text)
    if begins is None:
        return []
    blank = Source(text[begins:]).without_literals
    found: list[tuple[int, int]] = []
    start: int | None = begins
    before = ""
    for place, line in _lines(blank):
        if start is not None and is_prose(line, before):
            found.append((start, begins + place))
            start, said = None, True
        elif start is None and _BEGINS.match(line):
            start = begins + place
        before = line
    if start is not None:
        found.append((start, len(text)))
    if not said or len(found) > _MOST_RUNS:
        return []
    return [block_at(text, start, stop) for start, stop in found]


def before_prose(text: str) -> tuple[int, int]:
    """
    Find the code between the prose that a text begins with and the next prose, where what
    is code need not begin with a definition.
    """
    start = 0
    before = ""
    for place, line in _lines(text):
        if line.strip() and not is_prose(line, before):
            start = place
            break
        before = line
    before = "code"
    for place, line in _lines(Source(text[start:]).without_literals):
        if is_prose(line, before) or _ASKED.match(line):
            return start, start + place
        before = line
    return start, len(text)


def block_at(text: str, start: int, stop: int) -> Block:
    """
    Make a block of a part of a text.
    """
    return Block(start, stop, text[start:stop], "", inside=start)


def _first(text: str) -> tuple[int | None, bool]:
    """
    Find where code may begin, and whether prose stands before it.
    """
    said = False
    before = ""
    for place, line in _lines(text):
        if _BEGINS.match(line):
            return place, said
        if is_prose(line, before):
            said = True
        elif line.strip() and not said:
            # Perhaps the rest of what the prompt began, before a draft that begins anew.
            return place, False
        before = line
    return None, said


def _lines(text: str) -> Iterator[tuple[int, str]]:
    place = 0
    while place < len(text):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        yield place, text[place:end]
        place = end + 1
