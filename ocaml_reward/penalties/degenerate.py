"""Completions that are filled with prose, padding or repetition instead of an answer.

The signs need strong evidence, because each is honest in small amounts: a helper in a separate
block, a comment in plain English, a one-line answer, a guard that fails with a message.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..model import CheckReport, Penalty, Stage, Verdict
from ..reading.extraction import Extraction
from ..reading.prose import is_english
from .rule import SHARE, Facts, Rule, at_least

_END_MARKERS: Final = re.compile(r"(?<!\d)\d+ end markers")
"""The only sign that depends on a scheme's end marker."""

_SAMPLE_CHARS = 32_768
_FEW_LINES = 8
# A passage of this many lines recurs only if it was copied.
_LONG_PASSAGE = 16
# Bounds the work on megabytes of short lines.
_MOST_LINES = 20_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Degenerate:
    """Numbers of the penalty for degenerate completions.

    Nothing that passes every check is degenerate.

    Attributes:
        factor: Factor for a completion that passes a check; others get 0.
        prose_share: Share of English among the lines of code that does not type.
        blocks: At most this many fenced blocks are fine.
        spare_share: Share of the blocks that are empty or add no new line.
        block_copies: Number of equal blocks.
        end_markers: More end markers than this, and than blocks, are a sign.
        repeat_chars: Length of repeated passages.
        repeat_copies: How often a passage has to recur.
        repeat_share: Share of the completion covered by such passages.
        distinct_share: Minimum share of distinct lines of code.
    """

    factor: float = field(metadata=SHARE)
    prose_share: float = field(metadata=SHARE)
    blocks: int = field(metadata=at_least(1))
    spare_share: float = field(metadata=SHARE)
    block_copies: int = field(metadata=at_least(2))
    end_markers: int = field(metadata=at_least(1))
    repeat_chars: int = field(metadata=at_least(20))
    repeat_copies: int = field(metadata=at_least(2))
    repeat_share: float = field(metadata=SHARE)
    distinct_share: float = field(metadata=SHARE)


def _look(report: CheckReport | None, extraction: Extraction, values: Any) -> str:
    """Return the signs found in the text."""
    return "; ".join(evidence_of_degeneracy(report, extraction, values.degenerate))


def _take(facts: Facts, values: Any) -> Penalty | None:
    """Return the penalty for filling the length instead of answering; several signs are one
    penalty.

    Code that passes every check is an answer, and may repeat itself as its problem does: a literal
    board of equal rows, or one call per case. Spam that passes no check keeps nothing: its other
    credits are the same for every problem, and a model would learn to collect such a constant
    reward.
    """
    if facts.verdict is Verdict.PASSED:
        return None
    signs = [
        sign
        for sign in facts.evidence(DEGENERATE).split("; ")
        if sign and (facts.same_end_marker or not _END_MARKERS.fullmatch(sign))
    ]
    if not signs:
        return None
    factor = values.degenerate.factor if facts.passes else 0.0
    return Penalty(code=DEGENERATE.code, factor=factor, evidence="; ".join(signs))


DEGENERATE: Final = Rule(
    code="degenerate",
    key="degenerate.factor",
    text="prose, padding or repetition in place of an answer",
    effect="times 0.3 and no structural credit; times 0 if no check passes",
    when="one of the signs below, unless every check passes",
    take=_take,
    look=_look,
)


def evidence_of_degeneracy(
    report: CheckReport | None, extraction: Extraction, limits: Degenerate
) -> tuple[str, ...]:
    """Return the signs of degeneracy, each in a few words; empty for honest work."""
    found = (
        _prose(report, extraction, limits),
        _spare_blocks(extraction.fenced_blocks, limits),
        _block_copies(extraction.fenced_blocks, limits),
        _end_markers(extraction, limits),
        _repetition(extraction.text, limits),
        _same_lines(extraction.own.lines, limits),
    )
    return tuple(sign for sign in found if sign)


def _prose(report: CheckReport | None, extraction: Extraction, limits: Degenerate) -> str:
    """Return words for English where code should be, or ""; text that compiles counts as code.

    Only the first 20,000 lines are read.

    (kirang89/ocamler-grpo doc/2025-12-11-epoch-0.21-training-failure-analysis.md:199)
    """
    if report is None or report.stage not in {Stage.SYNTAX_ERROR, Stage.TYPE_ERROR}:
        return ""
    lines = [line for line in extraction.own.without_literals.split("\n") if line.strip()]
    del lines[_MOST_LINES:]
    prose = sum(map(is_english, lines))
    if not prose or prose < limits.prose_share * len(lines):
        return ""
    return f"prose in {prose} of {len(lines)} lines of code"


