"""
Code that stands behind marks on its lines: as a diff, or as a quotation.
"""

from __future__ import annotations

import re

from .origins import Ranges

__all__ = ["has_marks", "unmarked"]

_DIFF = re.compile(r"[ \t]*(?:```|~~~)[ \t]*(?:diff|patch)[ \t]*$", re.IGNORECASE)
_QUOTED = re.compile(r">[ ]?(?:```|~~~|(?:let|type|open|module)[ ]|\(\*[ ])")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_HAS = re.compile(
    rf"^(?:{_DIFF.pattern}|{_QUOTED.pattern})", re.MULTILINE | re.IGNORECASE
)
# A line of a diff that is none of what comes out of it.
_GONE = re.compile(r"-|@@|\+\+\+[ ]|diff[ ]|index[ ]|\\[ ]")


def has_marks(text: str) -> bool:
    """
    Say whether a fenced block may be a diff, or code a quotation.
    """
    fenced = "```" in text or "~~~" in text
    quoted = text.startswith(">") or "\n>" in text
    return (fenced or quoted) and _HAS.search(text) is not None


def unmarked(text: str) -> Ranges:
    """
    Find the parts of a text without the marks of diffs and of quoted fences.  Of a diff what
    it adds and leaves is kept.
    """
    found: list[tuple[int, int]] = []
    kind = ""
    place = 0
    while place < len(text):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end + 1
        line = text[place:end]
        kind = _kind(line, kind)
        width = _marks(line, kind)
        if width < len(line):
            found.append((place + width, end))
        place = end
    return found


def _kind(line: str, before: str) -> str:
    """
    Tell what a line stands in, knowing what the one before it stands in: the first line of a
    diff is "diff", those in it are "changes".
    """
    if before in ("diff", "changes"):
        return "" if _FENCE.match(line) else "changes"
    if _QUOTED.match(line) or (before == "quoted" and line.startswith(">")):
        return "quoted"
    return "diff" if _DIFF.match(line) else ""


def _marks(line: str, kind: str) -> int:
    """
    Count the characters at a line's beginning that are none of its own.
    """
    if kind == "quoted":
        return 2 if line.startswith("> ") else 1
    if kind == "changes":
        return len(line) if _GONE.match(line) else int(line[0] in "+ ")
    return 0
