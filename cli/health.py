"""The command `health`: the findings of the health rules about a training."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.live import Live
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ocaml_reward import InputError
from trainer_plugin.health import Severity
from trainer_plugin.health.summary import EpochSummary, summaries
from trainer_plugin.watching.following import Event, FollowedRun, LoggedFinding
from trainer_plugin.watching.progress import Progress, RunState

from .terminal.consoles import console
from .terminal.exit_codes import CRITICAL, STOPPED, WARNING
from .terminal.stopping import Stopped, stoppable
from .terminal.text import clean, counted, figure_text, one_line

STYLES: Final = {"critical": "bold red", "warning": "yellow", "healthy": "green"}
TRENDS: Final = {"rising": "↑", "falling": "↓", "steady": "→"}
INDENT: Final = 10
MINUTE: Final = 60
EVERY_S: Final = 1.0
FIRST_EVENTS: Final = 30
"""Maximum number of earlier steps and findings that `--follow` prints first."""
LOOKED_FOR: Final = "metrics.jsonl, learning.log and checkpoint-*/trainer_state.json"
_UNKNOWN: Final = re.compile(r"(?<![ ])[ ]+\w+=nan(?:±nan)?")


@click.command()
@click.argument("path", metavar="RUN|FILE", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--follow", is_flag=True, help="Go on with what comes, until the run is finished.")
@click.option(
    "--every",
    "every_s",
    metavar="SECONDS",
    type=click.FloatRange(min=0.05),
    default=EVERY_S,
    show_default=True,
    help="With --follow: how often to look.",
)
@click.pass_context
def health(ctx: click.Context, *, path: Path, as_json: bool, follow: bool, every_s: float) -> None:
    """Say what went wrong in a training, with the lines that show it.

    RUN is the output folder of a training, of one process or several, or a checkpoint in
    it. FILE is a learning.log, a metrics.jsonl, a trainer_state.json, or the captured
    output of a trainer that prints its figures as Python dicts, as TRL does.

    With --follow, steps and findings are printed as they come, until the run is finished;
    Ctrl-C leaves. RUN need not exist yet. A run that died is followed on, as it may be
    resumed.

    Exit code: 0 nothing was found; 4 warnings only; 5 something critical.
    """
    if follow and as_json:
        raise click.UsageError("--json goes without --follow")
    if not path.exists() and (path.suffix or not follow):
        raise InputError(f"{path}: no such file or folder")
    run = FollowedRun(path)
    if follow:
        try:
            with stoppable():
                follow_run(run, console(), every_s=every_s)
        except Stopped as stopped:
            ctx.exit(STOPPED + stopped.number)
    else:
        read(run)
        if as_json:
            click.echo(json.dumps(as_dict(run), ensure_ascii=False))
        else:
            show(run, console())
    ctx.exit(exit_code(run))


def read(run: FollowedRun) -> None:
    """Read a run; raises InputError if it has no logged step."""
    run.poll()
    if run.progress().state is not RunState.RUNNING:
        run.end()
    if not run.steps:
        where = f": {LOOKED_FOR} hold none, or are not there" if run.is_run else ""
        raise InputError(f"no logged step in {run.path.resolve()}{where}")


def worst_severity(run: FollowedRun) -> str:
    """Return the severity of a run's worst finding, or `healthy`."""
    return run.worst.value if run.worst else "healthy"


def exit_code(run: FollowedRun) -> int:
    """Return the exit code for a run's worst finding."""
    codes = {Severity.CRITICAL: CRITICAL, Severity.WARNING: WARNING}
    return codes[run.worst] if run.worst else 0


def as_dict(run: FollowedRun) -> dict[str, Any]:
    """Return the state of a run in JSON types."""
    return {
        "source": run.name,
        "schema": 1,
        "status": worst_severity(run),
        "steps": run.steps,
        "progress": run.progress().to_dict(),
        "findings": [found.to_dict(lasts=run.lasts(found)) for found in run.findings],
        "epochs": [each.to_dict() for each in summaries(run.examination.history)],
    }


def show(run: FollowedRun, screen: Console) -> None:
    """Print a run's progress, findings and epochs."""
    word = worst_severity(run)
    screen.print(
        Text.assemble(
            f"{one_line(run.log)}: ",
            (word, STYLES[word]),
            f", {counted(len(run.findings), 'finding')} in {counted(run.steps, 'logged step')}",
        )
    )
    progress = run.progress()
    if progress.state is not RunState.UNKNOWN:
        screen.print(progress_line(progress))
    screen.print()
    for found in run.findings:
        print_finding(screen, run, found, evidence=True)
    if not run.findings:
        screen.print(Text("healthy", style=STYLES["healthy"]))
    history = run.examination.history
    table = epochs_table(list(summaries(history)))
    if table is not None and (run.is_run or history.finished):
        screen.print()
        screen.print(table)
    for each in summaries(history):
        line = changes_line(each)
        if line:
            screen.print(Text(line))


