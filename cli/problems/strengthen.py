"""The command `problems strengthen`: adds checks that detect wrong programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from ocaml_reward.engine import Engine
from ocaml_reward.formats import write_problems
from ocaml_reward.model import Problem
from problem_sets.certifying import Strengthened
from problem_sets.certifying import strengthen as strengthen_one

from ..examining import answers_options, examine_all, known_answers, problems_of
from ..terminal.consoles import console
from ..terminal.exit_codes import BAD_LINES
from ..terminal.options import engine_options, overwrite_option, refuse_existing
from ..terminal.text import counted, one_line


@click.command()
@click.argument("problems", metavar="PROBLEMS")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write all problems, the stronger ones in place of the old, as JSON Lines, or as"
    " parquet where its name says so.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be added; needs no --output.")
@answers_options
@click.option(
    "--at-most",
    type=click.IntRange(min=1),
    metavar="N",
    help="Add no more checks than this to a problem.  [default: as many as catch more]",
)
@click.option(
    "--beyond",
    is_flag=True,
    help="Also add checks on arguments that are like none that prompt or tests show.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines, no table.")
@overwrite_option
@engine_options
@click.pass_context
def strengthen(
    ctx: click.Context,
    *,
    problems: str,
    output: Path | None,
    overwrite: bool,
    dry_run: bool,
    wrong: str | None,
    right: str | None,
    at_most: int | None,
    beyond: bool,
    seed: int,
    as_json: bool,
    engine_name: str,
    sandbox: str,
) -> None:
    """Add checks to problems whose tests let wrong programs through.

    Values of the types that the compiler finds in a problem's reference are tried on it,
    in the jail; of the calls the fewest become checks that catch what the tests let
    through: the reference with one thing changed, and the completions of --wrong. A problem
    with less than 22 checks gets edges and large values besides. A program that is judged by
    what it prints gets cases, of inputs laid out as those of its own.

    What nothing promises becomes no check and is asked about: where the reference raises
    or does not end, where a message stands in no example, and where arguments are like none
    that prompt or tests show. The same call gives the same checks.

    The exit code is 1 if some line is no problem.
    """
    if output is None and not dry_run:
        raise click.UsageError("name a file with --output, or ask for a --dry-run")
    if not dry_run:
        refuse_existing(output, overwrite=overwrite)
    given = problems_of(problems)
    known_wrong, known_right = known_answers(wrong), known_answers(right)
    found: list[Strengthened] = []

    def look(engine: Engine, problem: Problem) -> Strengthened:
        return strengthen_one(
            engine,
            problem,
            wrong=known_wrong[problem.id],
            right=known_right[problem.id],
            seed=seed,
            at_most=at_most,
            beyond=beyond,
            sandbox=sandbox,
        )

    examine_all(
        ctx,
        given.problems.values(),
        look,
        found.append,
        doing="strengthening",
        bad=given.bad,
        engine_name=engine_name,
        sandbox=sandbox,
    )
    if output is not None and not dry_run:
        write_problems(output, (each.problem for each in found))
    if as_json:
        click.echo("\n".join(json.dumps(_record(each)) for each in found))
    else:
        _print(found)
    if given.bad:
        ctx.exit(BAD_LINES)


def _record(found: Strengthened) -> dict[str, Any]:
    """Return the JSON object of a strengthened problem."""
    return {
        "schema": 1,
        "id": found.problem.id,
        "added": list(found.checks),
        "beside": found.beside,
        "mutants": found.mutants,
        "mutants_passing": [found.mutants_before, found.mutants_after],
        "wrong": found.wrong,
        "wrong_passing": [found.wrong_before, found.wrong_after],
        "asked": [
            {
                "call": each.call,
                "said": each.said,
                "doubt": each.doubt,
                "catches": each.catches,
            }
            for each in found.asked
        ],
        "left": found.left,
        "skipped": found.skipped,
    }


def _print(found: list[Strengthened]) -> None:
    """Print the added checks, those to ask about, and how many programs pass."""
    screen = console()
    for each in found:
        name = one_line(each.problem.id)
        if each.skipped:
            screen.print(Text(f"{name}: left alone, {one_line(each.skipped)}"))
        is_code = isinstance(each.problem.tests, str)
        for check in each.checks:
            shown = f"assert ({check})" if is_code else f"case {check}"
            screen.print(Text(one_line(f"{name}: + {shown}")))
        for left, why in each.left.items():
            screen.print(Text(f"{name}: {left} left alone, {one_line(why)}"))
        for asked in each.asked:
            text = f"{name}: ? {asked.call} {asked.said}: {asked.doubt}"
            text += f"; catches {asked.catches}" if asked.catches else ""
            screen.print(Text(one_line(text)))
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("")
    for column in ("tried", "passed before", "pass now"):
        table.add_column(column, justify="right")
    rows = [
        ("mutants", "mutants", "mutants_before", "mutants_after"),
        ("known wrong", "wrong", "wrong_before", "wrong_after"),
    ]
    for title, *names in rows:
        counts = [sum(getattr(each, name) for each in found) for name in names]
        table.add_row(title, *map(str, counts))
    screen.print(table)
    added = sum(len(each.checks) for each in found)
    stronger = sum(bool(each.checks) for each in found)
    alone = sum(bool(each.skipped) for each in found)
    screen.print(
        Text(
            f"{counted(added, 'check')} added to {stronger} of"
            f" {counted(len(found), 'problem')}, {alone} left alone"
        )
    )
