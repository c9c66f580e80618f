"""Prints the explanation of one reward."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Final

from rich.text import Text

from ocaml_reward import Breakdown, Verdict
from ocaml_reward.model import MergedError
from ocaml_reward.scheme import RewardScheme

from ..terminal.consoles import console
from ..terminal.text import one_line, provenance_line, sandbox_warning
from .hints import hints
from .listing import listing
from .reasons import merged_lines
from .regions import blame_lines, region_lines
from .sections import check_lines, credit_lines, group_lines, penalty_lines, reward_lines
from .sources import CheckSources

MAX_WIDTH: Final = 100
KNOWN: Final = frozenset(
    (
        *("problem_id", "reward", "verdict", "credits", "reasons", "penalties"),
        *("type_errors", "typed_fraction", "parsed_share", "truncated", "diagnostics"),
        *("forbidden", "tests", "regions", "through_holes", "blame", "fault"),
        *("engine", "sandbox", "scheme", "toolchain", "code", "given", "timings_ms"),
    )
)
"""Fields of the record that have a section or are part of a reason; others are listed.

A field that gets a line of its own is added here.
"""


STYLES: Final = {
    Verdict.PASSED: "green",
    Verdict.FORBIDDEN: "red",
    Verdict.UNGRADED: "magenta",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Explanation:
    """A breakdown to explain.

    Attributes:
        title: The first line.
        breakdown: The breakdown.
        scheme: The scheme of the reward; None if it is unknown.
        sources: The source of its checks.
        notes: Warnings below the title.
        on_scheme: A remark about the scheme.
    """

    title: str
    breakdown: Breakdown
    scheme: RewardScheme | None
    sources: CheckSources
    notes: tuple[str, ...] = ()
    on_scheme: str = ""


def print_explanation(case: Explanation, merged: Sequence[MergedError] | None = None) -> None:
    """Print an explanation in the width of the terminal, or 80 columns without one.

    `merged` lists the errors that were found and not counted, if that was asked for.
    """
    screen = console()
    width = min(screen.width, MAX_WIDTH)
    for line in explanation_lines(case, width=width):
        screen.print(line)
    if merged is not None:
        counted = case.breakdown.type_errors or 0
        for line in (*section("found and not counted"), *merged_lines(merged, counted)):
            screen.print(line)


def explanation_lines(case: Explanation, *, width: int) -> Iterator[Text]:
    """Yield the explanation, section by section."""
    breakdown = case.breakdown
    yield from heading(case, width=width)
    yield from section("code")
    yield from listing(
        breakdown.code,
        breakdown.diagnostics,
        width=width,
        sources=case.sources,
        regions=breakdown.regions or (),
    )
    if not breakdown.code.strip():
        yield Text("  (none)", style="dim")
    for hint in hints(breakdown, case.sources):
        yield from wrapped(hint, width=width, indent="  ", style="yellow")
    if breakdown.forbidden:
        yield from section("forbidden")
        for construct in breakdown.forbidden:
            yield Text(f"  {one_line(construct)}", style="red")
    if breakdown.blame:
        yield from section("where the mistake may be")
        yield from blame_lines(breakdown.code, breakdown.blame, width=width)
    if breakdown.regions:
        yield from section("regions")
        yield from region_lines(breakdown, width=width)
    tally = breakdown.tests
    taken = "" if tally.steps is None else f" in {tally.steps:,} steps"
    untested = breakdown.verdict is Verdict.COMPILES
    counts = "none" if untested else f"{tally.passed} of {tally.total} passed{taken}"
    yield from section(f"checks: {counts}")
    yield from check_lines(tally.results, case.sources, width=width)
    yield from group_lines(tally)
    if through := breakdown.through_holes:
        yield from section("checks through holes, which nothing is paid for")
        yield from check_lines(through, case.sources, width=width)
    yield from section(f"credits, scheme {one_line(breakdown.scheme)}")
    yield from credit_lines(breakdown, case.scheme, width=width)
    yield from wrapped(case.on_scheme, width=width, indent="  ")
    if breakdown.penalties:
        yield from section("penalties")
        yield from penalty_lines(breakdown, width=width)
    yield from other_fields(breakdown, width=width)
    yield from section("reward")
    yield from reward_lines(breakdown)


def other_fields(breakdown: Breakdown, *, width: int) -> Iterator[Text]:
    """Yield the fields without a section of their own, in the order of the record."""
    others = [each.name for each in fields(breakdown) if each.name not in KNOWN]
    if others:
        yield from section("other fields")
    for name in others:
        value = one_line(str(getattr(breakdown, name)))
        yield from wrapped(f"{name}: {value}", width=width, indent="  ")


def heading(case: Explanation, *, width: int) -> Iterator[Text]:
    """Yield the title, the verdict, the engine and the notes."""
    breakdown = case.breakdown
    verdict = breakdown.verdict
    yield Text(one_line(case.title), style="bold")
    style = STYLES.get(verdict, "yellow")
    yield Text(verdict.value, style=style).append(f": {verdict.sentence}", style="default")
    made = provenance_line(breakdown.engine, breakdown.sandbox, breakdown.toolchain)
    yield Text(made, style="dim")
    for note in (sandbox_warning(breakdown.sandbox), *case.notes):
        yield from wrapped(note or "", width=width, style="yellow")


def wrapped(note: str, *, width: int, indent: str = "", style: str = "") -> Iterator[Text]:
    """Yield the lines of a note, wrapped."""
    for line in textwrap.wrap(
        one_line(note), width, initial_indent=indent, subsequent_indent=indent
    ):
        yield Text(line, style=style)


def section(title: str) -> Iterator[Text]:
    """Yield the heading of a section, after a blank line."""
    yield Text()
    yield Text(title, style="bold")
