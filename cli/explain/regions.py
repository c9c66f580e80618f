"""Formats the regions of the code that are right or wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from rich.text import Text

from ocaml_reward import Breakdown, Ground, Mark, Region
from ocaml_reward.model import Blame

from ..terminal.text import shortened

STYLES: Final = {Mark.RIGHT: "green", Mark.WRONG: "red", Mark.UNKNOWN: "default"}
SIGNS: Final = {
    Mark.RIGHT: "\N{CHECK MARK}",
    Mark.WRONG: "\N{BALLOT X}",
    Mark.UNKNOWN: "?",
}
SUSPECTS: Final = 3
LEAST: Final = 0.01
SENTENCES: Final = {
    Ground.ERROR: "what an error is about",
    Ground.HOLDS_ERROR: "holds an error",
    Ground.UNPARSED: "does not parse by itself",
    Ground.FORBIDDEN: "uses what is forbidden",
    Ground.MISFIT: "the tests do not type with it",
    Ground.UNTESTED: "no check that ran needs it",
}
# For these the code says more than the name of its definition.
BRANCHES: Final = (Ground.FAILING_BRANCH, Ground.PASSING_BRANCH)
SHOWN_AS_CODE: Final = (Ground.ERROR, Ground.FORBIDDEN, *BRANCHES)


def region_lines(breakdown: Breakdown, *, width: int) -> Iterator[Text]:
    """Yield a line for each region, in order."""
    for region in _merged(breakdown.regions or ()):
        mark = region.mark
        lines = f"{region.line}"
        if region.end_line > region.line:
            lines += f"-{region.end_line}"
        name = " ".join(region.names)
        if region.ground in SHOWN_AS_CODE or not name:
            name = breakdown.code[region.start : region.stop]
        head = f"line {lines:<8} {shortened(name, 20):<20}  "
        text = Text(f"  {SIGNS[mark]} ", style=STYLES[mark])
        text.append(head, style="default")
        room = max(width - len(head) - 4, 20)
        text.append(shortened(region_sentence(region), room), style="dim")
        text.rstrip()
        yield text


def blame_lines(code: str, blame: Sequence[Blame], *, width: int) -> Iterator[Text]:
    """Yield the three most likely locations of the mistake, with their probabilities."""
    shown = [each for each in blame if each.weight >= LEAST]
    for place in shown[:SUSPECTS]:
        shown_code = shortened(" ".join(_code_at(code, place).split()), 40)
        head = f"line {place.line}, column {place.column}"
        text = Text(f"  {place.weight:4.0%}  ", style="red")
        text.append(shortened(f"{head:<22}  {shown_code}", max(width - 8, 20)), style="default")
        yield text


def _code_at(code: str, place: Blame) -> str:
    lines = code.encode("utf-8", "replace").split(b"\n")[place.line - 1 : place.end_line]
    lines[-1:] = [lines[-1][: place.end_column]]
    lines[:1] = [lines[0][place.column :]]
    return b"\n".join(lines).decode("utf-8", "replace")


def _merged(found: Sequence[Region]) -> list[Region]:
    """Merge a body with its definition if both have the same mark.

    The parts of a definition around its branches or errors become one region, before these.
    """
    rows: list[Region] = []
    around = 0
    for each in found:
        if rows and each.ground in SHOWN_AS_CODE:
            rows.append(each)
            continue
        last = rows[around] if rows else None
        alike = last is not None and last.ground is each.ground
        if last and alike and each.names in ((), last.names):
            rows[around] = replace(last, stop=each.stop, end_line=each.end_line)
        else:
            around = len(rows)
            rows.append(each)
    return rows


def region_sentence(region: Region) -> str:
    """Return the reason for the mark of a region."""
    counts = {"passed": region.passed, "failed": region.failed}
    if region.ground in SENTENCES:
        return SENTENCES[region.ground]
    ended = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    how = "entered" if region.ground in BRANCHES else "needed"
    return f"{how} by checks: {ended}"
