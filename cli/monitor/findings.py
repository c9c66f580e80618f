"""Findings and epochs of a run, as rich shows them and as JSON has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trainer_plugin.health import Severity
from trainer_plugin.health.summary import EpochSummary, summaries
from trainer_plugin.watching.following import Following
from trainer_plugin.watching.watched import Told, Watched

from ..terminal.exit_codes import CRITICAL, WARNING
from ..terminal.text import clean, one_line

# What a line of learning.log does not know tells nobody anything.
_UNKNOWN = re.compile(r"(?<![ ])[ ]+\w+=nan(?:±nan)?")

STYLES: Final = {"critical": "bold red", "warning": "yellow", "healthy": "green"}

TRENDS: Final = {"rising": "↑", "falling": "↓", "steady": "→"}
MINUTE: Final = 60
INDENT: Final = 10


def status(run: Following) -> str:
    """Say in a word how a run is: by its gravest finding."""
    return run.worst.value if run.worst else "healthy"


def exit_code(run: Following) -> int:
    """Return what the command exits with."""
    codes = {Severity.CRITICAL: CRITICAL, Severity.WARNING: WARNING}
    return codes[run.worst] if run.worst else 0


def as_dict(run: Following) -> dict[str, Any]:
    """Return what is known of a run as what JSON can hold."""
    return {
        "schema": 1,
        "status": status(run),
        "steps": run.steps,
        "findings": [
            told.to_dict(lasts=watched.lasts(told)) for watched, told in run.told
        ],
        "epochs": [
            {"excerpt": watched.name, **each.to_dict()}
            for watched in run.logs.values()
            for each in summaries(watched.examination.history)
        ],
    }


def finding_lines(
    watched: Watched, told: Told, *, evidence: bool
) -> Iterator[tuple[int, Text]]:
    """Yield a finding's lines, each with how far it is indented: what, where, the evidence if
    it is asked for, and advice.
    """
    found = told.finding
    word = found.severity.value
    at = [] if told.step is None else [f"step {told.step}"]
    at += [] if told.epoch is None else [f"epoch {told.epoch:.2f}"]
    over = "" if watched.lasts(told) else "  (not at the last step)"
    yield (
        0,
        Text.assemble(
            (f"{word:<8}", STYLES[word]),
            f"  {one_line(found.rule)}  ",
            (f"{', '.join(at)}{over}", "dim"),
        ),
    )
    yield INDENT, Text(one_line(found.seen))
    if evidence:
        place = told.last if told.first == told.last else f"{told.first} to {told.last}"
        yield INDENT, Text(one_line(place), style="dim")
        yield INDENT, Text(_UNKNOWN.sub("", clean(told.text)), style="dim")
    yield INDENT, Text(f"advice: {one_line(found.advice)}")


def print_indented(screen: Console, lines: Iterable[tuple[int, Text]]) -> None:
    """Print lines; on a terminal what is broken off goes on below their beginnings."""
    for indent, line in lines:
        if screen.is_terminal:
            screen.print(Padding(line, (0, 0, 0, indent)))
        else:
            screen.print(Text(" " * indent).append_text(line))


def epochs_table(watched: Watched, *, last: int = 0) -> Table | None:
    """Return the figures of each epoch, or of the last ones, with where they go; None before
    there is one.
    """
    known = list(summaries(watched.examination.history))[-last:]
    if not known:
        return None
    table = Table(show_edge=False, pad_edge=False, box=None, header_style="dim")
    for name in ("epoch", "steps", "reward", "best of N", "pass@1", "loss", "time"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("similarity", justify="right", no_wrap=True)
    for each in known:
        trends = {change.figure: TRENDS[change.word] for change in each.changes}
        table.add_row(
            f"{each.epoch}" if each.whole else f"{each.epoch} so far",
            str(each.steps),
            *(
                cell(getattr(each, name), trends.get(name, " "))
                for name in ("reward", "best_of_n", "pass_at_1", "loss")
            ),
            f"{lasting(each.seconds)} {trends.get('seconds', ' ')}",
            cell(each.similarity, trends.get("similarity", " ")),
        )
    return table


def changes_line(each: EpochSummary) -> str:
    """Say what has changed in an epoch, by more than chance."""
    said = [
        f"{change.figure} {change.before:.3f} to {change.now:.3f}"
        + ("" if change.share is None else f" ({change.share:+.1%})")
        for change in each.changes
        if change.sure and change.figure != "seconds"
    ]
    return f"epoch {each.epoch}: {', '.join(said)}" if said else ""


def changes_lines(watched: Watched) -> Iterator[str]:
    """Yield what has changed from epoch to epoch."""
    for each in summaries(watched.examination.history):
        line = changes_line(each)
        if line:
            yield line


def cell(value: float | None, trend: str) -> str:
    """Write a figure with where it goes."""
    return f"{'-' if value is None else f'{value:.3f}'} {trend}"


def lasting(seconds: float | None) -> str:
    """Write a time in what people say: 43 s, 52.0 min, 3.1 h."""
    if seconds is None:
        return "-"
    if seconds < 2 * MINUTE:
        return f"{seconds:.0f} s"
    if seconds < 2 * MINUTE * MINUTE:
        return f"{seconds / MINUTE:.1f} min"
    return f"{seconds / MINUTE / MINUTE:.1f} h"
