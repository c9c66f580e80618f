"""The command `validate`: checks that the problems of a file can be graded fairly."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from ocaml_reward import InputError
from ocaml_reward.auditing import Validation, Validator
from ocaml_reward.formats import read_problems, write_problems

from .terminal.consoles import console
from .terminal.exit_codes import BAD_LINES
from .terminal.options import engine_options, input_source, running_engine
from .terminal.progress import progress
from .terminal.text import counted, one_line


@click.command()
@click.argument("problems", metavar="PROBLEMS")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--write-clean",
    "clean_name",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the problems that are neither broken nor repeated, as JSON Lines.",
)
@engine_options
@click.pass_context
def validate(
    ctx: click.Context,
    *,
    problems: str,
    as_json: bool,
    clean_name: Path | None,
    engine_name: str,
    sandbox: str,
) -> None:
    """Check that the problems of a file can be graded fairly.

    Of each problem: the tests can be used and compile, its reference passes every check, an answer
    with nothing in it passes none, and the prompt's examples hold. Remarked on are checks that take
    more than a million steps in the reference. Of the file: no id stands for two problems, and none
    is repeated. Remarked on are also keys that nearly are ones that are read.

    PROBLEMS is a file of problems, or - for standard input. The exit code is 1 if any is
    broken; what is only remarked on breaks none.
    """
    if clean_name is not None and clean_name.exists():
        raise InputError(f"{clean_name} exists already")
    found: list[Validation] = []
    with (
        progress(
            ctx,
            total=None,
            doing="validating",
            when_stopped=lambda: f"stopped after {counted(len(found), 'problem')}",
        ) as screen,
        running_engine(ctx, engine_name, sandbox) as engine,
    ):
        rows = read_problems(input_source(problems))
        for each in Validator(engine).validate(rows):
            found.append(each)
            screen.step(None)
    if not found:
        raise InputError(f"no problems in {problems}")
    if clean_name is not None:
        _write(clean_name, found)
    if as_json:
        click.echo(json.dumps(_to_dict(found), indent=2))
    else:
        _print(found)
    if any(each.broken for each in found):
        ctx.exit(BAD_LINES)


def _to_dict(found: list[Validation]) -> dict[str, object]:
    """Return the findings as one JSON object."""
    return {
        "schema": 1,
        "problems": len(found),
        "broken": sum(each.broken for each in found),
        "duplicates": sum(each.duplicate for each in found),
        "findings": [
            {
                "file_line": each.line,
                "id": each.id,
                "kind": complaint.kind,
                "broken": complaint.broken,
                "line": complaint.line,
                "message": complaint.message,
            }
            for each in found
            for complaint in each.complaints
        ],
    }


def _print(found: list[Validation]) -> None:
    """Print the complaints as a table, and the verdict."""
    screen = console()
    table = Table(show_edge=False, pad_edge=False)
    for name in ("line", "problem", "what", "where", "why"):
        table.add_column(name, overflow="fold")
    for each in found:
        for complaint in each.complaints:
            style = "bold red" if complaint.broken else "yellow"
            table.add_row(
                str(each.line),
                Text(one_line(each.id)),
                Text(complaint.kind, style=style),
                f"line {complaint.line}" if complaint.line else "",
                Text(one_line(complaint.message)),
            )
    if table.row_count:
        screen.print(table)
        screen.print()
    screen.print(Text(_verdict(found)))


def _verdict(found: list[Validation]) -> str:
    """Return the line that sums the complaints up."""
    broken = sum(each.broken for each in found)
    kinds = Counter(
        complaint.kind for each in found for complaint in each.complaints if not complaint.broken
    )
    summary = f"{counted(len(found), 'problem')}, {broken} broken"
    remarks = ", ".join(f"{kind}: {count}" for kind, count in sorted(kinds.items()))
    return f"{summary}; remarks: {remarks}" if remarks else summary


def _write(path: Path, found: list[Validation]) -> None:
    kept = (e.problem for e in found if not (e.broken or e.duplicate))
    write_problems(path, (problem for problem in kept if problem is not None))
