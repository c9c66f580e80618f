"""Text on its way to a terminal, untrusted most of it.

Completions, diagnostics and ids are written by a model.  Control characters in them
could move the cursor, change the title or hide a line, and bidirectional overrides show
code in another order than it runs: all of them become one visible character each.
"""

from __future__ import annotations

import re
from typing import Final

# C0 but for the tab and line feed, DEL, C1, line and paragraph separators, the marks
# and overrides of direction, zero-width characters, surrogates.
STEERING: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\ud800-\udfff]"
)
TAB_WIDTH: Final = 4


def clean(text: str) -> str:
    """Replace every character that steers a terminal, one for one; lines stay lines."""
    return STEERING.sub("\ufffd", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Put text on one line, blanks in a row made one."""
    return clean(" ".join(text.split()))


def shortened(text: str, width: int) -> str:
    """Put text on one line of at most `width` characters; an ellipsis marks what is cut."""
    line = one_line(text)
    return line if len(line) <= width else line[: max(width - 1, 0)] + "…"


def columns(line: str) -> list[str]:
    """Split a line of code into what is shown for each of its characters, tabs widened."""
    return [" " * TAB_WIDTH if char == "\t" else clean(char) for char in line]


def counted(count: int, noun: str) -> str:
    """Write a number of things, with an s unless it is one."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
