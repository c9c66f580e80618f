"""The command `monitor`: a training, watched while it goes."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypeVar

import click
from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from ocaml_reward import InputError
from trainer_plugin.watching.following import Following
from trainer_plugin.watching.state import State
from trainer_plugin.watching.steps import Logged
from trainer_plugin.watching.watched import Told

from ..terminal.consoles import console
from ..terminal.exit_codes import STOPPED
from ..terminal.stopping import Stopped, stoppable
from ..terminal.text import clean
from .findings import exit_code, finding_lines, print_indented
from .picture import TALL, once, picture

EVERY_S: Final = 1.0

T = TypeVar("T")


@click.command()
@click.argument("path", metavar="RUN|FILE", type=click.Path(path_type=Path))
@click.option(
    "--once", "is_once", is_flag=True, help="Show what there is now, and leave."
)
@click.option("--json", "as_json", is_flag=True, help="With --once: one JSON object.")
@click.option(
    "--every",
    "every_s",
    metavar="SECONDS",
    type=click.FloatRange(min=0.05),
    default=EVERY_S,
    show_default=True,
    help="How often to look.",
)
@click.pass_context
def monitor(
    ctx: click.Context, *, path: Path, is_once: bool, as_json: bool, every_s: float
) -> None:
    """Watch a training: its figures, its lines, its health.

    RUN is a training's output folder, which may still be empty; FILE is a learning.log by
    itself. Follows the logs of all processes, through rotation and resumption, until the
    run is finished; Ctrl-C leaves. A run that died is said to have, and followed on, as it
    may be resumed. Where the output is no terminal, lines and findings are printed as they
    come.

    Exit code: 0 nothing was found; 4 warnings only; 5 something critical.
    """
    if as_json and not is_once:
        raise click.UsageError("--json goes with --once")
    if not path.exists() and path.suffix:
        raise InputError(f"{path}: no such file or folder")
    run = Following(path)
    screen = console()
    if is_once:
        run.poll()
        if not run.is_run or run.progress().state is State.FINISHED:
            run.end()
        if as_json:
            told = once(run, run.progress(), source=path)
            click.echo(json.dumps(told, ensure_ascii=False))
        else:
            screen.print(drawn(run, screen), soft_wrap=False)
        ctx.exit(exit_code(run))
    try:
        with stoppable():
            follow(run, screen, every_s=every_s)
    except Stopped as stopped:
        ctx.exit(STOPPED + stopped.number)
    ctx.exit(exit_code(run))


def follow(run: Following, screen: Console, *, every_s: float) -> None:
    """Show a run until it is finished."""
    if not screen.is_terminal:
        follow_lines(run, screen, every_s=every_s)
        return
    with Live(console=screen, auto_refresh=False, vertical_overflow="crop") as live:
        while True:
            run.poll()
            over = run.progress().state is State.FINISHED
            if over:
                run.end()
            live.update(drawn(run, screen), refresh=True)
            if over:
                return
            time.sleep(every_s)


def follow_lines(run: Following, screen: Console, *, every_s: float) -> None:
    """Print what comes, line by line."""
    line: Logged | None = None
    finding: Told | None = None
    while True:
        run.poll()
        over = run.progress().state is State.FINISHED
        if over:
            run.end()
        watched = run.main
        for new in after(watched.lines, line):
            line = new
            screen.print(Text(clean(new.text)))
        for told in after(watched.told, finding):
            finding = told
            print_indented(screen, finding_lines(watched, told, evidence=False))
        if over:
            return
        time.sleep(every_s)


def after(known: Iterable[T], last: T | None) -> list[T]:
    """Return what came after the last that was printed; all, where that is gone."""
    new: list[T] = []
    for each in known:
        if each is last:
            new = []
        else:
            new.append(each)
    return new


def drawn(run: Following, screen: Console) -> RenderableType:
    """Draw a run for a console."""
    return picture(
        run,
        run.progress(),
        now=time.time(),
        width=screen.width,
        height=screen.height if screen.is_terminal else TALL,
        plain="utf" not in screen.encoding.lower(),
    )