def _spare_blocks(blocks: Sequence[str], limits: Degenerate) -> str:
    """Return words for fenced blocks with nothing new inside, or "".
    (kirang89/ocamler-grpo doc/2025-12-14-epoch-0.67-plateau-analysis.md:39)
    """
    if len(blocks) <= limits.blocks:
        return ""
    seen: set[str] = set()
    spare = 0
    for block in blocks:
        lines = {line.strip() for line in block.split("\n")} - {""}
        spare += lines <= seen
        seen |= lines
    if spare < limits.spare_share * len(blocks):
        return ""
    return f"{spare} of {len(blocks)} fenced blocks add nothing"


def _block_copies(blocks: Sequence[str], limits: Degenerate) -> str:
    """Return words for copies of one block, or "".
    (kirang89/ocamler-grpo doc/2025-12-14-epoch-0.67-plateau-analysis.md:50)
    """
    counts = Counter(" ".join(block.split()) for block in blocks if block.strip())
    copies = max(counts.values(), default=0)
    return f"one block {copies} times" if copies >= limits.block_copies else ""


def _end_markers(extraction: Extraction, limits: Degenerate) -> str:
    """Return how many end markers a completion has, in words, if too many.
    (kirang89/ocamler-grpo doc/2025-12-11-epoch-0.21-training-failure-analysis.md:223)
    """
    count = extraction.end_markers
    # Each block may end with one.
    if count <= max(limits.end_markers, len(extraction.fenced_blocks)):
        return ""
    # _END_MARKERS matches this text.
    return f"{count} end markers"


def _same_lines(lines: Sequence[str], limits: Degenerate) -> str:
    """Return words for the same few lines over and over, as in `let x = 1` forty times, or "".

    In long code short lines such as `end` and `| _ -> false` recur, so there whole passages of up
    to 16 lines have to. A model that loops does so to the end, so only the last 20,000 lines are
    read.

    (kirang89/ocamler-grpo doc/2025-12-14-epoch-0.67-plateau-analysis.md:61)
    """
    if len(lines) < _FEW_LINES:
        return ""
    lines = lines[-_MOST_LINES:]
    length = min(len(lines) // _FEW_LINES, _LONG_PASSAGE)
    seen: set[tuple[str, ...]] = set()
    fresh = done = 0
    passages = zip(*(lines[start:] for start in range(length)), strict=False)
    for place, passage in enumerate(passages):
        if passage in seen:
            fresh += max(0, place - done)
            done = place + length
        seen.add(passage)
    fresh += len(lines) - done
    if fresh >= limits.distinct_share * len(lines):
        return ""
    return f"{fresh} distinct lines among {len(lines)} of code"


def _repetition(text: str, limits: Degenerate) -> str:
    """Return words for the same long passage over and over, at any distance and alignment, or "".

    A runaway repeats itself to its end, so only the last part of a long text is read.

    (the-crypt-keeper/can-ai-code greedy_jondurbin-airoboros-7b-gpt4-1.4.1-qlora:19)
    """
    text = text.strip()[-_SAMPLE_CHARS:]
    length = limits.repeat_chars
    least = max(length * limits.repeat_copies, limits.repeat_share * len(text))
    if len(text) < least or 3 * _recurring(text, length // 2) < least:
        return ""
    places = range(len(text) - length + 1)
    counts = Counter(text[place : place + length] for place in places)
    covered = 0
    done = 0
    for place in places:
        if counts[text[place : place + length]] >= limits.repeat_copies:
            covered += place + length - max(done, place)
            done = place + length
    if covered < least:
        return ""
    share = round(100 * covered / len(text))
    return f"passages of {length} characters recur over {share} % of the text"


def _recurring(text: str, window: int) -> int:
    """Count the characters in windows that also occur elsewhere: a fast lower bound.

    A passage twice as long as the window contains one of these windows entirely, wherever it
    starts; at worst they make up a third of such passages.
    """
    total = 0
    for place in range(0, len(text) - window + 1, window):
        piece = text[place : place + window]
        if text.find(piece) < place or text.find(piece, place + 1) >= 0:
            total += window
    return total
