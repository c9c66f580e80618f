"""Formats the reasons of a record as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final

from rich.text import Text

from ocaml_reward import Breakdown, Verdict
from ocaml_reward.engine import CheckRequest
from ocaml_reward.model import (
    CheckReport,
    DiagnosticKind,
    MergedError,
    Problem,
)
from ocaml_reward.reasons import Reason, Why
from ocaml_reward.scheme import RewardScheme

from ..terminal.options import start_engine
from ..terminal.text import clean, counted, one_line

# Reasons for parts that were not reached.
STOPS: Final = {
    Why.NO_CODE: "there is no code",
    Why.COMPILER_LIMIT: "it exhausts the compiler",
    Why.SYNTAX_ERROR: "it does not parse",
    Why.TYPE_ERROR: "it does not type",
    Why.INTERFACE_ERROR: "it does not type with the tests",
    Why.LINK_ERROR: "it does not link",
    Why.FORBIDDEN: "it uses what is forbidden",
    Why.NO_CHECKS: "the problem has none",
}
STRUCTURAL: Final = {
    Why.END_MARKER: "{marker} stands after the code",
    Why.NO_END_MARKER: "no {marker} after code",
    Why.NOT_ASKED: "this scheme asks for no end marker",
    Why.NO_PROGRAM: "{marker} stands, but there is no program before it",
    Why.DEGENERATE: "{marker} stands, but is not paid to a degenerate completion",
    Why.COMPILER_LIMIT: "{marker} stands, but is not paid to code that exhausts the compiler",
}


def reason_text(
    part: str, breakdown: Breakdown, reason: Reason, scheme: RewardScheme | None
) -> str:
    """Return the reason for a part's credit.

    The scheme only adds the end marker and the limits; None if it is unknown.
    """
    match part:
        case "structural":
            marker = scheme.end_marker if scheme else None
            shown = one_line(marker or "end marker")
            return STRUCTURAL[reason.code].format(marker=shown)
        case "type":
            return type_reason_text(breakdown, reason, scheme)
        case "compile" if reason.share is None:
            return f"was not compiled: {STOPS[reason.code]}"
        case "compile":
            return f"{reason.code.value.replace('_', ' ')}: {reason.share:.2f} of it"
        case _ if reason.code is Why.SOLVED:
            return "every check passes"
        case _ if reason.code is Why.UNSOLVED:
            return "not every check passes: all or nothing"
        case _ if reason.code is Why.CHECKS:
            return f"{reason.passed} of {counted(reason.total or 0, 'check')} passed"
        case _ if reason.code is Why.GROUPS:
            checks = counted(reason.total or 0, "check")
            return f"{reason.passed} of {checks} passed: {reason.share:.4g} of all points"
        case _:
            return f"no check was run: {STOPS[reason.code]}"


def type_reason_text(breakdown: Breakdown, reason: Reason, scheme: RewardScheme | None) -> str:
    """Return the number of type errors, or the share of the code that parses, as text."""
    if reason.share is None:
        return f"was not typed: {STOPS[reason.code]}"
    if reason.parsed_share is not None:
        most = f" ({scheme.type.syntax_error_share:.2f} at most)" if scheme else ""
        return (
            f"does not parse; {reason.parsed_share:.0%} of the top-level items do:"
            f" {reason.share:.4f} of it{most}"
        )
    share = f"{reason.share:.2f} of it"
    if reason.errors is None:
        return f"more type errors than could be counted: {share}"
    found = counted(reason.errors, "type error") if reason.errors else "no type errors"
    found += places_text(breakdown, reason.errors)
    if reason.typed_fraction is not None:
        found += f", {reason.typed_fraction:.1%} of the code types"
    return f"{found}: {share}"


def places_text(breakdown: Breakdown, errors: int) -> str:
    """Return the reason if fewer errors are counted than there are diagnostics."""
    kinds = [diagnostic.kind for diagnostic in breakdown.diagnostics]
    places = kinds.count(DiagnosticKind.ERROR)
    if breakdown.verdict is not Verdict.INTERFACE_ERROR or places <= errors:
        return ""
    return f" ({places} places; counted once per name that the tests use)"


def check_alone(
    code: str,
    libraries: tuple[str, ...] = (),
    *,
    engine_name: str = "auto",
    sandbox: str = "auto",
) -> CheckReport:
    """Compile a program without tests, and do not run it."""
    with closing(start_engine(engine_name, sandbox)) as engine:
        nothing = Problem(id="program", tests="", untested=True, libraries=libraries)
        tests = engine.prepare(nothing)
        return engine.check(CheckRequest(code=code, tests=tests, holes=True))


def merged_lines(merged: Sequence[MergedError], counted: int) -> Iterator[Text]:
    """Yield for each merged error its location with the reason, and its message; and why the
    `counted` ones are not merged.
    """
    if not merged:
        yield Text("  every error that was found counts", style="dim")
    if counted > 1:
        # What merges errors: docs/scoring.md, "Counting type errors".
        yield Text(
            f"  the {counted} that count are not merged: each stays when the others are mended, and"
            " no one change that was tried mends two of them",
            style="dim",
        )
    for each in merged:
        span = each.error.span
        where = f"line {span.line}, column {span.column}" if span else "somewhere"
        yield Text(f"  {where}: {each.why.sentence}")
        yield Text(f"    {one_line(clean(each.error.message))}", style="dim")
