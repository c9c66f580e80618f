"""`ocaml-reward diagnostics`: prints the output of a compiler or of dune as records or a table."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import click
from rich.table import Table
from rich.text import Text

from ocaml_reward.diagnostics import parse
from ocaml_reward.model import (
    CODE_FILE,
    CheckReport,
    Diagnostic,
    DiagnosticKind,
    Span,
    Stage,
)
from ocaml_reward.record import diagnostic_to_dict, dumps

from .explain.reasons import check_alone, merged_lines
from .explain.regions import blame_lines
from .terminal.consoles import console
from .terminal.text import clean

NOTHING: Final = CheckReport(stage=Stage.TYPE_ERROR, type_errors=None)
"""An empty report for the diagnostics of a build."""

# A degenerate completion can cause one very long message.
_SHOWN = 2_000

_STYLES = {
    DiagnosticKind.ERROR: "bold red",
    DiagnosticKind.WARNING: "yellow",
    DiagnosticKind.WARNING_AS_ERROR: "bold red",
    DiagnosticKind.ALERT: "yellow",
    DiagnosticKind.ALERT_AS_ERROR: "bold red",
}


@click.command()
@click.argument(
    "file",
    default="-",
    type=click.Path(exists=True, dir_okay=False, readable=True, allow_dash=True),
)
@click.option(
    "--json/--table",
    "as_json",
    default=None,
    help="JSON lines or a table.  [default: a table on a terminal, else JSON lines]",
)
@click.option(
    "--why",
    is_flag=True,
    help="Of a FILE.ml also the errors that were found and not counted, with the reason.",
)
def diagnostics(file: str, *, as_json: bool | None, why: bool) -> None:
    """Read what ocamlc, ocamlopt, ocamlfind or dune printed, or say what is wrong with FILE.ml.

    FILE holds the output of a build; `-` or nothing is the standard input:

    \b
        ocamlc -c x.ml 2>&1 | ocaml-reward diagnostics
        dune build 2>&1 | ocaml-reward diagnostics --json | jq .message

    Of a FILE.ml all errors are shown that the engine finds in it, where ocamlc stops at the
    first; and where the mistake may be, with how likely each place is.

    Every error, warning and alert becomes one record with its kind, the part of the
    compiler that spoke, its place, message, hint and further places.  Lines count from
    1, columns from 0 in bytes.  Understands OCaml 4.08 to 5.5.

    The exit code is 0 whatever the output says, and 2 if FILE cannot be read.
    """
    text = _read(file)
    if file.endswith(".ml"):
        report = named(check_alone(text), Path(file).name)
    elif why:
        raise click.UsageError("--why is about a FILE.ml")
    else:
        report = replace(NOTHING, diagnostics=parse(text))
    if not why:
        report = replace(report, merged=())
    if as_json is None:
        as_json = not sys.stdout.isatty()
    if as_json:
        for record in _records(report):
            click.echo(dumps(record))
    else:
        _show(report, text, why=why)


def named(report: CheckReport, file: str) -> CheckReport:
    """Return a report with the name that its user gave the code."""

    def of(each: Diagnostic) -> Diagnostic:
        own = file if each.file == CODE_FILE else each.file
        subs = tuple(replace(s, file=file) if s.file == CODE_FILE else s for s in each.sub)
        return replace(each, file=own, sub=subs)

    merged = tuple(replace(each, error=of(each.error)) for each in report.merged)
    return replace(report, diagnostics=tuple(map(of, report.diagnostics)), merged=merged)


def _records(report: CheckReport) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a report: diagnostics, places and merged errors."""
    yield from map(diagnostic_to_dict, report.diagnostics)
    if report.blame:
        yield {"blame": [asdict(place) for place in report.blame]}
    for each in report.merged:
        yield {"merged": each.why.value, "error": diagnostic_to_dict(each.error)}


def _show(report: CheckReport, text: str, *, why: bool) -> None:
    """Print a report; `why` also prints the errors that do not count."""
    if not report.diagnostics:
        click.echo("No diagnostics.")
        return
    screen = console()
    screen.print(_table(report.diagnostics), soft_wrap=False)
    if report.blame:
        screen.print("where the mistake may be")
        for line in blame_lines(text, report.blame, width=screen.width):
            screen.print(line)
    if why:
        screen.print("found and not counted")
        for line in merged_lines(report.merged, report.type_errors or 0):
            screen.print(line)


def _read(file: str) -> str:
    """Return the text of a file, or of stdin for "-"."""
    try:
        from_stdin = file == "-"
        data = sys.stdin.buffer.read() if from_stdin else Path(file).read_bytes()
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise click.BadParameter(f"{file!r}: {reason}", param_hint="FILE") from None
    return data.decode("utf-8", errors="replace")


def _table(found: Iterable[Diagnostic]) -> Table:
    """Return diagnostics as a table."""
    table = Table(show_lines=True, highlight=False)
    for title in ("place", "kind", "source", "message"):
        table.add_column(title, overflow="fold")
    for each in found:
        table.add_row(
            Text(clean(_place(each.file, each.span))),
            Text(clean(_kind(each)), style=_STYLES[each.kind]),
            each.source.value,
            _message(each),
        )
    return table


def _message(diagnostic: Diagnostic) -> Text:
    """Return a diagnostic's message with hint and sub-messages."""
    text = Text(_shown(diagnostic.message))
    if diagnostic.hint is not None:
        text.append("\nHint: ", style="bold")
        text.append(_shown(diagnostic.hint))
    for sub in diagnostic.sub:
        text.append(f"\n{clean(_place(sub.file, sub.span))}: ", style="dim")
        text.append(_shown(sub.message))
    return text


def _place(file: str | None, span: Span | None) -> str:
    """Return a place as `file:line:column`."""
    parts = [] if not file else [file]
    if span is not None:
        parts.append(_point(span.line, span.column))
        if span.end_line != span.line:
            parts[-1] += f"-{_point(span.end_line, span.end_column)}"
        elif span.end_column is not None:
            parts[-1] += f"-{span.end_column}"
    return ":".join(parts)


def _point(line: int, column: int | None) -> str:
    """Return a position as `line:column`."""
    return str(line) if column is None else f"{line}:{column}"


def _kind(diagnostic: Diagnostic) -> str:
    """Return a diagnostic's kind, number and name as words."""
    words = [diagnostic.kind.value.replace("_", " ")]
    if diagnostic.number is not None:
        words.append(str(diagnostic.number))
    if diagnostic.name is not None:
        words.append(diagnostic.name)
    return " ".join(words)


def _shown(text: str) -> str:
    """Return a text cut to what a cell shows."""
    text = clean(text)
    left_out = len(text) - _SHOWN
    if left_out <= 0:
        return text
    return f"{text[:_SHOWN]} … ({left_out} more characters)"
