"""The command `problems export`: writes problems as files that other programs read."""

from __future__ import annotations

from pathlib import Path

import click

from ocaml_reward import InputError
from ocaml_reward.formats import load_problems, write_problems

from ..terminal.exit_codes import BAD_LINES
from ..terminal.options import input_source, overwrite_option, refuse_existing
from ..terminal.text import counted


@click.command()
@click.argument("problems", metavar="PROBLEMS")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="Where they go, in the form of its name: .parquet, .csv, .tsv, else JSON Lines.",
)
@overwrite_option
@click.pass_context
def export(ctx: click.Context, *, problems: str, output: Path, overwrite: bool) -> None:
    """Write problems as JSON Lines or as parquet, which the hub's data sets are made of.

    In parquet each column is text, as lists and objects of a row would become one type for
    all: cases, libraries and budgets are JSON, and are read again as such.

    The exit code is 1 if some line is no problem; the others are written.
    """
    refuse_existing(output, overwrite=overwrite)
    given = load_problems(input_source(problems))
    if not given.problems:
        raise InputError(f"no problems in {problems}")
    write_problems(output, given.problems.values())
    click.echo(f"{counted(len(given.problems), 'problem')} written to {output}")
    for bad in given.bad:
        click.echo(str(bad), err=True)
    if given.bad:
        ctx.exit(BAD_LINES)
