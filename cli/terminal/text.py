"""Formats text for a terminal, and makes untrusted text safe.

Completions, diagnostics and ids are written by a model.  Control characters in them
could move the cursor, change the title or hide a line, and bidirectional overrides show
code in another order than it runs. Each of them is replaced by one visible character.
"""

from __future__ import annotations

import re
from typing import Final

# C0 but for the tab and line feed, DEL, C1, line and paragraph separators, the marks
# and overrides of direction, zero-width characters, surrogates.
CONTROL_CHARACTERS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
TAB_WIDTH: Final = 4
SANDBOX_WORDS: Final = {"none": "no sandbox", "rlimits": "rlimits without a jail"}
SANDBOX_WARNINGS: Final = {
    "none": "warning: without a sandbox the code could read and write all that you can",
    "rlimits": "warning: rlimits bounds time and memory, yet the code could read and"
    " write all that you can",
}


def clean(text: str) -> str:
    """Replace every character that controls a terminal, except line feeds."""
    return CONTROL_CHARACTERS.sub("\ufffd", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Join text to one line, with single spaces."""
    return clean(" ".join(text.split()))


def shortened(text: str, width: int) -> str:
    """Join text to one line of at most `width` characters, with an ellipsis if it is cut."""
    line = one_line(text)
    return line if len(line) <= width else line[: max(width - 1, 0)] + "…"


def columns(line: str) -> list[str]:
    """Return the displayed text of each character of a line, with tabs expanded."""
    return [" " * TAB_WIDTH if char == "\t" else clean(char) for char in line]


def counted(count: int, noun: str) -> str:
    """Format a count with its noun, with an s unless it is 1."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def figure_text(value: float | None) -> str:
    """Format a figure with three decimals; a dash if there is none."""
    return "-" if value is None else f"{value:.3f}"


def provenance_line(engine: str, sandbox: str, toolchain: str) -> str:
    """Return engine, sandbox and toolchain in one line."""
    return one_line(f"{engine} engine, {SANDBOX_WORDS.get(sandbox, sandbox)}, {toolchain}")


def sandbox_warning(sandbox: str) -> str | None:
    """Return a warning for a sandbox that does not confine code, else None."""
    return SANDBOX_WARNINGS.get(sandbox)
