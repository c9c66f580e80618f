"""The command `problems export`: writes problems as files that other programs read."""

from __future__ import annotations

from pathlib import Path

import click

from ocaml_reward import InputError
from ocaml_reward.formats import load_problems, write_problems
from ocaml_reward.formats.folders.harbor import write_tasks
from ocaml_reward.scheme import load, to_toml

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
    metavar="PATH",
    help="Where they go, in the form of its name: .parquet, .csv, .tsv, else JSON Lines; with"
    " --harbor a folder.",
)
@click.option(
    "--harbor",
    is_flag=True,
    help="Write a folder for each problem, as Harbor's tasks are.",
)
@click.option(
    "--scheme",
    "scheme_name",
    metavar="NAME|FILE",
    help="The reward scheme of these tasks.  [default: concise, as a file needs no end marker]",
)
@overwrite_option
@click.pass_context
def export(
    ctx: click.Context,
    *,
    problems: str,
    output: Path,
    harbor: bool,
    scheme_name: str | None,
    overwrite: bool,
) -> None:
    """Write problems as JSON Lines, as parquet, which the hub's data sets are made of, or as tasks
    for Harbor.

    In parquet each column is text, as lists and objects of a row would become one type for
    all: cases, libraries and budgets are JSON, and are read again as such.

    A task of Harbor grades /workdir/answer.ml, or answer.txt, in a container of its own, which has
    the problem and the scheme. With --overwrite it replaces the one of its name.

    The exit code is 1 if some line is no problem; the others are written.
    """
    if scheme_name and not harbor:
        raise click.UsageError("--scheme is for --harbor; problems have none")
    refuse = refuse_existing_folder if harbor else refuse_existing
    refuse(output, overwrite=overwrite)
    given = load_problems(input_source(problems))
    if not given.problems:
        raise InputError(f"no problems in {problems}")
    found = list(given.problems.values())
    if harbor:
        write_tasks(output, found, to_toml(load(scheme_name or "concise")))
    else:
        write_problems(output, found)
    click.echo(f"{counted(len(found), 'problem')} written to {output}")
    bare = sum(each.reference is None for each in found)
    if harbor and bare:
        click.echo(f"{counted(bare, 'problem')} without a reference, and so without solve.sh")
    for bad in given.bad:
        click.echo(str(bad), err=True)
    if given.bad:
        ctx.exit(BAD_LINES)


def refuse_existing_folder(output: Path, *, overwrite: bool) -> None:
    """Raise InputError if the output is no folder, or has something in it, without `overwrite`."""
    if output.exists() and not output.is_dir():
        raise InputError(f"{output} is no folder")
    if output.is_dir() and not overwrite and any(output.iterdir()):
        raise InputError(f"{output} is not empty; write into it with --overwrite")
