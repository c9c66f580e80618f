"""Code that is too short to be an answer."""

from __future__ import annotations

from typing import Any, Final

from ..model import Penalty, Verdict
from .rule import Facts, Rule


def _take(facts: Facts, values: Any) -> Penalty | None:
    """Return the penalty that takes everything from code shorter than `min_lines`; no code at all
    is not short code. (kirang89/ocamler-grpo doc/mode-collapse-epoch-0.04-analysis.md:63)
    """
    if not values.min_lines_if_passed and facts.verdict is Verdict.PASSED:
        return None
    lines, least = facts.lines, values.min_lines
    if not 0 < lines < least:
        return None
    evidence = f"{lines} {'line' if lines == 1 else 'lines'} of code (minimum {least})"
    return Penalty(code=MIN_LINES.code, factor=0.0, evidence=evidence)


MIN_LINES: Final = Rule(
    code="min_lines",
    key="min_lines",
    text="too few lines of code",
    effect="times 0",
    when=(
        "fewer than 8 lines of code (blank lines and comments do not count), unless every"
        " check passes; with `min_lines_if_passed = true` even then"
    ),
    take=_take,
)
