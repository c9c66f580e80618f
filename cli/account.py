"""
The account of one reward: credits and the ladders read for them, checks, penalties, sum.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from rich.text import Text

from ocaml_reward import Breakdown, Verdict
from ocaml_reward.lexing import Source
from ocaml_reward.model import DiagnosticKind, Outcome, Penalty
from ocaml_reward.penalties import DEGENERATE
from ocaml_reward.scheme import RewardScheme, TypeInput

from .sources import Sources
from .steps import PARTS, steps
from .text import counted, one_line, shortened

__all__ = ["checks", "credits_read", "penalties", "total"]

TIMES: Final = "\N{MULTIPLICATION SIGN}"
SAME: Final = 1e-9
UNTYPED: Final = {Verdict.NO_CODE, Verdict.COMPILER_LIMIT, Verdict.UNGRADED}
ILL_TYPED: Final = {Verdict.TYPE_ERROR, Verdict.INTERFACE_ERROR}


def credits_read(
    breakdown: Breakdown, scheme: RewardScheme | None, *, width: int
) -> Iterator[Text]:
    """
    Yield each credit; with its scheme also what was available, and the rung that it was
    read from.
    """
    if scheme is None:
        for part in PARTS:
            yield Text(f"  {part:<10}  {getattr(breakdown.credits, part):.4f}")
        return
    notes = {
        "structural": structural_note(breakdown, scheme),
        "type": type_note(breakdown, scheme),
        "compile": compile_note(breakdown, scheme),
        "tests": tests_note(breakdown),
    }
    for part in PARTS:
        earned = getattr(breakdown.credits, part)
        available = getattr(scheme.available, part)
        head = f"  {part:<10}  {earned:.4f} of {available:.2f}  "
        wrapped = textwrap.wrap(notes[part], max(width - len(head), 20)) or [""]
        yield Text(head).append(wrapped[0], style="dim")
        for line in wrapped[1:]:
            yield Text(" " * len(head)).append(line, style="dim")
        errors = errors_read(breakdown, scheme) if part == "type" else None
        if errors is not None:
            yield from ladder(scheme.type.ladder, errors, width=width)


def ladder(rungs: tuple[float, ...], errors: int, *, width: int) -> Iterator[Text]:
    """
    Yield the type ladder with the rung that was read in brackets.
    """
    last = len(rungs) - 1
    read = min(errors, last)
    cells = [
        f"[{number}{'+' if number == last else ''}: {share:.2f}]"
        if number == read
        else f" {number}{'+' if number == last else ''}: {share:.2f} "
        for number, share in enumerate(rungs)
    ]
    room = max((width - 4) // max(map(len, cells)), 1)
    for start in range(0, len(cells), room):
        yield Text("    " + "".join(cells[start : start + room]).rstrip(), style="dim")


def structural_note(breakdown: Breakdown, scheme: RewardScheme) -> str:
    """
    Say whether the end marker was found, and why it is not paid where it is not.
    """
    if scheme.end_marker is None:
        return "this scheme asks for no end marker"
    marker = scheme.end_marker
    if breakdown.credits.structural > 0:
        return f"{marker} stands after the code"
    if breakdown.fault is not None:
        return "was not scored"
    if any(penalty.code == DEGENERATE for penalty in breakdown.penalties):
        return "not paid to a degenerate completion"
    if breakdown.verdict is Verdict.COMPILER_LIMIT:
        return "not paid to code that exhausts the compiler"
    if ends_with(breakdown.code, marker):
        return f"{marker} stands, but there is no program before it"
    return f"no {marker} after code"


def ends_with(code: str, marker: str) -> bool:
    """
    Tell whether a marker, which is a comment as a rule, follows the last of the code.
    """
    last = len(Source(code).bare.rstrip())
    return marker in code[max(last - len(marker), 0) :]


def errors_read(breakdown: Breakdown, scheme: RewardScheme) -> int | None:
    """
    Return the number at which the type ladder was read, None if it was not.
    """
    if breakdown.verdict in UNTYPED or breakdown.parsed_share is not None:
        return None
    # Forbidden code may be ill-typed as well; its record says so.
    forbidden = breakdown.verdict is Verdict.FORBIDDEN
    if breakdown.verdict not in ILL_TYPED and not forbidden:
        return 0
    if breakdown.type_errors is None:
        return len(scheme.type.ladder) - 1
    return breakdown.type_errors if forbidden else max(1, breakdown.type_errors)


def type_note(breakdown: Breakdown, scheme: RewardScheme) -> str:
    """
    Say how many type errors there are, or how much of the code parses.
    """
    errors = errors_read(breakdown, scheme)
    if errors is not None:
        read = scheme.type.share(errors, breakdown.typed_fraction)
        share = f"{read:.2f} of it"
        if errors and breakdown.type_errors is None:
            return f"more type errors than could be counted: {share}"
        found = counted(errors, "type error") if errors else "no type errors"
        found += places_note(breakdown, errors)
        found += typed_note(breakdown, scheme) if errors else ""
        return f"{found}: {share}"
    if breakdown.parsed_share is not None:
        return (
            f"does not parse: {scheme.type.syntax_error_share:.2f} of it at most, and"
            f" {breakdown.parsed_share:.0%} of the top-level items parse"
        )
    return "was not typed"


def typed_note(breakdown: Breakdown, scheme: RewardScheme) -> str:
    """
    Say how much of the code types, where that places the share between two rungs.
    """
    fraction = breakdown.typed_fraction
    if scheme.type.input is TypeInput.ERRORS or fraction is None:
        return ""
    return f", {fraction:.1%} of the code types"


def places_note(breakdown: Breakdown, errors: int) -> str:
    """
    Say why fewer errors are counted than there are diagnostics.
    """
    kinds = [diagnostic.kind for diagnostic in breakdown.diagnostics]
    places = kinds.count(DiagnosticKind.ERROR)
    if breakdown.verdict is not Verdict.INTERFACE_ERROR or places <= errors:
        return ""
    return f" ({places} places; counted once per name that the tests use)"


def compile_note(breakdown: Breakdown, scheme: RewardScheme) -> str:
    """
    Name the rung of the compile ladder that gives this credit.
    """
    if breakdown.verdict in UNTYPED:
        return "was not compiled"
    available = scheme.available.compile
    share = breakdown.credits.compile / available if available else 0.0
    for rung in fields(scheme.compile):
        if abs(getattr(scheme.compile, rung.name) - share) < SAME:
            return f"{rung.name.replace('_', ' ')}: {share:.2f} of it"
    return f"{share:.2f} of it"


def tests_note(breakdown: Breakdown) -> str:
    """
    Say how many checks passed, or that none ran.
    """
    tally = breakdown.tests
    if breakdown.forbidden:
        return "no check was run"
    if not tally.results:
        return "no check could run"
    return f"{tally.passed} of {counted(tally.total, 'check')} passed"


def checks(breakdown: Breakdown, sources: Sources, *, width: int) -> Iterator[Text]:
    """
    Yield each check with its outcome, its line in the tests and its source.
    """
    for result in breakdown.tests.results:
        good = result.outcome is Outcome.PASSED
        mark = "✓" if good else "✗"
        outcome = result.outcome.value.replace("_", " ")
        text = Text(f"  {mark} ", style="green" if good else "red")
        head = f"{result.index:>3}  {sources.place} {result.line:<4} {outcome:<14} "
        text.append(head, style="default")
        source = sources.checks.get(result.index, "")
        text.append(shortened(source, max(width - len(head) - 4, 10)), style="dim")
        text.rstrip()
        yield text
        if result.detail and not good:
            yield Text(f"{'':22}{shortened(result.detail, max(width - 22, 20))}")
    if breakdown.tests.results and not sources.checks:
        yield Text("  --problems shows their source", style="dim")


def penalties(breakdown: Breakdown, *, width: int) -> Iterator[Text]:
    """
    Yield each penalty with its evidence.
    """
    for penalty in breakdown.penalties:
        head = f"  {one_line(penalty.code)} {effect(penalty)}: "
        lines = textwrap.wrap(
            one_line(penalty.evidence),
            max(width, 40),
            initial_indent=head,
            subsequent_indent="    ",
        )
        yield from map(Text, lines or [head])


def total(breakdown: Breakdown) -> Iterator[Text]:
    """
    Yield the sum that makes the reward, one step a line.
    """
    if breakdown.fault is not None:
        fault = f"{breakdown.fault.kind}: {one_line(breakdown.fault.message)}"
        yield Text(f"  not scored, {fault}", style="magenta")
        return
    earned = [getattr(breakdown.credits, part) for part in PARTS]
    value = breakdown.credits.total
    terms = " + ".join(f"{credit:.4f}" for credit in earned)
    yield Text(f"  {terms} = {value:.4f}")
    for penalty, left in steps(breakdown):
        yield Text(f"  {effect(penalty)} ({one_line(penalty.code)}) = {left:.4f}")
    yield Text(f"  reward {breakdown.reward:.4f}", style="bold")


def effect(penalty: Penalty) -> str:
    """
    Write what a penalty does to the reward.
    """
    if penalty.cap is not None:
        return f"at most {penalty.cap:g}"
    return f"{TIMES} {penalty.factor:g}"
