"""
Code without a fence among prose: indented as Markdown has it, between single backticks, or
behind a label on its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .beginnings import CODE, FENCE_LINE, MARGIN
from .editing import Edit
from .prose import is_prose

__all__ = ["from_prose"]

_INDENTED = re.compile(rf"^((?:[ ]{{2,12}}|\t{{1,3}})){CODE}", re.MULTILINE)
_LABEL = re.compile(
    r"^(?:\#{1,6}[ ]+|\*{1,2})?(?:(?:[A-Z]|answer|assistant|solution)[^\n=;|(`]{0,80}:\*{0,2}[ ]{1,4}"
    r"|[^\x00-\x7f][^\n=;|(`]{0,80}[:\uff1a]\*{0,2}[ ]{0,4})(?=(?:let|type|open|module)[ ][^\n]*=)",
    re.MULTILINE,
)
_INLINE = re.compile(r"`((?:let|type|module|open)\b[^`]*)`")
_MOST = 200


def from_prose(text: str) -> list[Edit]:
    """
    Find what makes blocks of code that is indented among prose, as Markdown has it, or stands
    between single backticks; nothing where there is a fence, or code at the margin.
    """
    if FENCE_LINE.search(text):
        return []
    labelled, margin = _LABEL.search(text), MARGIN.search(text)
    if labelled and not (margin and margin.start() < labelled.start()):
        return [Edit(*labelled.span())]
    if margin:
        return []
    if _INDENTED.search(text) and (edits := list(_indented(text))):
        return edits
    if "`" not in text:
        return []
    spans = [found for found in _INLINE.finditer(text) if "=" in found[1]]
    edits = []
    for found in spans[:_MOST]:
        edits.append(Edit(found.start(), found.start(1), "\n```ocaml\n"))
        edits.append(Edit(found.end(1), found.end(), "\n```\n"))
    return edits


def _indented(text: str) -> Iterator[Edit]:
    """
    Yield the fences around indented code; none if a line at the margin is no prose, or if there
    is none.
    """
    found: list[tuple[int, int, str]] = []
    start, margin, stop = -1, "", 0
    said = False
    place = 0
    before = ""
    while place < len(text):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        line = text[place:end]
        if start >= 0 and line.startswith(margin):
            stop = end if line.strip() else stop
        elif line.strip():
            if start >= 0:
                found.append((start, stop, margin))
                start = -1
            if begins := _INDENTED.match(text, place, end):
                start, margin, stop = place, begins[1], end
            elif line[0].isspace() or not is_prose(line, before):
                return
            else:
                said = True
        before = line
        place = end + 1
    if start >= 0:
        found.append((start, stop, margin))
    if not said or len(found) > _MOST:
        return
    for start, stop, margin in found:
        yield Edit(start, start, f"{margin}```ocaml\n")
        yield Edit(stop, stop, f"\n{margin}```")
