"""
Fences that are not quite Markdown's: of other signs, of too few, or closed by another sort.
"""

from __future__ import annotations

import re

from .beginnings import CODE, FENCE_LINE
from .editing import Edit
from .fences import find_blocks
from .lexing import Source

__all__ = ["from_odd_fences"]

# What stands for a backtick.
_TICK = r"(?:\\?`|&\#96;|[\u00b4\u02cb\u2018\u2019])"
_OPENED = re.compile(
    rf"^[ \t]{{0,8}}(?:{_TICK}[ ]?){{1,4}}(?:ocaml|ml|caml)[ \t]*\n"
    rf"|^[ \t]{{0,8}}(?:{_TICK}[ ]?){{2,4}}\n(?={CODE})",
    re.MULTILINE | re.IGNORECASE,
)
_CLOSED = re.compile(rf"^[ \t]{{0,8}}(?:{_TICK}[ ]?){{1,4}}[ \t]*$", re.MULTILINE)
_SIGNS = ("`", "&#96;", "\u00b4", "\u02cb", "\u2018", "\u2019")
# A line that closes, in a block of OCaml that began with other or more signs.
_OTHERWISE = re.compile(r"^[ \t]*(?:`{2,8}|~{3,8})[ \t]*$", re.MULTILINE)
_MOST = 200


def from_odd_fences(text: str) -> list[Edit]:
    """
    Find what makes plain fences of odd ones.
    """
    if FENCE_LINE.search(text):
        return _closings(text)
    edits: list[Edit] = []
    if not any(sign in text for sign in _SIGNS):
        return edits
    place = 0
    while len(edits) < _MOST and (opened := _OPENED.search(text, place)):
        edits.append(Edit(*opened.span(), "```ocaml\n"))
        closed = _CLOSED.search(text, opened.end())
        if closed is None:
            break
        edits.append(Edit(*closed.span(), "```"))
        place = closed.end()
    return edits


def _closings(text: str) -> list[Edit]:
    """
    Find the lines that close a block of OCaml, if not as it was opened: no code has such a line.
    """
    if not _OTHERWISE.search(text):
        return []
    edits: list[Edit] = []
    for block in find_blocks(text).blocks[:_MOST]:
        end = min(block.inside + len(block.content), block.end)
        if not (block.is_ocaml and block.tag) or block.indent:
            continue
        found = _OTHERWISE.search(text, block.inside, end)
        if found and Source(block.content).without_literals[
            found.end() - 1 - block.inside
        ] in ("`", "~"):
            run = text[block.start : block.start + 8]
            width = len(run) - len(run.lstrip(run[0]))
            edits.append(Edit(*found.span(), run[:width]))
    return edits
