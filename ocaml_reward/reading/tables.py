"""
Tables of Markdown among code without a fence, whose rows look like the cases of a match.
"""

from __future__ import annotations

import re

from .beginnings import FENCE_LINE, ITEM
from .editing import Edit
from .lexing import Source

__all__ = ["from_tables"]

# What stands below the head of a table, and in no program.
_RULE = r"[ ]{0,3}\|?[ ]?:?-{1,200}:?[ ]?(?:\|[ ]?:?-{1,200}:?[ ]?){1,40}\|?[ \t]*$"
_RULED = re.compile(rf"^{_RULE}", re.MULTILINE)
_TABLE = re.compile(
    rf"^[ ]{{0,3}}\|[^\n]*\n{_RULE}(?:\n[ ]{{0,3}}\|[^\n]*)*\n{{0,100}}", re.MULTILINE
)
_DEFINES = re.compile(rf"^{ITEM}", re.MULTILINE)


def from_tables(text: str) -> list[Edit]:
    """
    Find what drops tables where definitions stand outside of them, and no fence.
    """
    if "-" not in text or not _RULED.search(text) or FENCE_LINE.search(text):
        return []
    blank = Source(text).without_literals
    tables = [
        found.span()
        for found in _TABLE.finditer(text)
        if blank[found.start() : found.end()].strip()
    ]
    places = [found.start() for found in _DEFINES.finditer(text)]
    if all(any(a <= place < b for a, b in tables) for place in places):
        return []
    return [Edit(*span) for span in tables]
