"""
Marks on code that are none of it: numbers before its lines, or each line in backticks, HTML's
entities for its characters, the colours of a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from .beginnings import CODE, FENCE_LINE
from .editing import Edit
from .fences import find_blocks
from .lexing import Source

__all__ = [
    "from_cells",
    "from_entities",
    "from_frames",
    "from_numbers",
    "from_terminal",
    "from_ticks",
]

_ENTITY = re.compile(
    r"&(?:lt|gt|amp|quot|apos|nbsp|#(?:39|34|38|60|62|x(?:27|22|26|3[cCeE]|2[fF])));"
)
_COLOUR = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
# A number, what may stand before it, and what divides it from the line, but for blanks; a full
# stop is a list's.
_NUMBER = (
    r"^([ \t]{0,8}(?:L|[Ll]ine[ ]?|[\[(\#]|[\w./-]{1,60}\.mli?:)?)(\d{1,5})"
    r"([ ]?[|\u2502:>]|[ ]?-(?![\d>])|\u2192|\t|[\].)](?=[ ]|$)|(?=[ ]|$))([ ]*)"
)
_NUMBERED = re.compile(_NUMBER, re.MULTILINE)
# Before the cells of a notebook, and their further lines.
_CELL = re.compile(
    r"^(?:(?:In|Out)[ ]?\[\d{1,4}\]:[ ]?|[ ]{2,10}\.{3}:[ ]?)", re.MULTILINE
)
_FIRST_CELL = re.compile(r"^In[ ]?\[\d{1,4}\]:", re.MULTILINE)
# A cell that defines something, or that a comment begins.
_DEFINING = re.compile(rf"\s{{0,200}}(?:{CODE}|\#)")
_NEXT_CELL = re.compile(r"^(?:In|Out)[ ]?\[\d{1,4}\]:", re.MULTILINE)
_CELL_ENDS = re.compile(r"^[ \t]*(?:$|```|~~~)", re.MULTILINE)
# What one of its lines has where all lines of a block have a mark.
_FRAMES = ("+let ", "+type ", "+open ", "+module ", "\\\n", "<br>\n", "<br/>\n")
_HAS_FRAME = re.compile(r"\+|.*(?:\\|<br/?>)$")
_WRITTEN = re.compile(r"^.*\S.*$", re.MULTILINE)
# A line between backticks, as an item of a list or by itself.
_TICKED = re.compile(
    r"^[ \t]{0,8}(?:[-*\u2022][ ]|\d{1,3}[.)][ ]|\|(?:[^|`\n]{0,20}\|)?[ ])?(`{1,2})(?!`)((?:[^`\n]|(?<!`)`(?!`))*)\1[ \t]*(?:\|[ \t]*)?$",
    re.MULTILINE,
)
_LIST = re.compile(r"[.)]")
_MARGIN = re.compile(
    r"^(?:let|type|open|module|exception|include|class)(?![\w'])(?![^=(\n]*[.!?]$)",
    re.MULTILINE,
)
_CODE = re.compile(
    r"\s*(?:(?:let|type|open|module|exception|external|include|class|match|if|begin|fun"
    r"|function|try)(?![\w'])|\(\*|\[@)"
)


def from_terminal(text: str) -> list[Edit]:
    """
    Find what drops a terminal's colours.
    """
    if "\x1b" not in text:
        return []
    return [Edit(*found.span()) for found in _COLOUR.finditer(text)]


def from_entities(text: str) -> list[Edit]:
    """
    Find what writes entities as their characters: in each block, or in a text without any,
    that has one outside of strings and comments, where OCaml has none.
    """
    if "&" not in text or not _ENTITY.search(text):
        return []
    edits: list[Edit] = []
    for start, stop in _regions(text):
        part = text[start:stop]
        found = list(_ENTITY.finditer(part))
        if not found:
            continue
        blank = Source(part).without_literals
        if any(blank[each.start()] == "&" for each in found):
            edits += (
                Edit(start + each.start(), start + each.end(), _character(each[0]))
                for each in found
            )
    return edits


def _character(entity: str) -> str:
    return unescape(entity).replace("\u00a0", " ")


def from_cells(text: str) -> list[Edit]:
    """
    Find what drops the prompts of a notebook, what its cells have answered, and those that
    only ask.
    """
    if not ("In [" in text or "In[" in text) or not _FIRST_CELL.search(text):
        return []
    edits: list[Edit] = []
    done = 0
    for found in _CELL.finditer(text):
        start, stop = found.span()
        if start < done:
            continue
        asks = text.startswith("In", start) and not _DEFINING.match(text, stop)
        if asks or text.startswith("Out", start):
            # Not where a cell goes on: each line of it would look through all the rest.
            behind = _NEXT_CELL.search(text, stop)
            end = behind.start() if behind else len(text)
            blank = _CELL_ENDS.search(text, min(stop + 1, end), end)
            stop = blank.start() if blank else end
        edits.append(Edit(start, stop))
        done = stop
    return edits


def from_ticks(text: str) -> list[Edit]:
    """
    Find what makes blocks of code each line of which stands between backticks, where there is
    no fence.  Lines each of which begins a definition are code by themselves.
    """
    if "`" not in text or FENCE_LINE.search(text):
        return []
    edits: list[Edit] = []
    run: list[re.Match[str]] = []
    for found in [*_TICKED.finditer(text), None]:
        if found and run and not text[run[-1].end() : found.start()].strip():
            run.append(found)
            continue
        if run and _CODE.match(run[0][2]) and not all(_CODE.match(m[2]) for m in run):
            for line in run:
                opened = "```ocaml\n" if line is run[0] else ""
                closed = "\n```" if line is run[-1] else ""
                edits.append(Edit(line.start(), line.start(2), opened))
                edits.append(Edit(line.end(2), line.end(), closed))
        run = [found] if found else []
    return edits


def from_frames(text: str) -> list[Edit]:
    """
    Find what drops a mark that all lines of a block begin or end with, and no code does.
    """
    edits: list[Edit] = []
    if not any(sign in text for sign in _FRAMES):
        return edits
    for start, stop in _regions(text):
        lines = [each.span() for each in _WRITTEN.finditer(text, start, stop)]
        lines = [each for each in lines if not text.startswith("```", each[0])]
        if len(lines) < 2 or not _HAS_FRAME.match(text, *lines[0]):
            continue
        if all(text[first] == "+" for first, _ in lines):
            edits += (Edit(first, first + 1) for first, _ in lines)
        for mark in ("<br>", "<br/>", "\\"):
            ends = [
                last - len(mark)
                for first, last in lines
                if text.endswith(mark, first, last)
            ]
            if len(ends) < len(lines) - 1:
                continue
            # A backslash may also end a line of a string.
            blank = Source(text[start:stop]).without_literals
            if all(blank.startswith(mark, place - start) for place in ends):
                edits += (Edit(place, place + len(mark)) for place in ends)
    return sorted(edits)


def from_numbers(text: str) -> list[Edit]:
    """
    Find what drops the numbers of lines, where all lines of a block have them, or lines one
    behind the other among prose, the first of which is code.
    """
    if not _NUMBERED.search(text):
        return []
    edits: list[Edit] = []
    blocks = find_blocks(text).blocks
    if blocks:
        for block in blocks:
            found = list(_rows(text, block.inside, min(block.end, len(text))))
            if _is_counted(text, found, len(block.content.rstrip().splitlines())):
                edits += _without(found)
        return edits
    run: list[_Row] = []
    behind = -1
    margin = _MARGIN.search(text)
    for row in [*_rows(text, 0, len(text)), _Row(-1, -1, -1, -1, "")]:
        last = run[-1] if run else None
        if last and (row.number, row.mark, row.start) == (
            last.number + 1,
            last.mark,
            behind,
        ):
            run.append(row)
        else:
            if len(run) > 1 and not _LIST.search(run[0].mark) and _is_code(text, run):
                if margin and margin.start() < run[0].start:
                    return edits
                edits += _without(run)
            run = [row]
        end = text.find("\n", row.stop)
        behind = len(text) if end < 0 else end + 1
    return edits


class _Row(NamedTuple):
    """
    What numbers a line: where it begins and ends without blanks and with them, the number, and
    what divides it from the line.
    """

    start: int
    stop: int
    code: int
    number: int
    mark: str


def _without(rows: list[_Row]) -> Iterator[Edit]:
    """
    Yield what drops the numbers, each with as many blanks as the first.
    """
    width = min(rows[0].code - rows[0].stop, 1 if rows[0].mark else 2)
    for row in rows:
        yield Edit(row.start, min(row.stop + width, row.code))


def _is_code(text: str, rows: list[_Row]) -> bool:
    return _CODE.match(text, rows[0].code) is not None


def _rows(text: str, start: int, stop: int) -> Iterator[_Row]:
    for found in _NUMBERED.finditer(text, start, stop):
        mark = found[1].strip() + found[3].strip(" ")
        yield _Row(found.start(), found.end(3), found.end(), int(found[2]), mark)


def _is_counted(text: str, rows: list[_Row], lines: int) -> bool:
    """
    Tell whether rows number all of so many lines, one after the other.
    """
    if len(rows) < 2 or len(rows) != lines:
        return False
    first, mark = rows[0].number, rows[0].mark
    counted = all(
        (row.number, row.mark) == (number, mark)
        for number, row in enumerate(rows, start=first)
    )
    # Blanks alone stand behind any number.
    return counted and (mark != "" or _is_code(text, rows))


def _regions(text: str) -> Iterator[tuple[int, int]]:
    blocks = find_blocks(text).blocks
    if not blocks:
        yield 0, len(text)
    for block in blocks:
        yield block.inside, max(block.inside, block.end)
