"""Completions that fill their length instead of answering.

Each looks at the completion as a whole and asks for a lot of evidence: a helper in a
block of its own, a comment in plain English, a one-line answer or a guard that fails
with a message are all honest.
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
"""The one sign that depends on a scheme's end marker."""

_SAMPLE_CHARS = 32_768
_FEW_LINES = 8
# Lines that nobody writes again in the same order, unless by copying.
_LONG_PASSAGE = 16
# More than anybody writes; bounds the work on megabytes of short lines.
_MOST_LINES = 20_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Degenerate:
    """A degenerate completion that passes a check keeps `factor`; any other keeps nothing.

    The other numbers say what counts as degenerate; nothing that passes every check does.
    `prose_share`: this share of the lines of code that does not type is English.
    `spare_share`: with more than `blocks` fenced blocks, this share of them is empty or
    adds no new line.  `block_copies`: one block stands there so often.  `end_markers`:
    more END markers than this, and than blocks.  `repeat_chars`, `repeat_copies`,
    `repeat_share`: passages of so many characters that recur so often cover this share
    of the completion.  `distinct_share`: fewer of its lines of code are distinct.
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
    """Find the signs."""
    return "; ".join(evidence_of_degeneracy(report, extraction, values.degenerate))


def _take(facts: Facts, values: Any) -> Penalty | None:
    """Punish filling the length instead of answering; several signs are one penalty.

    What passes every check has answered, and repeats itself as its problem does: a literal board
    of equal rows, or one call for each case.  Spam that passes no check keeps nothing.  A share
    of its other credits would be a constant reward, as the same spam earns them whatever the
    problem, and models that find such a constant stay there.
    """
    if facts.verdict is Verdict.PASSED:
        return None
    signs = [
        sign
        for sign in facts.evidence(DEGENERATE).split("; ")
        if sign and (facts.marker_known or not _END_MARKERS.fullmatch(sign))
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
    """List what speaks against a completion, each in a few words; empty for honest work."""
    found = (
        _prose(report, extraction, limits),
        _spare_blocks(extraction.fenced_blocks, limits),
        _block_copies(extraction.fenced_blocks, limits),
        _end_markers(extraction, limits),
        _repetition(extraction.text, limits),
        _same_lines(extraction.own.lines, limits),
    )
    return tuple(sign for sign in found if sign)


def _prose(
    report: CheckReport | None, extraction: Extraction, limits: Degenerate
) -> str:
    """Find English where code should be.  What compiles is code, however it reads.

    The first 20,000 lines will do.
    """
    if report is None or report.stage not in {Stage.SYNTAX_ERROR, Stage.TYPE_ERROR}:
        return ""
    lines = [
        line for line in extraction.own.without_literals.split("\n") if line.strip()
    ]
    del lines[_MOST_LINES:]
    prose = sum(map(is_english, lines))
    if not prose or prose < limits.prose_share * len(lines):
        return ""
    return f"prose in {prose} of {len(lines)} lines of code"


def _spare_blocks(blocks: Sequence[str], limits: Degenerate) -> str:
    """Find fence after fence with nothing new inside."""
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
    counts = Counter(" ".join(block.split()) for block in blocks if block.strip())
    copies = max(counts.values(), default=0)
    return f"one block {copies} times" if copies >= limits.block_copies else ""


def _end_markers(extraction: Extraction, limits: Degenerate) -> str:
    count = extraction.end_markers
    # Blocks may each end with one.
    if count <= max(limits.end_markers, len(extraction.fenced_blocks)):
        return ""
    # _END_MARKERS reads this.
    return f"{count} end markers"


def _same_lines(lines: Sequence[str], limits: Degenerate) -> str:
    """Find the same few lines again and again, as in `let x = 1` forty times.

    In long code every short line recurs, as `end` and `| _ -> false` do, and it is not
    said again unless those around it are: there passages have to recur, of up to sixteen
    lines.  Whoever loops does so up to the end: the last 20,000 lines will do.
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
    """Find the same long passage again and again, at any distance and alignment.

    A runaway repeats itself up to its end, so the last part of a long text will do.
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
    """Count the characters in windows that stand somewhere else too: a fast lower bound.

    A passage twice as long as the window holds one of these windows entirely, wherever
    it starts; at worst they make up a third of such passages.
    """
    total = 0
    for place in range(0, len(text) - window + 1, window):
        piece = text[place : place + window]
        if text.find(piece) < place or text.find(piece, place + 1) >= 0:
            total += window
    return total
