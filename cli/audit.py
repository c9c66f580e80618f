"""The command `audit`: what answers earn that solve nothing, and which mutants pass."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from ocaml_reward.engine import Engine
from ocaml_reward.model import IMPOSSIBLE, Problem, is_impossible
from problem_sets.certifying import Examination, Examiner, Graded

from .examining import RecordFile, examine_all, problems_of, records_options
from .terminal.consoles import console
from .terminal.exit_codes import BAD_LINES
from .terminal.options import engine_options
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
@records_options
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

    A view of what `certify` tries. Programs that solve nothing: constants, arguments given back,
    exceptions, the prompt's examples as a table, cheats. What passes more checks than --threshold
    allows is weak. Then the reference with one thing changed: a mutant that passes every check and
    is seen to differ from the reference shows a missing check, and the calls on which it differs
    are named.

    An impossible twin is weak if one of these programs passes it. Most of them need its problem in
    the same file.

    The exit code is 1 if a problem is weak or skipped, or a mutant that differs passes.
    """
    file = RecordFile(output_name, resume=resume)
    given = problems_of(problems)
    known = given.problems

    def usable(record: Any) -> str | None:
        same = record["schema"] == 1 and record["threshold"] == threshold
        return record["id"] if same and record["id"] in known else None

    records = file.stored(usable)

    def look(engine: Engine, problem: Problem) -> Examination:
        of = known.get(problem.id.removesuffix(IMPOSSIBLE))
        return Examiner(engine, sandbox=sandbox).examine(
            problem, twin_of=of.reference if of else None
        )

    def done(examined: Examination) -> None:
        record = _record(examined, threshold)
        records[record["id"]] = record
        file.add(record)

    examine_all(
        ctx,
        [each for each in known.values() if each.id not in records],
        look,
        done,
        doing="auditing",
        bad=given.bad,
        engine_name=engine_name,
        sandbox=sandbox,
    )
    ordered = [records[name] for name in known]
    if as_json:
        click.echo("\n".join(map(json.dumps, ordered)))
    else:
        _print(ordered)
    if given.bad or any(record["skipped"] or _is_weak(record) for record in ordered):
        ctx.exit(BAD_LINES)


def _record(examined: Examination, threshold: float) -> dict[str, Any]:
    """Return the JSON object of an audited problem."""
    twin = is_impossible(examined.problem.id)

    def weak(one: Graded) -> bool:
        return one.passes if twin else one.share > threshold

    weaknesses = sorted(filter(weak, examined.empty), key=lambda one: -one.passed)
    mutants = [one for one in examined.mutants if one.program.kind == "mutant"]
    passing = [one for one in mutants if one.passes]
    return {
        "schema": 1,
        "threshold": threshold,
        "id": examined.problem.id,
        "tried": len(examined.empty),
        "weaknesses": [
            {
                "kind": one.program.kind,
                "what": one.program.what,
                "passed": one.passed,
                "total": one.total,
                "code": one.program.code,
            }
            for one in weaknesses
        ],
        "mutants": len(mutants),
        "survivors": [
            {
                "what": one.program.what,
                "line": one.program.line,
                "differs_on": list(one.tells),
            }
            for one in passing
        ],
        "skipped": examined.skipped,
    }


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
