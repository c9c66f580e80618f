"""
The account of one reward: credits and the ladders read for them, checks, penalties, sum.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Final

from rich.text import Text

from ocaml_reward import Breakdown, Verdict
from ocaml_reward.model import Outcome, Penalty
from ocaml_reward.penalties import DEGENERATE
from ocaml_reward.scheme import RewardScheme

from .text import one_line, shortened

__all__ = ["checks", "credits_read", "penalties", "total"]

PARTS: Final = ("structural", "type", "compile", "tests")
TIMES: Final = "\N{MULTIPLICATION SIGN}"
SAME: Final = 1e-9
UNTYPED: Final = {Verdict.NO_CODE, Verdict.COMPILER_LIMIT, Verdict.UNGRADED}
ILL_TYPED: Final = {Verdict.TYPE_ERROR, Verdict.INTERFACE_ERROR}


def credits_read(
    breakdown: Breakdown, scheme: RewardScheme, *, width: int
) -> Iterator[Text]:
    """
    Yield each credit with what was available and the rung that it was read from.
    """
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
        errors = errors_read(breakdown) if part == "type" else None
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
    if breakdown.credits.structural > 0:
        return f"{scheme.end_marker} stands after the code"
    if any(penalty.code == DEGENERATE for penalty in breakdown.penalties):
        return "not paid to a degenerate completion"
    return f"no {scheme.end_marker} after code"


def errors_read(breakdown: Breakdown) -> int | None:
    """
    Return the number at which the type ladder was read, None if it was not.
    """
    if breakdown.verdict in UNTYPED or breakdown.parsed_share is not None:
        return None
    least = 1 if breakdown.verdict in ILL_TYPED else 0
    return max(least, breakdown.type_errors or 0)


def type_note(breakdown: Breakdown, scheme: RewardScheme) -> str:
    """
    Say how many type errors there are, or how much of the code parses.
    """
    errors = errors_read(breakdown)
    if errors is not None:
        plural = "" if errors == 1 else "s"
        share = scheme.type.rung(errors)
        return f"{errors or 'no'} type error{plural}: {share:.2f} of it"
    if breakdown.parsed_share is not None:
        return (
            f"does not parse: {scheme.type.syntax_error_share:.2f} of it at most, and"
            f" {breakdown.parsed_share:.0%} of the top-level items parse"
        )
    return "was not typed"


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
        return f"none of {tally.total} checks could run"
    return f"{tally.passed} of {tally.total} checks passed"


def checks(
    breakdown: Breakdown, sources: Mapping[int, str], *, width: int
) -> Iterator[Text]:
    """
    Yield each check with its outcome, its line in the tests and its source.
    """
    for result in breakdown.tests.results:
        good = result.outcome is Outcome.PASSED
        mark = "✓" if good else "✗"
        outcome = result.outcome.value.replace("_", " ")
        text = Text(f"  {mark} ", style="green" if good else "red")
        head = f"{result.index:>3}  line {result.line:<4} {outcome:<14} "
        text.append(head, style="default")
        source = sources.get(result.index, "")
        text.append(shortened(source, max(width - len(head) - 4, 10)), style="dim")
        text.rstrip()
        yield text
        if result.detail and not good:
            yield Text(f"{'':22}{shortened(result.detail, max(width - 22, 20))}")


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
    # Factors count before caps, as they do in the reward.
    for penalty in sorted(breakdown.penalties, key=lambda each: each.cap is not None):
        value = value * penalty.factor
        if penalty.cap is not None:
            value = min(value, penalty.cap)
        yield Text(f"  {effect(penalty)} ({one_line(penalty.code)}) = {value:.4f}")
    yield Text(f"  reward {breakdown.reward:.4f}", style="bold")


def effect(penalty: Penalty) -> str:
    """
    Write what a penalty does to the reward.
    """
    if penalty.cap is not None:
        return f"at most {penalty.cap:g}"
    return f"{TIMES} {penalty.factor:g}"
