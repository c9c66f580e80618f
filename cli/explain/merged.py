"""Errors that the engine found in code and did not count, each with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

from rich.text import Text

from ocaml_reward.engine import CheckRequest
from ocaml_reward.model import CheckReport, MergedError, Problem, StdioCase

from ..terminal.options import start_engine
from ..terminal.text import clean, one_line


def check_alone(code: str) -> CheckReport:
    """Check a program that no tests ask for anything."""
    with closing(start_engine("auto", "auto")) as engine:
        nothing = Problem(id="program", tests=(StdioCase(stdin="", stdout=""),))
        tests = engine.prepare(nothing)
        return engine.check(CheckRequest(code=code, tests=tests, holes=True))


def merged_lines(merged: Sequence[MergedError]) -> Iterator[Text]:
    """Yield two lines for each error: where it is and why it does not count, and its message."""
    if not merged:
        yield Text("  every error that was found counts", style="dim")
    for each in merged:
        span = each.error.span
        where = f"line {span.line}, column {span.column}" if span else "somewhere"
        yield Text(f"  {where}: {each.why.sentence}")
        yield Text(f"    {one_line(clean(each.error.message))}", style="dim")
