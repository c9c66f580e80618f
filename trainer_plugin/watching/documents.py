"""Logs that stand in a page of Markdown: each fenced block of lines is a log of its own, and
so is a table of epochs.  A plain log is one, from beginning to end.

    | Metric | Epoch 1 | Epoch 2 |
    |--------|---------|---------|
    | **Average Reward** | 0.2604 | 0.2662 |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..learning import LearningStep
from .steps import Logged, Steps, figure
from .tail import Line

_EPOCH: Final = re.compile(r"epoch\s+(\d{1,6}(?:\.\d+)?)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
_MOST_ROWS: Final = 200
_ROWS: Final = (
    ("best", "best_of_n"),
    ("zero_std", "frac_zero_std"),
    ("reward", "reward"),
    ("loss", "loss"),
    ("grad", "grad_norm"),
    ("entropy", "entropy"),
    ("time", "seconds"),
    ("diversity", "similarity"),
    ("similarity", "similarity"),
)
"""What a row of a table is about, by a word in its name; the first that fits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Excerpt:
    """A log within a file: its number, 0 for what stands in no block, and the heading above."""

    number: int = 0
    name: str = ""


class Page:
    """The lines of a file, as they come."""

    def __init__(self) -> None:
        """Begin at the first line."""
        self._heading = ""
        self._fenced = False
        self._count = 0
        self._table: list[Line] = []
        self._steps = Steps()

    def read(self, line: Line) -> Iterator[tuple[Excerpt, Logged]]:
        """Yield the steps that a line completes, each with the log that it belongs to."""
        text = line.text.strip()
        if not self._fenced and text.startswith("|"):
            if len(self._table) < _MOST_ROWS:
                self._table.append(line)
            return
        yield from self.end()
        if text.startswith("```"):
            self._fenced = not self._fenced
            self._count += self._fenced
            self._steps = Steps()
            return
        if not self._fenced and text.startswith("#"):
            self._heading = text.strip("# ")
        found = self._steps.read(line)
        if found is not None:
            yield self._here() if self._fenced else Excerpt(), found

    def end(self) -> Iterator[tuple[Excerpt, Logged]]:
        """Yield the steps of a table that ends here."""
        table, self._table = self._table, []
        steps = _steps_of(table) if len(table) > 2 else []
        self._count += bool(steps)
        for step in steps:
            yield self._here(), step

    def _here(self) -> Excerpt:
        return Excerpt(number=self._count, name=self._heading)


def _steps_of(table: Sequence[Line]) -> list[Logged]:
    head, _, *rows = [_cells(line.text) for line in table]
    columns = {
        number: float(found[1])
        for number, cell in enumerate(head)
        if (found := _EPOCH.fullmatch(cell))
    }
    values: dict[int, dict[str, Any]] = {number: {} for number in columns}
    for row in rows:
        name = next((to for word, to in _ROWS if word in row[0].lower()), None)
        for number in columns if name else ():
            cell = row[number] if number < len(row) else ""
            found = _NUMBER.search(cell)
            value = figure(float(found[0])) if found else None
            if name and value is not None:
                scale = 60.0 if name == "seconds" and "min" in cell else 1.0
                values[number].setdefault(name, value * scale)
    where = table[0].where
    return [
        Logged(
            step=LearningStep(epoch=epoch, where=where, **values[number]),
            text=table[0].text.strip(),
        )
        for number, epoch in columns.items()
        if values[number]
    ]


def _cells(text: str) -> list[str]:
    return [cell.strip().strip("*` ") for cell in text.strip().strip("|").split("|")]
