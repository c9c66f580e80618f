"""`ocaml-reward doctor`: whether this machine can score, and safely."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ocaml_reward.sandbox import BACKENDS

from ..terminal.text import clean, one_line
from .attacks import attacked
from .examination import Examination, Row, examine

_UNSAFE = 3


@click.command()
@click.option(
    "--sandbox",
    type=click.Choice(["auto", *BACKENDS]),
    default="auto",
    show_default=True,
    help="Look at this sandbox only; auto: at nsjail and at bubblewrap.",
)
@click.option(
    "--attacks",
    is_flag=True,
    help="Also run the attacks that ship, where scoring would take place: two minutes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(sandbox: str, *, attacks: bool, as_json: bool) -> None:
    """Check the toolchain and the sandboxes of this machine.

    Each sandbox is started and attacked for real: its user, capabilities, files, network,
    processes, signals, and every limit.  Then one completion is scored in it.

    The exit code is 0 only if scoring is safe here: the toolchain works, and the sandbox
    that scoring would take keeps every promise.  Otherwise it is 3.
    """
    with Console(stderr=True).status("") as status:

        def begin(part: str) -> None:
            status.update(f"Checking {part}")

        found = examine(sandbox, begin)
        if attacks and found.sandbox is not None:
            more = tuple(attacked(found.sandbox, begin))
            found = replace(found, rows=found.rows + more)
    if as_json:
        click.echo(json.dumps(_to_dict(found), indent=2))
    else:
        _print(found)
    sys.exit(0 if found.safe else _UNSAFE)


def _to_dict(found: Examination) -> dict[str, object]:
    return {
        "schema": 1,
        "safe": found.safe,
        "verdict": _verdict(found),
        "sandbox": found.sandbox,
        "toolchain": found.toolchain,
        "findings": [asdict(row) for row in found.rows],
    }


def _verdict(found: Examination) -> str:
    if found.safe:
        return f"Scoring is safe here: {found.toolchain} in {found.sandbox}."
    failed = [row for row in found.rows if not row.passed]
    if found.alternative:
        return (
            f"{found.sandbox} broke a promise: score with"
            f" --sandbox {found.alternative} instead."
        )
    count = f"{len(failed)} check{'s' if len(failed) != 1 else ''}"
    return f"Scoring is not safe here: {count} failed."


def _print(found: Examination) -> None:
    console = Console(highlight=False)
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("check", overflow="fold")
    table.add_column("result", no_wrap=True)
    table.add_column("what was seen", overflow="fold")
    part = None
    for row in found.rows:
        if row.part != part:
            part = row.part
            table.add_section()
            table.add_row(Text(part, style="bold"), _mark(found.holds(part)), "")
        table.add_row(Text(f"  {row.name}"), _mark(row.passed), _seen(row))
    console.print(table)
    console.print()
    style = "bold green" if found.safe else "bold red"
    console.print(Text(_verdict(found), style=style))


def _mark(passed: bool) -> Text:
    return Text("ok", style="green") if passed else Text("FAILED", style="bold red")


def _seen(row: Row) -> Text:
    text = Text(clean(one_line(row.evidence)))
    if row.advice:
        text.append(f"\nAdvice: {one_line(row.advice)}", style="bold")
    return text
