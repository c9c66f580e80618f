"""Gathers the batches of all training processes into one."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from ocaml_reward import InputError

from .figures import Batch, metrics_of

PER_BATCH: Final = "ocaml/score_seconds"
"""The metric that is separate for each batch."""


def gather(batch: Batch) -> Batch:
    """Return the batches of all processes as one, in each of them; a single process gets its own.

    Every process has to call this for each batch, as for the trainer's own reductions.
    """
    # Distributed training has already imported it.
    distributed: Any = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available():
        return batch
    if not distributed.is_initialized() or distributed.get_world_size() == 1:
        return batch
    parts: list[Any] = [None] * distributed.get_world_size()
    distributed.all_gather_object(parts, _without_unused_fields(batch))
    return concatenate(parts)


def concatenate(parts: Sequence[Batch]) -> Batch:
    """Concatenate batches of one step, in the order of the processes."""
    return replace(
        parts[0],
        samples=tuple(chain.from_iterable(each.samples for each in parts)),
        breakdowns=tuple(chain.from_iterable(each.breakdowns for each in parts)),
        rewards=tuple(chain.from_iterable(each.rewards for each in parts)),
        final_rewards=tuple(chain.from_iterable(each.final_rewards for each in parts)),
        seconds=max(each.seconds for each in parts),
    )


def _without_unused_fields(batch: Batch) -> Batch:
    """Return a batch without the fields that no figure needs."""
    nothing = InputError("scored by another process")
    return replace(
        batch,
        samples=tuple(replace(each, prompt="", problem=nothing) for each in batch.samples),
        breakdowns=tuple(replace(each, regions=None) for each in batch.breakdowns),
    )


class EvaluationMetrics:
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
        for name, value in metrics_of(concatenate(self._batches)).items():
            if value is None or name == PER_BATCH:
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
