"""
Code that stands behind marks on its lines: as a diff, in a fence or without, or as a quotation.
"""

from __future__ import annotations

import re

from .lexing import Source
from .origins import Ranges

__all__ = ["has_marks", "unmarked"]

_DIFF = re.compile(r"[ \t]*(?:```|~~~)[ \t]*(?:diff|patch)[ \t]*$", re.IGNORECASE)
_QUOTED = re.compile(r">[ ]?(?:```|~~~|(?:let|type|open|module)[ ]|\(\*[ ])")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_HAS = re.compile(
    rf"^(?:{_DIFF.pattern}|{_QUOTED.pattern})", re.MULTILINE | re.IGNORECASE
)
# A patch needs no fence: where it begins, and what no other text has.
_PATCH = re.compile(
    r"diff[ ]--git[ ]|---[ ](?:a/|/dev/null)|@@[ ]-\d|\*{3}[ ](?:Begin[ ]Patch|(?:Add|Update)[ ]File:)"
)
_HUNK = re.compile(
    r"^(?:@@[ ]-\d{1,9}(?:,\d{1,9})?[ ]\+\d{1,9}|\*{3}[ ](?:Begin[ ]Patch|(?:Add|Update)[ ]File:))",
    re.MULTILINE,
)
# An edit as what was there and what comes instead, or what a merge has left, with any names.
_OLD = re.compile(r"^<{7}[ ][A-Za-z][^\n]{0,200}$", re.MULTILINE)
_NEW = re.compile(r"={7}[ \t]*$", re.MULTILINE)
_END = re.compile(r">{7}(?:[ ][A-Za-z0-9][^\n]{0,200})?$", re.MULTILINE)
# A line of a diff that is none of what comes out of it.
_GONE = re.compile(
    r"-|@@|\+\+\+[ ]|(?:diff|index|new file|deleted file|(?:old|new) mode|similarity|rename)[ ]"
    r"|\\[ ]|\*{3}[ ]"
)


def has_marks(text: str) -> bool:
    """
    Say whether a fenced block may be a diff, or code a quotation.
    """
    fenced = "```" in text or "~~~" in text
    quoted = text.startswith(">") or "\n>" in text
    if (fenced or quoted) and _HAS.search(text):
        return True
    return _is_patch(text) or ("<<<<<<<" in text and _is_said(_OLD, text))


def _is_patch(text: str) -> bool:
    known = "@@ -" in text or "*** " in text
    return known and _is_said(_HUNK, text)


def _is_said(pattern: re.Pattern[str], text: str) -> bool:
    """
    Tell whether a text has what is looked for, and it is no string of a program about it.
    """
    found = pattern.search(text)
    return found is not None and Source(text).without_literals[found.start()] != " "


def unmarked(text: str) -> Ranges:
    """
    Find the parts of a text without the marks of diffs and of quoted fences.  Of a diff what
    it adds and leaves is kept.
    """
    found: list[tuple[int, int]] = []
    patched = _is_patch(text)
    edited = "<<<<<<<" in text and _is_said(_OLD, text)
    kind = ""
    place = 0
    while place < len(text):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end + 1
        line = text[place:end]
        kind = _kind(line, kind, edited=edited)
        if patched and kind in ("", "patch"):
            within = kind == "patch" and (line[0] in "+- \\\n" or _GONE.match(line))
            kind = "patch" if within or _PATCH.match(line) else ""
        width = _marks(line, kind)
        if width < len(line):
            found.append((place + width, end))
        place = end
    return found


def _kind(line: str, before: str, *, edited: bool) -> str:
    """
    Tell what a line stands in, knowing what the one before it stands in: the first line of a
    diff is "diff", those in it are "changes"; of an edit "old" goes and "new" stays.
    """
    if before in ("diff", "changes"):
        return "" if _FENCE.match(line) else "changes"
    if before == "patch" and not _FENCE.match(line):
        return before
    if before == "old":
        return "between" if _NEW.match(line) else before
    if before in ("between", "new"):
        return "end" if _END.match(line) else "new"
    if edited and _OLD.match(line):
        return "old"
    if _QUOTED.match(line) or (before == "quoted" and line.startswith(">")):
        return "quoted"
    return "diff" if _DIFF.match(line) else ""


def _marks(line: str, kind: str) -> int:
    """
    Count the characters at a line's beginning that are none of its own.
    """
    if kind == "quoted":
        return 2 if line.startswith("> ") else 1
    if kind in ("old", "between", "end"):
        return len(line)
    if kind in ("changes", "patch"):
        return len(line) if _GONE.match(line) else int(line[0] in "+ ")
    return 0
