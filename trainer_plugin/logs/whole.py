"""Combines the batches of one evaluation."""

from __future__ import annotations

from collections import Counter
from typing import Final

from .figures import Batch, metrics_of
from .gathering import joined

EACH: Final = "ocaml/score_seconds"
"""The metric that is separate for each batch."""


class WholeEvaluation:
    """Collects the batches of one evaluation, once the trainer reports where each begins."""

    def __init__(self) -> None:
        """Start with every batch on its own."""
        self._told_when = False
        self._forget()

    def begin(self) -> None:
        """Start a new evaluation."""
        self._told_when = True
        self._forget()

    def metrics_of(self, batch: Batch) -> dict[str, float | None]:
        """Return the metrics to report for a batch.

        The mean of all values reported so far equals the figure of all batches so far, however many
        problems each has.
        """
        own = metrics_of(batch)
        if batch.training is not False or not self._told_when:
            return own
        self._batches.append(batch)
        found: dict[str, float | None] = {}
        for name, value in metrics_of(joined(self._batches)).items():
            if value is None or name == EACH:
                found[name] = own[name]
                continue
            self._counts[name] += 1
            total = self._counts[name] * value
            found[name] = total - self._totals.get(name, 0.0)
            self._totals[name] = total
        return found

    def _forget(self) -> None:
        self._batches: list[Batch] = []
        self._counts: Counter[str] = Counter()
        self._totals: dict[str, float] = {}
