"""A run at a glance: how far it is, its figures as sparklines, credits, findings, last lines."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trainer_plugin.health.history import History
from trainer_plugin.watching.following import Following
from trainer_plugin.watching.state import Progress, State
from trainer_plugin.watching.watched import PARTS, SHOWN, Told, Watched

from ..terminal.text import clean, one_line
from .findings import (
    INDENT,
    STYLES,
    as_dict,
    epochs_table,
    finding_lines,
    lasting,
    status,
)

BLOCKS: Final = "▁▂▃▄▅▆▇█"
PLAIN: Final = "_.:-=+*#"
NAMES: Final = {"frac_zero_std": "zero std"}
COLOURS: Final = ("cyan", "blue", "magenta", "green", "bright_green")
TALL: Final = 36
"""The lines from which there is room for everything; so many has a picture that is no
terminal's.
"""
FEW: Final = ("reward", "pass_at_1", "best_of_n", "frac_zero_std", "loss", "grad_norm")
WIDE: Final = 60
"""The columns from which there is room for every figure's mean."""
FINDINGS: Final = 3
EPOCHS: Final = 4
LINES: Final = 10


def picture(
    run: Following,
    progress: Progress,
    *,
    now: float,
    width: int,
    height: int,
    plain: bool,
) -> RenderableType:
    """Draw a run.

    Args:
        run: What was read of it.
        progress: How far it is.
        now: The time, in Unix seconds, that the age of the last line counts from.
        width: Columns of the terminal.
        height: Lines of the terminal.
        plain: Whether it has ASCII only.

    Returns:
        What rich can print, of no more lines than the terminal has where that can be.
    """
    watched = run.main
    parts: list[RenderableType] = [*heading(run, progress, now=now)]
    if watched.steps:
        short = height < TALL
        shown = FEW if short else SHOWN
        parts += [Text(), figures(watched, shown, width=width, plain=plain)]
        parts += credits_bar(watched, width=width, plain=plain)
        parts += [Text(), *findings(watched, most=1 if short else FINDINGS)]
        # An empty line before the last ones, and the one that the cursor is in.
        left = height - lines_of(parts, width) - 2
        table = epochs_table(watched, last=EPOCHS)
        if table is not None and left > table.row_count + 2:
            parts += [Text(), table]
            left -= table.row_count + 2
        # A table of epochs is one line, whatever epoch a step is of.
        texts = list(dict.fromkeys(clean(line.text) for line in watched.lines))
        parts.append(Text())
        for text in texts[-max(1, min(LINES, left)) :]:
            parts.append(Text(text, style="dim", no_wrap=True, overflow="ellipsis"))
    return Group(*parts)


def lines_of(parts: Sequence[RenderableType], width: int) -> int:
    """Count the lines of what is drawn so far."""
    from rich.console import Console  # noqa: PLC0415 (one that prints nowhere)

    return len(Console(width=width).render_lines(Group(*parts)))


def heading(run: Following, progress: Progress, *, now: float) -> Iterator[Text]:
    """Say what run it is, whether it goes on, and how far it is."""
    word = status(run)
    state = progress.state
    line = Text(one_line(run.path.resolve().name), style="bold")
    if state is not State.UNKNOWN:
        line.append(f"  {state.value}", style="red" if state is State.STOPPED else "")
    if run.steps:
        line.append("  ")
        line.append(word, style=STYLES[word])
    yield line
    if state is State.WAITING:
        yield Text(f"waiting for the first line in {one_line(str(run.path))}")
        return
    said = []
    if progress.step is not None:
        of = f" of {progress.steps}" if progress.steps else ""
        said.append(f"step {progress.step}{of}")
    if progress.epoch is not None:
        said.append(f"epoch {progress.epoch:.2f}")
    if progress.eta_s is not None:
        said.append(f"{lasting(progress.eta_s)} left")
    if progress.last_line is not None:
        said.append(f"last line {lasting(max(0.0, now - progress.last_line))} ago")
    yield Text(", ".join(said))
    if state is State.STOPPED:
        yield Text(
            "the run's process is gone; ocaml-reward train --resume goes on from its last"
            " checkpoint"
        )


