"""
Code all lines of which stand between the same marks: bold, in a frame, behind another language's
comment signs, each in tags of its own.

What the first of them has before its keyword tells the marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .beginnings import ITEM
from .editing import Edit
from .fences import find_blocks

__all__ = ["from_dress"]

# Signs, or tags: neither quotes nor comments of OCaml's, no item of a list, no quotation.
_SIGNS = r"(?:_{1,2}|--[ ]|;{1,3}[ ]|(?![-+\u2022>#]|\*[ ])[^\w\s\"'`(\[{;,.<>+~^-]{1,4}[ ]?)"
_TAGS = r"(?:<[A-Za-z][\w-]{0,20}(?:[ ][^<>\n]{0,100})?>){1,3}"
_FIRST = re.compile(
    rf"^[ \t]{{0,40}}(?P<mark>\#[ ]|{_SIGNS}|{_TAGS})[ ]{{0,2}}`?{ITEM}", re.MULTILINE
)
_MARGIN = re.compile(rf"^{ITEM}(?![^=(\n]*[.!?]$)", re.MULTILINE)
_LINE = re.compile(r"^([ \t]*)(.*?)[ \t]*$", re.MULTILINE)
_TAG = re.compile(r"<([A-Za-z][\w-]*)")
# What may stand behind the marks that end a line.
_BREAK = re.compile(r"<br[ ]?/?>\Z")
_MOST = 200


class _Dress(NamedTuple):
    """
    How far in each line stands, what stands before it, and what may, or must, stand behind.
    """

    indent: int
    before: str
    after: str
    must_end: bool

    def on(self, text: str, line: re.Match[str]) -> list[Edit] | None:
        """
        Find what drops the marks of a line; None if it does not have them.
        """
        start, stop = line.span(2)
        begin = max(line.start(), start - self.indent)
        broken = _BREAK.search(text, start, stop)
        end = broken.start() if broken else stop
        said = text[start:end]
        if said in ("", self.before.strip(), f"{self.before.strip()}{self.after}"):
            return [Edit(begin, stop)]
        if not said.startswith(self.before):
            return None
        ends = said.endswith(self.after) and len(said) >= len(self.before + self.after)
        if self.must_end and not ends:
            return None
        inside = end - len(self.after) if ends else end
        # A frame is filled up with blanks.
        inside = start + len(text[start:inside].rstrip()) if ends else inside
        edits = [Edit(begin, start + len(self.before))]
        return [*edits, Edit(inside, stop)] if inside < stop else edits


def from_dress(text: str) -> list[Edit]:
    """
    Find what drops the marks that all lines of a block have, or where there is no block and no
    code at the margin, lines one behind the other.
    """
    if not _FIRST.search(text):
        return []
    blocks = find_blocks(text).blocks
    edits: list[Edit] = []
    for block in blocks[:_MOST]:
        stop = min(block.end, len(text))
        if block.closed:
            stop = max(block.inside, text.rfind("\n", block.inside, stop))
        found, end = _undressed(text, block.inside, stop)
        if end == stop:
            edits += found
    if blocks or _MARGIN.search(text):
        return edits
    place = 0
    while first := _FIRST.search(text, place):
        found, place = _undressed(text, first.start(), len(text))
        edits += found
        place = max(place, first.end())
    return edits


def _undressed(text: str, start: int, stop: int) -> tuple[list[Edit], int]:
    """
    Find what drops the marks of lines from one on, and where those end that have them.
    """
    while start < stop and text[start] == "\n":
        start += 1
    first = _FIRST.match(text, start, stop)
    if not first:
        return [], start
    dress = _dress_of(first["mark"], first.start("mark") - start)
    edits: list[Edit] = []
    lines = 0
    end = start
    for line in _lines(text, start, stop):
        found = dress.on(text, line)
        if found is None:
            break
        edits += found
        lines += bool(found[0].stop < line.end(2))
        if line[2]:
            end = line.end()
    else:
        end = stop
    # A prompt of a toplevel stands before each line that ends with two semicolons.
    prompted = dress.before == "# " and ";;" in text[start:end]
    if lines < 2 or prompted:
        return [], end
    return [edit for edit in edits if edit.start < end], end


def _lines(text: str, start: int, stop: int) -> Iterator[re.Match[str]]:
    while start < stop and (line := _LINE.match(text, start, stop)):
        yield line
        start = line.end() + 1


def _dress_of(mark: str, indent: int) -> _Dress:
    if tags := _TAG.findall(mark):
        after = "".join(f"</{tag}>" for tag in reversed(tags))
        return _Dress(indent, mark, after, must_end=True)
    bare = mark.strip()
    emphasis = set(bare) <= set("*_")
    return _Dress(indent, mark, bare, must_end=emphasis)
