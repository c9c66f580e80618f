"""The data that the rules of health use: the last steps, an epoch's length of steps, and epoch
means.

A step that learns again from earlier completions counts for its loss and gradient only.
"""

from __future__ import annotations

import math
import statistics
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from ..learning import LearningStep

TOLERANCE: Final = 1e-6
"""Tolerance when comparing epochs."""
MIN_SHARE_SEEN: Final = 0.5
AVERAGED: Final = ("loss", "reward", "best_of_n", "pass_at_1", "seconds", "similarity")
"""The fields averaged per epoch."""
MAX_STEPS: Final = 2000
"""For longer epochs, a trend is computed over this many last steps."""


@dataclass(slots=True)
class Epoch:
    """Running moments of the fields of one epoch's steps."""

    number: int
    first: float
    last: float
    opening: LearningStep
    steps: int = 0
    moments: dict[str, tuple[int, float, float]] = field(default_factory=dict)

    def add(self, step: LearningStep) -> None:
        """Add a step."""
        self.last = step.epoch
        self.steps += 1
        for name in AVERAGED:
            value = getattr(step, name)
            if value is not None:
                count, total, squares = self.moments.get(name, (0, 0.0, 0.0))
                self.moments[name] = (count + 1, total + value, squares + value * value)

    def mean(self, name: str) -> float | None:
        """Return the mean of a field over the epoch so far."""
        count, total, _ = self.moments.get(name, (0, 0.0, 0.0))
        return total / count if count else None

    def total(self, name: str) -> float | None:
        """Return the sum of a field over the epoch so far."""
        return self.moments[name][1] if name in self.moments else None

    def error(self, name: str) -> float:
        """Return the standard error of that mean; 0 for a single value."""
        count, total, squares = self.moments.get(name, (0, 0.0, 0.0))
        if count < 2:
            return 0.0
        return math.sqrt(max(0.0, squares - total * total / count) / (count - 1) / count)


class History:
    """The last `window` steps of a run, and its epochs."""

    def __init__(self, window: int) -> None:
        """Begin before the first step."""
        self.recent: deque[LearningStep] = deque(maxlen=window)
        self.updates: deque[LearningStep] = deque(maxlen=window)
        """The last steps, including those that learn from earlier completions."""
        self.course: deque[LearningStep] = deque(maxlen=MAX_STEPS)
        """The steps of the last epoch's length, not aligned with epochs."""
        self.epochs: list[Epoch] = []
        self.twins: LearningStep | None = None
        """The last step or evaluation with impossible twins."""
        self._over = False
        # Columns of `course` that were used before: building them anew at each step would dominate
        # the time.
        self._columns: dict[str, deque[float | None]] = {}

    def add(self, step: LearningStep) -> None:
        """Add the next step."""
        step = step.with_own_reward().without_group_figures()
        if step.impossible_pass_rate is not None:
            self.twins = step
        if step.is_evaluation:
            return
        self.updates.append(step)
        if step.fresh:
            self.recent.append(step)
            self.course.append(step)
            for name, column in self._columns.items():
                column.append(getattr(step, name))
            while self.course[0].epoch < step.epoch - 1:
                self.course.popleft()
                for column in self._columns.values():
                    column.popleft()
        # The step that ends the first epoch is logged as epoch 1.0.
        number = max(0, math.ceil(step.epoch - TOLERANCE) - 1)
        if not self.epochs or self.epochs[-1].number != number:
            self.epochs.append(
                Epoch(number=number, first=step.epoch, last=step.epoch, opening=step)
            )
        self.epochs[-1].add(step)

    def end(self) -> None:
        """End the run: a mostly seen epoch counts as finished."""
        self._over = True

    @property
    def finished(self) -> Sequence[Epoch]:
        """Return the finished epochs: another one has followed, or the step at its end was seen."""
        if not self.epochs:
            return ()
        *before, last = self.epochs
        seen = last.last - last.first if self._over else 0.0
        whole = last.last >= last.number + 1 - TOLERANCE or seen >= MIN_SHARE_SEEN
        return [*before, last] if whole else before

    def values(self, name: str, last: int | None = None) -> list[float]:
        """Return the known values of a field in the last steps, oldest first."""
        return _known(self.recent, name, last)

    def since(self, last: int | None = None) -> LearningStep | None:
        """Return the first of the last steps."""
        steps = list(self.recent)[-last:] if last else self.recent
        return steps[0] if steps else None

    def updated_since(self, last: int | None = None) -> LearningStep | None:
        """Return the first of the last updates."""
        steps = list(self.updates)[-last:] if last else self.updates
        return steps[0] if steps else None

    def updated(self, name: str, last: int | None = None) -> list[float]:
        """Return a field of the last updates, including those on earlier completions."""
        return _known(self.updates, name, last)

    def throughout(self, name: str) -> list[float]:
        """Return a field of the steps of the last epoch's length."""
        if name not in self._columns:
            values = (getattr(step, name) for step in self.course)
            self._columns[name] = deque(values, maxlen=MAX_STEPS)
        return [value for value in self._columns[name] if value is not None]


def typical(values: Sequence[float]) -> float | None:
    """Return the median, which a single outlier does not move."""
    return statistics.median(values) if values else None


def error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of two values or more."""
    mean = statistics.fmean(values)
    # `stdev` computes in fractions, which takes ten times as long.
    squares = math.fsum((value - mean) ** 2 for value in values)
    return math.sqrt(squares / (len(values) - 1) / len(values))


def trend(values: Sequence[float]) -> float:
    """Return the mean of the later half minus that of the earlier half; 0 for a single value."""
    half = len(values) // 2
    if not half:
        return 0.0
    return statistics.fmean(values[-half:]) - statistics.fmean(values[:half])


def _known(steps: Iterable[LearningStep], name: str, last: int | None) -> list[float]:
    """Return the known values of a figure in the last steps."""
    chosen = list(steps)[-last:] if last else steps
    found = [getattr(step, name) for step in chosen]
    return [value for value in found if value is not None]