def figures(
    watched: Watched, shown: Sequence[str], *, width: int, plain: bool
) -> Table:
    """Draw the course of each figure that is known."""
    table = Table(show_edge=False, pad_edge=False, box=None, header_style="dim")
    table.add_column("", no_wrap=True)
    wide = width >= WIDE
    table.add_column("from the first step" if wide else "", no_wrap=True)
    heads = ["last", f"mean of {len(watched.examination.history.recent)}"]
    for name in heads if wide else heads[:1]:
        table.add_column(name, justify="right", no_wrap=True)
    room = max(6, width - (42 if wide else 27))
    for name in shown:
        series = watched.series[name]
        if series.last is None:
            continue
        drawn = spark(series.means(room), plain=plain)
        mean = recent_mean(watched.examination.history, name)
        cells = [written(series.last), "-" if mean is None else written(mean)]
        table.add_row(
            NAMES.get(name, name.replace("_", " ")),
            Text(drawn, style="cyan"),
            *(cells if wide else cells[:1]),
        )
    return table


def credits_bar(
    watched: Watched, *, width: int, plain: bool
) -> Iterator[RenderableType]:
    """Draw what the last step's completions earned of 1, part by part."""
    if not watched.credits:
        return
    room = max(10, width - 9)
    bar = Text("credits  ")
    names = Text("         ")
    for part, colour in zip(PARTS, COLOURS, strict=True):
        if part not in watched.credits:
            continue
        value = watched.credits[part]
        bar.append(("#" if plain else "█") * round(room * value), style=colour)
        names.append(f"{part} ", style=colour)
        names.append(f"{value:.3f}  ")
    bar.append(("." if plain else "░") * max(0, room + 9 - len(bar)), style="dim")
    yield from (Text(), bar, names)


def findings(watched: Watched, *, most: int) -> Iterator[RenderableType]:
    """Show the findings that are so now, the gravest and newest first, then others."""
    if not watched.told:
        yield Text("healthy", style=STYLES["healthy"])
        return
    newest: dict[str, Told] = {}
    for told in reversed(watched.told):
        newest.setdefault(told.finding.rule, told)
    ordered = sorted(
        newest.values(),
        key=lambda told: (
            not watched.lasts(told),
            told.finding.severity.value != "critical",
        ),
    )
    for told in ordered[:most]:
        for indent, line in finding_lines(watched, told, evidence=False):
            yield Padding(line, (0, 0, 0, indent))
    if ordered[most:]:
        names = ", ".join(one_line(told.finding.rule) for told in ordered[most:])
        yield Padding(Text(f"and {names}", style="dim"), (0, 0, 0, INDENT))


def spark(values: Sequence[float], *, plain: bool = False) -> str:
    """Draw values, from the lowest to the highest of them."""
    signs = PLAIN if plain else BLOCKS
    if not values:
        return ""
    low, high = min(values), max(values)
    if low == high:
        return signs[len(signs) // 2 if low else 0] * len(values)
    scale = (len(signs) - 1) / (high - low)
    return "".join(signs[round((value - low) * scale)] for value in values)


def once(run: Following, progress: Progress, *, source: Path) -> dict[str, Any]:
    """Return the picture as what JSON can hold."""
    watched = run.main
    return {
        "source": source.name,
        **as_dict(run),
        "progress": progress.to_dict(),
        "figures": {
            name: {
                "last": watched.series[name].last,
                "mean": recent_mean(watched.examination.history, name),
            }
            for name in SHOWN
            if watched.series[name].last is not None
        },
        "credits": dict(watched.credits),
        "lines": [line.text for line in list(watched.lines)[-LINES:]],
    }


def recent_mean(history: History, name: str) -> float | None:
    """Average a figure over the last logged steps."""
    values = history.values(name)
    return statistics.fmean(values) if values else None


def written(value: float) -> str:
    """Write a figure: as many decimals as learning.log has of it, small ones with a power."""
    return f"{value:.2e}" if 0 < abs(value) < 1e-3 else f"{value:.3f}"
