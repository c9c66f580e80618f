"""
Fences that do not stand on lines of their own, or were never closed: each gets its line, and prose
in a block that was left open ends it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .beginnings import CODE, MARGIN
from .editing import Edit
from .fences import Block, find_blocks
from .lexing import Source
from .plain import runs
from .prose import is_prose

__all__ = ["from_glued_tags", "from_left_open"]

# ```ocamllet f x = …: a word of OCaml behind the language, with nothing between them.
_GLUED = re.compile(
    rf"(?<![\"'`\w])(?:```|~~~)[ ]?(?:ocaml|ml|caml)(?={CODE})", re.IGNORECASE
)
_LINE = re.compile(r"^[^\n]*\S[^\n]*$", re.MULTILINE)
_MOST = 200


def from_glued_tags(text: str) -> list[Edit]:
    """
    Find what ends the line of a fence whose language stands right before the code.
    """
    if "```" not in text and "~~~" not in text:
        return []
    return [Edit(found.end(), found.end(), "\n") for found in _GLUED.finditer(text)]


def from_left_open(text: str) -> list[Edit]:
    """
    Find what gives a fence in the middle of a line one of its own, and what ends blocks of OCaml
    that no fence of their own closes before the prose behind their code.
    """
    if "```" not in text and "~~~" not in text:
        return []
    edits: list[Edit] = []
    blocks = find_blocks(text).blocks
    if not any(block.is_ocaml for block in blocks) and MARGIN.search(text):
        # The prompt has opened the fence that one behind the code closes.
        place = Source(text).without_literals.find("```")
        line = text[text.rfind("\n", 0, max(place, 0)) + 1 : max(place, 0)]
        behind = line.strip() and MARGIN.search(text, 0, place)
        return [Edit(place, place, "\n")] if behind else []
    for block in blocks[:_MOST]:
        if not block.is_ocaml:
            continue
        run = text[block.start : block.start + 3]
        if block.indent:
            edits += [] if block.closed else _outdented(text, block, run)
            continue
        if found := _closing(block, run):
            place = block.inside + found
            edits.append(Edit(place, place, "\n"))
        elif not block.closed or text.startswith(run, block.end):
            edits += _ended(block, run)
    return edits


def _closing(block: Block, run: str) -> int | None:
    """
    Find a fence behind code on its line: outside of literals and comments OCaml has none.
    """
    if run not in block.content:
        return None
    place = Source(block.content).without_literals.find(run)
    return place if place > 0 and block.content[place - 1] != "\n" else None


def _ended(block: Block, run: str) -> Iterator[Edit]:
    """
    Yield fences around the runs of code in a block, if it begins with one.
    """
    shown = runs(block.content)
    if not shown or block.content[: shown[0].start].strip():
        return
    for number, each in enumerate(shown):
        start, stop = block.inside + each.start, block.inside + each.end
        if number:
            yield Edit(start, start, f"{run}ocaml\n")
        if each.end < len(block.content):
            yield Edit(stop, stop, f"{run}\n")


def _outdented(text: str, block: Block, run: str) -> list[Edit]:
    """
    Find what ends a block in a list, whose lines all stand as far in as its fence, before the first
    prose at the margin.
    """
    margin = " " * block.indent
    for line in _LINE.finditer(text, block.inside, block.end):
        if line[0].startswith((margin, "\t")):
            continue
        if is_prose(line[0], ""):
            return [Edit(line.start(), line.start(), f"{margin}{run}\n")]
        break
    return []
