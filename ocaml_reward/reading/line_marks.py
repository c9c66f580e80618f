"""
Marks on code that are none of it: numbers before its lines, or each line in backticks, HTML's
entities for its characters, the colours of a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

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
# A number and what divides it from the line; a full stop is a list's.
_NUMBER = (
    r"^([ \t]{0,8}(?:L|[Ll]ine[ ]?|[\[(])?)(\d{1,5})"
    r"([ ]?[|\u2502:](?:[ ]|$)|\u2192|\t|\](?:[ ]|$)|[.)](?:[ ]|$)|[ ]{2})"
)
_NUMBERED = re.compile(_NUMBER, re.MULTILINE)
# Before the cells of a notebook, and their further lines.
_CELL = re.compile(
    r"^(?:(?:In|Out)[ ]?\[\d{1,4}\]:[ ]?|[ ]{2,10}\.{3}:[ ]?)", re.MULTILINE
)
_FIRST_CELL = re.compile(r"^In[ ]?\[\d{1,4}\]:", re.MULTILINE)
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
_FENCE_LINE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
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
    Find what drops the prompts of a notebook.
    """
    if not ("In [" in text or "In[" in text) or not _FIRST_CELL.search(text):
        return []
    return [Edit(*found.span()) for found in _CELL.finditer(text)]


def from_ticks(text: str) -> list[Edit]:
    """
    Find what makes blocks of code each line of which stands between backticks, where there is
    no fence.  Lines each of which begins a definition are code by themselves.
    """
    if "`" not in text or _FENCE_LINE.search(text):
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
            inside = block.inside
            found = list(_rows(text, inside, min(block.end, len(text))))
            if _is_counted(found, len(block.content.rstrip().splitlines())):
                edits += (Edit(start, stop) for start, stop, _, _ in found)
        return edits
    run: list[tuple[int, int, int, str]] = []
    behind = -1
    for row in [*_rows(text, 0, len(text)), (-1, -1, -1, "")]:
        start, _, number, mark = row
        last = run[-1] if run else None
        if last and (number, mark, start) == (last[2] + 1, last[3], behind):
            run.append(row)
        else:
            edits += _dropped(text, run)
            run = [row]
        end = text.find("\n", row[1])
        behind = len(text) if end < 0 else end + 1
    return edits


def _dropped(text: str, run: list[tuple[int, int, int, str]]) -> Iterator[Edit]:
    if len(run) < 2 or _LIST.search(run[0][3]) or not _CODE.match(text, run[0][1]):
        return
    for start, stop, _, _ in run:
        yield Edit(start, stop)


def _rows(text: str, start: int, stop: int) -> Iterator[tuple[int, int, int, str]]:
    """
    Yield what numbers lines: where it begins and ends, the number, and what divides it.
    """
    for found in _NUMBERED.finditer(text, start, stop):
        mark = found[1].strip() + found[3].strip(" ")
        yield found.start(), found.end(), int(found[2]), mark


def _is_counted(rows: list[tuple[int, int, int, str]], lines: int) -> bool:
    """
    Tell whether rows number all of so many lines, one after the other.
    """
    if len(rows) < 2 or len(rows) != lines:
        return False
    first, mark = rows[0][2:]
    return all(
        row[2:] == (number, mark) for number, row in enumerate(rows, start=first)
    )


def _regions(text: str) -> Iterator[tuple[int, int]]:
    blocks = find_blocks(text).blocks
    if not blocks:
        yield 0, len(text)
    for block in blocks:
        yield block.inside, max(block.inside, block.end)
