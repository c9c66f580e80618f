"""The batches of an evaluation, as one."""

from __future__ import annotations

from collections import Counter
from typing import Final

from .figures import Batch, metrics_of
from .gathering import joined

EACH: Final = "ocaml/score_seconds"
"""The figure that is each batch's own."""


class WholeEvaluation:
    """Collects the batches of one evaluation, once the trainer reports where each begins."""

    def __init__(self) -> None:
        """Take each batch for itself."""
        self._told_when = False
        self._forget()

    def begin(self) -> None:
        """Begin with the first batch of an evaluation."""
        self._told_when = True
        self._forget()

    def metrics_of(self, batch: Batch) -> dict[str, float | None]:
        """Give what to tell of a batch: the mean of it and all before is the figure of the
        batches so far together, however many problems each had.
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
