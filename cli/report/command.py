"""The command `report`: trainings and scored files as one page for a browser."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

from ocaml_reward.formats import load_problems, write_whole

from ..score.command import refuse_same_file
from ..terminal.exit_codes import BAD_LINES
from ..terminal.options import overwrite_option, refuse_existing
from ..terminal.progress import progress
from ..terminal.text import counted
from .data import Report
from .page import page, plotting_library
from .sources import find_sources

MOST_COMPLETIONS: Final = 20_000


@click.command()
@click.argument(
    "sources",
    metavar="SOURCE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
)
@click.option(
    "-o",
    "--output",
    "output_name",
    metavar="FILE",
    default="report.html",
    show_default=True,
    help="Where the page goes; - is standard output.",
)
@click.option(
    "--completions",
    "most",
    metavar="N",
    type=click.IntRange(min=0),
    default=MOST_COMPLETIONS,
    show_default=True,
    help="How many completions can be looked at in the page. Of more, whole groups are"
    " drawn, the same ones each time; pictures and figures are of all.",
)
@click.option(
    "--problems",
    "problems_path",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Problems and their tests, as for score: each completion is shown with its prompt,"
    " and each check with its text. Else problems.jsonl in the folder of a source.",
)
@overwrite_option
@click.pass_context
def report(
    ctx: click.Context,
    *,
    sources: tuple[Path, ...],
    output_name: str,
    most: int,
    problems_path: Path | None,
    overwrite: bool,
) -> None:
    """Make a page that shows what came of a training, or of scored files.

    SOURCE is the output of score, the folder of an evaluation or of scored files, the
    output folder of a training, or a learning.log. Several are held against each other.

    The page is one file that fetches nothing: pictures, the findings of health, and each
    completion with its prompt, its diagnostics, checks and the sum of its reward. It needs the extra
    report: pip install 'ocaml-reward[report]'.
    """
    target = None if output_name == "-" else Path(output_name)
    problems = load_problems(problems_path) if problems_path else None
    refuse_same_file(output_name, *map(str, (*sources, *filter(None, [problems_path]))))
    refuse_existing(target, overwrite=overwrite)
    library = plotting_library()
    made = Report(most=most, problems=problems)
    bad = 0
    with progress(
        ctx,
        total=None,
        doing="reading",
        when_stopped=lambda: "stopped; no report is written",
    ) as screen:

        def complain(message: str) -> None:
            nonlocal bad
            bad += 1
            screen.list("lines left out", message)

        for line in () if problems is None else problems.bad:
            complain(str(line))
        for source in find_sources(sources):
            made.add(source, report=complain, step=screen.step)
        if problems_path and problems is not None:
            made.add_certificate(problems_path, problems.problems)
        summary = made.summary()
        write(target, page(summary, made.details(), made.problems(), library))
    if target is not None:
        shown = counted(summary["total"], "completion")
        if summary["kept"] < summary["total"]:
            shown += f", {summary['kept']} of them to look at"
        click.echo(f"{target}: {shown}")
    if bad:
        ctx.exit(BAD_LINES)


def write(target: Path | None, parts: Iterable[str]) -> None:
    """Write a page whole, or not at all.  Raises FormatError or MachineError."""
    if target is not None:
        write_whole(target, parts)
        return
    for part in parts:
        sys.stdout.buffer.write(part.encode())
    sys.stdout.buffer.flush()
