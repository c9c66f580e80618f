"""
What the rules of health look at: the last logged steps, and the means of each epoch.

A step that learns again from earlier completions counts for its loss and gradient only.
"""

from __future__ import annotations

import math
import statistics
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..learning import LearningStep

__all__ = ["Epoch", "History", "trend", "typical"]


@dataclass(slots=True)
class Epoch:
    """
    The sums of one epoch's logged steps, by field.
    """

    number: int
    sums: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, step: LearningStep) -> None:
        """
        Take in a step.
        """
        for name in ("loss", "reward", "best_of_n"):
            value = getattr(step, name)
            if value is not None:
                self.sums[name] = self.sums.get(name, 0.0) + value
                self.counts[name] = self.counts.get(name, 0) + 1

    def mean(self, name: str) -> float | None:
        """
        Return the mean of a field over the epoch so far.
        """
        return self.sums[name] / self.counts[name] if name in self.sums else None


class History:
    """
    A run as it goes: its last `window` steps, and its epochs.
    """

    def __init__(self, window: int) -> None:
        """
        Begin before the first step.
        """
        self.recent: deque[LearningStep] = deque(maxlen=window)
        self.updates: deque[LearningStep] = deque(maxlen=window)
        """
        The last steps, those that learn from earlier completions among them.
        """
        self.epochs: list[Epoch] = []
        self.passes = 0
        """
        The number of logged steps in which some completion passed every check.
        """

    def add(self, step: LearningStep) -> None:
        """
        Take in the next step.
        """
        self.updates.append(step)
        if step.fresh:
            self.recent.append(step)
        self.passes += bool(step.pass_at_1)
        # The step that ends the first epoch is logged as epoch 1.0.
        number = max(0, math.ceil(step.epoch) - 1)
        if not self.epochs or self.epochs[-1].number != number:
            self.epochs.append(Epoch(number=number))
        self.epochs[-1].add(step)

    @property
    def finished(self) -> Sequence[Epoch]:
        """
        The epochs that another one has followed.
        """
        return self.epochs[:-1]

    def values(self, name: str, last: int | None = None) -> list[float]:
        """
        Return a field of the last steps, the oldest first, where it is known.
        """
        return _known(self.recent, name, last)

    def updated(self, name: str, last: int | None = None) -> list[float]:
        """
        Return a field of the last updates, whatever they learnt from.
        """
        return _known(self.updates, name, last)


def typical(values: Sequence[float]) -> float | None:
    """
    Return the median, which a single odd batch does not move.
    """
    return statistics.median(values) if values else None


def trend(values: Sequence[float]) -> float:
    """
    Return how much the later half lies above the earlier half, 0 for a single value.
    """
    half = len(values) // 2
    if not half:
        return 0.0
    return statistics.fmean(values[-half:]) - statistics.fmean(values[:half])


def _known(steps: Iterable[LearningStep], name: str, last: int | None) -> list[float]:
    chosen = list(steps)[-last:] if last else steps
    found = [getattr(step, name) for step in chosen]
    return [value for value in found if value is not None]
