"""Formats the sections of an explanation: checks, credits, penalties and the reward."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from ocaml_reward import Breakdown
from ocaml_reward.model import ENDS_OTHERWISE, CheckResult, Outcome, Penalty, Tally
from ocaml_reward.penalties import PENALTIES, reward_steps
from ocaml_reward.scheme import RewardScheme
from ocaml_reward.scoring.grouped import earned

from ..terminal.text import one_line, shortened
from .reasons import reason_text
from .sources import CheckSources

# A check that takes fewer is not worth a line.
MANY_STEPS: Final = 1000
# All other outcomes are failures.
MARKS: Final = {Outcome.PASSED: ("✓", "green"), Outcome.MET_HOLE: ("?", "default")}
SOURCE_CHARACTERS: Final = 1000
# Explanations of signals; a record has only their names.
SIGNALS: Final = {
    "SIGSYS": "SIGSYS: asked the system for what the jail refuses",
    "SIGSEGV": "SIGSEGV: reached for memory that is not there",
}
TIMES: Final = "\N{MULTIPLICATION SIGN}"


def credit_lines(
    breakdown: Breakdown, scheme: RewardScheme | None, *, width: int
) -> Iterator[Text]:
    """Yield each credit, the available credit and the reason, as recorded.

    With the scheme, the ladder of the type credit is shown, too.
    """
    for part in breakdown.credited:
        earned = getattr(breakdown.credits, part)
        reason = getattr(breakdown.reasons, part, None)
        if reason is None:
            of = f" of {getattr(scheme.available, part):.2f}" if scheme else ""
            yield Text(f"  {part:<10}  {earned:.4f}{of}")
            continue
        head = f"  {part:<10}  {earned:.4f} of {reason.available:.2f}  "
        note = reason_text(part, breakdown, reason, scheme)
        wrapped = textwrap.wrap(note, max(width - len(head), 20))
        yield Text(head).append(wrapped[0], style="dim")
        for line in wrapped[1:]:
            yield Text(" " * len(head)).append(line, style="dim")
        if scheme is not None and reason.rung is not None:
            yield from ladder_lines(scheme.type.ladder, reason.rung, width=width)
    if breakdown.reasons is None and breakdown.fault is None:
        yield Text("  recorded before records said why; --regrade says it", style="dim")


def ladder_lines(rungs: tuple[float, ...], read: int, *, width: int) -> Iterator[Text]:
    """Yield the type ladder, with the rung `read` in brackets."""
    last = len(rungs) - 1
    cells = [
        f"[{number}{'+' if number == last else ''}: {share:.2f}]"
        if number == read
        else f" {number}{'+' if number == last else ''}: {share:.2f} "
        for number, share in enumerate(rungs)
    ]
    room = max((width - 4) // max(map(len, cells)), 1)
    for start in range(0, len(cells), room):
        yield Text("    " + "".join(cells[start : start + room]).rstrip(), style="dim")


def check_lines(
    results: Sequence[CheckResult], sources: CheckSources, *, width: int
) -> Iterator[Text]:
    """Yield each check with its outcome, its line in the tests and its source."""
    for result in results:
        good = result.outcome is Outcome.PASSED
        mark, style = MARKS.get(result.outcome, ("✗", "red"))
        outcome = result.outcome.value.replace("_", " ")
        text = Text(f"  {mark} ", style=style)
        head = f"{result.index:>3}  {sources.place} {result.line:<4} {outcome:<14} "
        text.append(head, style="default")
        source = sources.checks.get(result.index, "")
        room = max(width - len(head) - 4, 10)
        # Of a check that passes a line is enough to tell which one it is.
        whole = textwrap.wrap(shortened(source, SOURCE_CHARACTERS), room)
        first, *rest = [shortened(source, room)] if good or not whole else whole
        text.append(first, style="dim")
        text.rstrip()
        yield text
        for line in rest:
            yield Text(f"{'':{len(head) + 4}}{line}", style="dim")
        if result.detail and not good:
            detail = SIGNALS.get(result.detail, result.detail)
            room = max(width - 22, 20)
            # What plain OCaml did with the tests is told in full.
            as_written = detail.startswith(ENDS_OTHERWISE)
            lines = textwrap.wrap(detail, room) if as_written else [shortened(detail, room)]
            yield from (Text(f"{'':22}{line}") for line in lines)
        if taken := steps_text(result):
            yield Text(f"{'':22}{taken}", style="dim")
    if results and not sources.checks:
        yield Text("  --problems shows their source", style="dim")


def group_lines(tally: Tally) -> Iterator[Text]:
    """Yield what each group of cases earns, where code ran."""
    if not tally.results:
        return
    for group, points in zip(tally.groups, earned(tally.groups, tally.results), strict=True):
        what = f"group {one_line(group.name)}, " if group.name else ""
        checks = ", ".join(map(str, group.checks))
        needs = f", needs {one_line(', '.join(group.needs))}" if group.needs else ""
        said = f"{what}{'case' if len(group.checks) == 1 else 'cases'} {checks}{needs}"
        yield Text(f"  {points:g} of {group.points:g} points: {said}", style="dim")


def steps_text(result: CheckResult) -> str:
    """Return the steps of a check and of the reference in words; "" where they are nothing special."""
    steps, reference = result.steps, result.reference_steps
    if steps is None or (steps < MANY_STEPS and result.limit is None):
        return ""
    return f"{steps:,} steps" + ("" if reference is None else f", the reference {reference:,}")


def penalty_lines(breakdown: Breakdown, *, width: int) -> Iterator[Text]:
    """Yield each penalty with its evidence, its purpose, and the setting that disables it."""
    known = {declared.code: declared for declared in PENALTIES}
    for penalty in breakdown.penalties:
        head = f"  {one_line(penalty.code)} {effect_text(penalty)}: "
        lines = textwrap.wrap(
            one_line(penalty.evidence),
            max(width, 40),
            initial_indent=head,
            subsequent_indent="    ",
        )
        yield from map(Text, lines or [head])
        if declared := known.get(penalty.code):
            about = f"{declared.text}; --set {declared.off_switch} turns it off"
            for line in textwrap.wrap(about, max(width - 4, 36)):
                yield Text(f"    {line}", style="dim")


def reward_lines(breakdown: Breakdown) -> Iterator[Text]:
    """Yield the computation of the reward, one step per line."""
    if breakdown.fault is not None:
        fault = f"{breakdown.fault.kind}: {one_line(breakdown.fault.message)}"
        yield Text(f"  not scored, {fault}", style="magenta")
        return
    earned = [getattr(breakdown.credits, part) for part in breakdown.credited]
    value = breakdown.credits.total
    terms = " + ".join(f"{credit:.4f}" for credit in earned)
    yield Text(f"  {terms} = {value:.4f}")
    for penalty, left in reward_steps(breakdown.credits, breakdown.penalties):
        yield Text(f"  {effect_text(penalty)} ({one_line(penalty.code)}) = {left:.4f}")
    yield Text(f"  reward {breakdown.reward:.4f}", style="bold")


def effect_text(penalty: Penalty) -> str:
    """Return the effect of a penalty on the reward."""
    if penalty.cap is not None:
        return f"at most {penalty.cap:g}"
    return f"{TIMES} {penalty.factor:g}"
