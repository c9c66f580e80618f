"""The report: by kind of mistake and context, how well blame finds the mistake's tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from ocaml_reward.comparing.figures import figure_of

from .contexts import CONTROL, MEANINGS
from .figures import area, is_first

ALONE: Final = "no teacher: the student's surprise"
TITLES: Final = {"types": "Type errors", "tests": "Wrong results"}
Row = dict[str, Any]


def report(rows: Sequence[Row]) -> str:
    """Return all tables, in Markdown."""
    return "\n".join(_lines(rows)) + "\n"


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    for kind, title in TITLES.items():
        some = [row for row in rows if row["kind"] == kind and any(row["wrong"])]
        tokens = sum(len(row["wrong"]) for row in some)
        wrong = sum(map(sum, (row["wrong"] for row in some)))
        yield from (f"## {title}", "")
        yield f"{len(some)} programs, {tokens} tokens, {wrong} of them in the mistake."
        yield ""
        yield (
            "| the teacher sees | AUC | minus another program's feedback |"
            " most blamed token is right | nats per token |"
        )
        yield "|---|---|---|---|---|"
        control = [area(blame(row, CONTROL), row["wrong"]) for row in some]
        for name in (ALONE, *(each for each in MEANINGS if each in some[0]["divergence"])):
            areas = [area(blame(row, name), row["wrong"]) for row in some]
            beyond = [one - other for one, other in zip(areas, control, strict=True)]
            firsts = [float(is_first(blame(row, name), row["wrong"])) for row in some]
            nats = [row["divergence"][name] for row in some] if name != ALONE else []
            cells = (
                name,
                shown(areas),
                shown(beyond, sign="+") if name not in (ALONE, CONTROL) else "",
                shown(firsts),
                shown(nats) if nats else "",
            )
            yield f"| {' | '.join(cells)} |"
        yield ""


def blame(row: Row, name: str) -> list[float]:
    """Return each token's blame: how much less likely the teacher finds it than the student, or,
    without a teacher, how unlikely it is.
    """
    student = row["logps"][""]
    if name == ALONE:
        return [-each for each in student]
    return [one - other for one, other in zip(student, row["logps"][name], strict=True)]


def shown(values: Iterable[float], *, sign: str = "") -> str:
    """Return a mean over programs with its bootstrap interval."""
    found = figure_of(values)
    if found.low is None:
        return f"{found.value:{sign}.3f}"
    return f"{found.value:{sign}.3f} ({found.low:{sign}.3f} to {found.high:{sign}.3f})"
