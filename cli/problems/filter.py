"""The command `problems filter`: keeps the problems whose pass rate lies between two bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from ocaml_reward import InputError
from ocaml_reward.comparing.problem_counts import ProblemCounts
from ocaml_reward.formats import BadLine, write_rows
from ocaml_reward.formats.files import file_rows
from ocaml_reward.formats.lines import as_source
from ocaml_reward.formats.problems import identified_row

from ..compare import read_source
from ..terminal.exit_codes import BAD_LINES
from ..terminal.options import input_source, overwrite_option, refuse_existing
from ..terminal.text import counted

KEPT: Final = "kept"
BELOW: Final = "below"
ABOVE: Final = "above"
WITHOUT: Final = "without"


@click.command(name="filter")
@click.argument("problems", metavar="PROBLEMS")
@click.option(
    "--scored",
    metavar="RECORDS",
    type=click.Path(path_type=Path),
    required=True,
    help="What the model has passed: a file of records of score, or a folder of evaluate.",
)
@click.option(
    "--min",
    "least",
    type=click.FloatRange(0, 1),
    default=0.1,
    show_default=True,
    help="Lowest pass rate that is kept.",
)
@click.option(
    "--max",
    "most",
    type=click.FloatRange(0, 1),
    default=0.9,
    show_default=True,
    help="Highest pass rate that is kept.",
)
@click.option(
    "--without-records",
    "without",
    type=click.Choice(["keep", "drop"]),
    default="drop",
    show_default=True,
    help="What becomes of problems that RECORDS have no scored completion of.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="Where the kept ones go: parquet where it ends in .parquet, else JSON Lines.",
)
@overwrite_option
@click.pass_context
def filter_problems(
    ctx: click.Context,
    *,
    problems: str,
    scored: Path,
    least: float,
    most: float,
    without: str,
    output: Path,
    overwrite: bool,
) -> None:
    """Keep the problems that a model passes sometimes, before it is trained on them.

    The pass rate of a problem is the share of its scored completions that pass every check.
    Measure it with the model that will be trained, with eight completions of each problem or
    more.

    \b
        ocaml-reward evaluate problems.jsonl --model MODEL -n 8 -o before
        ocaml-reward problems filter problems.jsonl --scored before -o train.jsonl

    Rows are written with all their keys. The exit code is 1 if some line is no problem; it is
    left out.
    """
    if least > most:
        raise click.UsageError(f"--min {least:g} is above --max {most:g}")
    refuse_existing(output, overwrite=overwrite)
    graded = read_source(scored, by="").tallies.problems
    counts: Counter[str] = Counter()
    kept = []
    bad = 0
    ids = set()
    for row in file_rows(as_source(input_source(problems))):
        id_, found = identified_row(row)
        if isinstance(found, BadLine) or isinstance(row, BadLine):
            bad += 1
            click.echo(str(found), err=True)
            continue
        ids.add(id_)
        where = place_of(id_, graded, least=least, most=most)
        counts[where] += 1
        if where == KEPT or (where == WITHOUT and without == "keep"):
            kept.append(row.fields)
    if graded.keys().isdisjoint(ids):
        raise InputError(f"no problem of {problems} has a scored completion in {scored}")
    below = f"{counts[BELOW]} with a pass rate below {least:g}"
    above = f"{counts[ABOVE]} above {most:g}"
    if not kept:
        raise InputError(f"no problem is left: {below}, {above}")
    write_rows(output, kept)
    click.echo(f"{len(kept)} of {counted(counts.total(), 'problem')} written to {output}")
    click.echo(f"{below} and {above} left out")
    if counts[WITHOUT]:
        click.echo(
            f"{counts[WITHOUT]} without records {'kept' if without == 'keep' else 'left out'}"
        )
    if others := len(graded.keys() - ids):
        click.echo(f"{counted(others, 'problem')} of {scored} not in {problems}")
    if bad:
        ctx.exit(BAD_LINES)


def place_of(
    problem_id: str, graded: Mapping[str, ProblemCounts], *, least: float, most: float
) -> str:
    """Return where a problem's pass rate lies: between the bounds, below, above, or nowhere."""
    if problem_id not in graded:
        return WITHOUT
    rate = graded[problem_id].passed / graded[problem_id].count
    if rate < least:
        return BELOW
    return ABOVE if rate > most else KEPT
