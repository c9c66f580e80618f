"""The command `audit`: measures how cheatable the problems of a file are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from ocaml_reward import InputError
from ocaml_reward.auditing import Audit
from ocaml_reward.auditing import audit as audit_one
from ocaml_reward.formats import ProblemSet, load_problems, write_whole
from ocaml_reward.model import IMPOSSIBLE, is_impossible

from .terminal.consoles import console
from .terminal.exit_codes import BAD_LINES
from .terminal.options import engine_options, input_source, running_engine
from .terminal.progress import progress
from .terminal.text import counted, one_line, shortened

_THRESHOLD = 0.6


@click.command()
@click.argument("problems", metavar="PROBLEMS")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=_THRESHOLD,
    show_default=True,
    help="Report programs that solve nothing and earn more than this part of the tests.",
)
@click.option(
    "-o",
    "--output",
    "output_name",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write a JSON record for each problem, as soon as it is known.",
)
@click.option("--resume", is_flag=True, help="Continue the file named by --output after a stop.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines, no table.")
@engine_options
@click.pass_context
def audit(
    ctx: click.Context,
    *,
    problems: str,
    threshold: float,
    output_name: Path | None,
    resume: bool,
    as_json: bool,
    engine_name: str,
    sandbox: str,
) -> None:
    """Find out how cheatable the problems of a file are.

    Runs programs that solve nothing: constants, arguments given back, exceptions, the prompt's
    examples as a table. What passes more checks than --threshold allows is weak.
    Then the reference with one operator or number changed, up to 24 times: a mutant that
    passes every check and is seen to differ from the reference shows a missing check, and
    the calls on which it differs are named.

    An impossible twin is weak if one of these programs passes it. Most of them need its problem in
    the same file.

    The exit code is 1 if a problem is weak or skipped, or a mutant that differs passes.
    """
    if resume and output_name is None:
        raise click.UsageError("--resume needs a file named by --output")
    if output_name and output_name.exists() and not resume:
        raise InputError(f"{output_name} exists already: --resume continues it")
    given = load_problems(input_source(problems))
    if not given.problems:
        raise InputError(f"no problems in {problems}")
    records = _stored(output_name, given, threshold) if resume and output_name else {}
    left = [each for each in given.problems.values() if each.id not in records]
    with (
        progress(
            ctx,
            total=len(left),
            doing="auditing",
            when_stopped=lambda: f"stopped; {counted(len(records), 'problem')} audited",
        ) as screen,
        running_engine(ctx, engine_name, sandbox) as engine,
    ):
        for bad in given.bad:
            screen.say(str(bad))
        for problem in left:
            of = given.problems.get(problem.id.removesuffix(IMPOSSIBLE))
            found = audit_one(
                engine, problem, threshold=threshold, of_twin=of.reference if of else None
            )
            records[problem.id] = _record(found, threshold)
            _append(output_name, records[problem.id])
            screen.step(None)
    ordered = [records[name] for name in given.problems]
    if as_json:
        click.echo("\n".join(map(json.dumps, ordered)))
    else:
        _print(ordered)
    if given.bad or any(record["skipped"] or _is_weak(record) for record in ordered):
        ctx.exit(BAD_LINES)


def _record(found: Audit, threshold: float) -> dict[str, Any]:
    return {"schema": 1, "threshold": threshold, **asdict(found)}


def _stored(path: Path, given: ProblemSet, threshold: float) -> dict[str, Any]:
    """Read the records of an earlier run; raises InputError if they belong to another audit."""
    found: dict[str, Any] = {}
    if not path.exists():
        return found
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            known = record["id"] in given.problems and record["schema"] == 1
            same = known and record["threshold"] == threshold
        except (ValueError, LookupError, TypeError):
            same = False
        if same:
            found[record["id"]] = record
        elif number < len(lines) or line.endswith("}"):
            raise InputError(f"{path}:{number}: no record of this audit")
    text = "".join(f"{json.dumps(record)}\n" for record in found.values())
    # Rewritten, to remove an incomplete last line.
    write_whole(path, [text])
    return found


def _append(path: Path | None, record: dict[str, Any]) -> None:
    """Add a record to a file, if one is wanted."""
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(record)}\n")


def _is_weak(record: dict[str, Any]) -> bool:
    """Tell whether a problem has a weakness, or a mutant that passes and differs."""
    return bool(record["weaknesses"]) or any(
        survivor["differs_on"] for survivor in record["survivors"]
    )


def _print(records: list[dict[str, Any]]) -> None:
    """Print the weak problems and the surviving mutants as a table, and the counts."""
    screen = console()
    table = Table(show_edge=False, pad_edge=False)
    for name in ("problem", "what", "passes", "a check that would tell"):
        table.add_column(name, overflow="fold")
    for record in records:
        for row in _rows(record):
            table.add_row(Text(one_line(record["id"])), *map(Text, row))
    if table.row_count:
        screen.print(table)
        screen.print()
    twins = [record for record in records if is_impossible(record["id"])]
    problems = [record for record in records if not is_impossible(record["id"])]
    for line in (
        *(_problems_text(problems) if problems else ()),
        *(_twins_text(twins) if twins else ()),
    ):
        screen.print(Text(line))


def _problems_text(records: list[dict[str, Any]]) -> Iterator[str]:
    """Yield how many problems are weak, and how many mutants pass."""
    skipped = sum(bool(record["skipped"]) for record in records)
    weak = sum(bool(record["weaknesses"]) for record in records)
    mutants = sum(record["mutants"] for record in records)
    differ = sum(len(_telling(record)) for record in records)
    alike = sum(len(record["survivors"]) for record in records) - differ
    tried = sum(record["tried"] for record in records)
    yield (
        f"{counted(len(records), 'problem')}, {f'{skipped} skipped, ' if skipped else ''}"
        f"{weak} weak against {counted(tried, 'program')} that solve nothing"
    )
    yield (
        f"{counted(mutants, 'mutant')} of the references: {differ} wrong and passing,"
        f" {alike} passing and not seen to differ"
    )


def _twins_text(twins: list[dict[str, Any]]) -> Iterator[str]:
    """Yield how many twins honest programs pass, and what to do."""
    passed = sum(bool(record["weaknesses"]) for record in twins)
    untried = sum(not record["tried"] for record in twins)
    if passed:
        advice = "leave them out of a validation set, or make them with another --seed"
    elif untried:
        advice = (
            f"{untried} not tried: audit them together with their problems"
            " (ocaml-reward problems impossible --with-problems)"
        )
    else:
        advice = "what passes one has cheated"
    yield (
        f"{counted(len(twins), 'impossible twin')}, {passed} passed by programs that solve"
        f" nothing or are nearly right; {advice}"
    )


def _telling(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the surviving mutants that are seen to differ."""
    return [each for each in record["survivors"] if each["differs_on"]]


def _rows(record: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield a table's rows for a problem."""
    if record["skipped"]:
        yield f"skipped: {one_line(record['skipped'])}", "", ""
    for weak in record["weaknesses"]:
        yield one_line(weak["what"]), f"{weak['passed']} of {weak['total']}", ""
    for survivor in _telling(record):
        calls = ", ".join(shortened(call, 40) for call in survivor["differs_on"])
        yield f"line {survivor['line']}: {one_line(survivor['what'])}", "all", calls
