"""The command `health`: what the rules of health say about a run, after the fact."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.text import Text

from ocaml_reward import InputError
from trainer_plugin.watching.following import Following

from .monitor.findings import (
    STYLES,
    as_dict,
    changes_lines,
    epochs_table,
    exit_code,
    finding_lines,
    print_indented,
    status,
)
from .terminal.consoles import console
from .terminal.text import counted, one_line


@click.command()
@click.argument("path", metavar="RUN|FILE", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def health(ctx: click.Context, *, path: Path, as_json: bool) -> None:
    """Say what went wrong in a training, with the lines that show it.

    RUN is a training's output folder, of one process or several; FILE is a learning.log by
    itself, also of another program that writes such lines, a metrics.jsonl, or a page of
    Markdown with lines or tables of epochs in it.

    Exit code: 0 nothing was found; 4 warnings only; 5 something critical.
    """
    run = read(path)
    if as_json:
        told = {"source": path.name, **as_dict(run)}
        click.echo(json.dumps(told, ensure_ascii=False))
    else:
        show(path, run)
    ctx.exit(exit_code(run))


def read(path: Path) -> Following:
    """Read a whole run; raises InputError where there is no step."""
    if not path.exists():
        raise InputError(f"{path}: no such file or folder")
    run = Following(path)
    run.poll()
    run.end()
    if not run.steps:
        where = "learning.log or metrics.jsonl in " if path.is_dir() else ""
        raise InputError(f"no logged step in {where}{path}")
    return run


def show(path: Path, run: Following) -> None:
    """Print the findings, log by log, and the epochs."""
    screen = console()
    word = status(run)
    found = sum(1 for _ in run.told)
    screen.print(
        Text.assemble(
            f"{one_line(path.name)}: ",
            (word, STYLES[word]),
            f", {counted(found, 'finding')} in {counted(run.steps, 'logged step')}",
        )
    )
    for watched in run.logs.values():
        screen.print()
        if watched.name:
            screen.print(Text(one_line(watched.name), style="bold"))
        for told in watched.told:
            print_indented(screen, finding_lines(watched, told, evidence=True))
        if not watched.told:
            screen.print(Text("healthy", style=STYLES["healthy"]))
        table = epochs_table(watched)
        if table is not None and (run.is_run or watched.examination.history.finished):
            screen.print()
            screen.print(table)
        for line in changes_lines(watched):
            screen.print(Text(line))
