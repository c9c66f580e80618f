"""Parts of the pages in docs/, for tests that compare them with the code."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def section(page: str, heading: str) -> str:
    """Return the text below a heading of a page, up to the next one of its level or above."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    level = len(heading.partition(" ")[0])
    _, _, rest = text.partition(f"\n{heading}\n")
    assert rest, heading
    return re.split(rf"^#{{1,{level}}} ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def marked(text: str) -> set[str]:
    """Return what stands between backquotes, code blocks apart."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return set(re.findall("`([^`]+)`", prose))


def examples(page: str, heading: str, language: str) -> list[str]:
    """Return the code blocks of a language below a heading of a page."""
    fence = rf"^```{language}\n(.*?)^```"
    return re.findall(fence, section(page, heading), re.MULTILINE | re.DOTALL)
