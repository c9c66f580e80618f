"""A breakdown as a notebook shows it: a short piece of HTML."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any, Final, Protocol

from .diagnostics import Diagnostic
from .report import Outcome, Tally
from .verdict import Verdict

ITEMS: Final = 5
"""How many messages of the compiler, and how many failed checks are shown."""
CHARACTERS: Final = 20_000


class _Graded(Protocol):
    """The fields of a Breakdown that are shown."""

    @property
    def reward(self) -> float | None: ...
    @property
    def verdict(self) -> Verdict: ...
    @property
    def credits(self) -> Any: ...
    @property
    def credited(self) -> tuple[str, ...]: ...
    @property
    def reasons(self) -> Any: ...
    @property
    def penalties(self) -> tuple[Any, ...]: ...
    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]: ...
    @property
    def forbidden(self) -> tuple[str, ...]: ...
    @property
    def tests(self) -> Tally: ...
    @property
    def fault(self) -> Any: ...
    @property
    def code(self) -> str: ...


def html(breakdown: _Graded) -> str:
    """Return verdict, reward, credits, penalties, what went wrong, and the code; all text escaped."""
    head = f"{breakdown.verdict.value}: {breakdown.verdict.sentence}"
    reward = "not scored" if breakdown.reward is None else f"reward {breakdown.reward:.4f}"
    rows = "".join(
        f"<tr><td>{name}</td><td>{getattr(breakdown.credits, name):.4f}{_available(breakdown, name)}"
        "</td></tr>"
        for name in breakdown.credited
    )
    wrong = "".join(f"<li>{escape(_cut(line))}</li>" for line in _wrong(breakdown))
    code = escape(_cut(breakdown.code))
    return (
        f"<div><b>{escape(head)}</b>, {reward}<table>{rows}</table>"
        f"<ul>{wrong}</ul><pre>{code}</pre></div>"
    )


def _available(breakdown: _Graded, part: str) -> str:
    reason = getattr(breakdown.reasons, part, None)
    return f" of {reason.available:.2f}" if reason else ""


def _wrong(breakdown: _Graded) -> Iterator[str]:
    """Yield a line for each thing that went wrong."""
    if breakdown.fault is not None:
        yield f"{breakdown.fault.kind}: {breakdown.fault.message}"
    for penalty in breakdown.penalties:
        yield f"penalty {penalty.code}: {penalty.evidence}"
    yield from breakdown.forbidden
    for each in breakdown.diagnostics[:ITEMS]:
        where = f"line {each.span.line}: " if each.span else ""
        yield f"{where}{' '.join(each.message.split())}"
    failed = [each for each in breakdown.tests.results if each.outcome is not Outcome.PASSED]
    for result in failed[:ITEMS]:
        outcome = result.outcome.value.replace("_", " ")
        yield f"check {result.index} {outcome}{result.detail and f': {result.detail}'}"
    if breakdown.tests.total:
        yield f"{breakdown.tests.passed} of {breakdown.tests.total} checks passed"


def _cut(text: str) -> str:
    return text if len(text) <= CHARACTERS else f"{text[:CHARACTERS]}…"