def follow_run(run: FollowedRun, screen: Console, *, every_s: float) -> None:
    """Print steps and findings as they come, until the run is finished.

    On a terminal the last line shows the progress.
    """
    live = Live(console=screen, auto_refresh=False, transient=True)
    first = True
    with live if screen.is_terminal else nullcontext():
        while True:
            events = run.poll()
            progress = run.progress()
            over = progress.state is RunState.FINISHED
            if over:
                events += run.end()
            print_events(screen, run, events[-FIRST_EVENTS:] if first else events)
            first = first and not events
            if screen.is_terminal:
                live.update(status_line(run, progress), refresh=True)
            if over:
                break
            time.sleep(every_s)
    screen.print(status_line(run, progress))


def print_events(screen: Console, run: FollowedRun, events: list[Event]) -> None:
    """Print each step's line, and each finding with its advice."""
    for event in events:
        if isinstance(event, LoggedFinding):
            print_finding(screen, run, event, evidence=False)
        elif event.step.fresh:
            screen.print(Text(clean(event.text)))


def status_line(run: FollowedRun, progress: Progress) -> Text:
    """Return the status and the progress of a run on one line."""
    word = worst_severity(run)
    return Text.assemble(
        (one_line(run.name), "bold"),
        ": ",
        (word, STYLES[word]) if run.steps else "no step yet",
        ", ",
        progress_line(progress),
    )


def progress_line(progress: Progress) -> Text:
    """Return the state and the progress of a run."""
    parts = [] if progress.state is RunState.UNKNOWN else [progress.state.value]
    if progress.step is not None:
        parts.append(f"step {progress.step}" + (f" of {progress.steps}" if progress.steps else ""))
    if progress.epoch is not None:
        parts.append(f"epoch {progress.epoch:.2f}")
    if progress.eta_s is not None:
        parts.append(f"{duration(progress.eta_s)} left")
    if progress.last_line is not None:
        age = max(0.0, time.time() - progress.last_line)
        parts.append(f"last line {duration(age)} ago")
    if progress.state is RunState.STOPPED:
        parts.append("ocaml-reward train --resume goes on from its last checkpoint")
    return Text(", ".join(parts))


def print_finding(
    screen: Console, run: FollowedRun, found: LoggedFinding, *, evidence: bool
) -> None:
    """Print a finding; on a terminal, wrapped lines keep their indentation."""
    for indent, line in finding_lines(run, found, evidence=evidence):
        if screen.is_terminal:
            screen.print(Padding(line, (0, 0, 0, indent)))
        else:
            screen.print(Text(" " * indent).append_text(line))


def finding_lines(
    run: FollowedRun, found: LoggedFinding, *, evidence: bool
) -> Iterator[tuple[int, Text]]:
    """Yield the lines of a finding, each with its indentation."""
    finding = found.finding
    word = finding.severity.value
    at = [] if found.step is None else [f"step {found.step}"]
    at += [] if found.epoch is None else [f"epoch {found.epoch:.2f}"]
    over = "" if run.lasts(found) else "  (not at the last step)"
    yield (
        0,
        Text.assemble(
            (f"{word:<8}", STYLES[word]),
            f"  {one_line(finding.rule)}  ",
            (f"{', '.join(at)}{over}", "dim"),
        ),
    )
    yield INDENT, Text(one_line(finding.seen))
    if evidence:
        place = found.last
        if found.first != found.last:
            place = f"{found.first} to {found.last}"
        yield INDENT, Text(one_line(place), style="dim")
        yield INDENT, Text(_UNKNOWN.sub("", clean(found.text)), style="dim")
    yield INDENT, Text(f"advice: {one_line(finding.advice)}")


def epochs_table(epochs: list[EpochSummary]) -> Table | None:
    """Return the figures of each epoch with their trends; None without epochs."""
    if not epochs:
        return None
    table = Table(show_edge=False, pad_edge=False, box=None, header_style="dim")
    for name in ("epoch", "steps", "reward", "best of N", "pass@1", "loss", "time"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("similarity", justify="right", no_wrap=True)
    for each in epochs:
        trends = {change.figure: TRENDS[change.word] for change in each.changes}
        table.add_row(
            f"{each.epoch}" if each.whole else f"{each.epoch} so far",
            str(each.steps),
            *(
                figure_cell(getattr(each, name), trends.get(name, " "))
                for name in ("reward", "best_of_n", "pass_at_1", "loss")
            ),
            f"{duration(each.seconds)} {trends.get('seconds', ' ')}",
            figure_cell(each.similarity, trends.get("similarity", " ")),
        )
    return table


def changes_line(epoch: EpochSummary) -> str:
    """Return the significant changes of an epoch; empty if there are none."""
    parts = [
        f"{change.figure} {change.before:.3f} to {change.now:.3f}"
        + ("" if change.share is None else f" ({change.share:+.1%})")
        for change in epoch.changes
        if change.significant and change.figure != "seconds"
    ]
    return f"epoch {epoch.epoch}: {', '.join(parts)}" if parts else ""


def figure_cell(value: float | None, trend: str) -> str:
    """Format a figure with its trend."""
    return f"{figure_text(value)} {trend}"


def duration(seconds: float | None) -> str:
    """Format a duration, such as 43 s, 52.0 min or 3.1 h."""
    if seconds is None:
        return "-"
    if seconds < 2 * MINUTE:
        return f"{seconds:.0f} s"
    if seconds < 2 * MINUTE * MINUTE:
        return f"{seconds / MINUTE:.1f} min"
    return f"{seconds / MINUTE / MINUTE:.1f} h"
