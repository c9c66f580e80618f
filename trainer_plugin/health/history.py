"""What the rules of health look at: the last logged steps, those of the last epoch's length,
and the means of each epoch.

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

EDGE: Final = 1e-6
"""So close are two epochs the same."""
MOST_OF_IT: Final = 0.5
SUMMED: Final = ("loss", "reward", "best_of_n", "pass_at_1", "seconds", "similarity")
"""The fields that an epoch has a mean of."""
LONGEST: Final = 2000
"""Of a longer epoch the last so many steps say as much about a trend."""


@dataclass(slots=True)
class Epoch:
    """The values of one epoch's logged steps, by field, as their moments."""

    number: int
    first: float
    last: float
    opening: LearningStep
    steps: int = 0
    moments: dict[str, tuple[int, float, float]] = field(default_factory=dict)

    def add(self, step: LearningStep) -> None:
        """Take in a step."""
        self.last = step.epoch
        self.steps += 1
        for name in SUMMED:
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
        """Return the standard error of that mean, 0 where a single value is all there is."""
        count, total, squares = self.moments.get(name, (0, 0.0, 0.0))
        if count < 2:
            return 0.0
        return math.sqrt(
            max(0.0, squares - total * total / count) / (count - 1) / count
        )


class History:
    """A run as it goes: its last `window` steps, and its epochs."""

    def __init__(self, window: int) -> None:
        """Begin before the first step."""
        self.recent: deque[LearningStep] = deque(maxlen=window)
        self.updates: deque[LearningStep] = deque(maxlen=window)
        """The last steps, those that learn from earlier completions among them."""
        self.course: deque[LearningStep] = deque(maxlen=LONGEST)
        """The steps of the last epoch's length, wherever that began."""
        self.epochs: list[Epoch] = []
        self._over = False
        # The fields of `course` that were asked for: to collect thousands of them anew at
        # each step takes longer than everything else.
        self._columns: dict[str, deque[float | None]] = {}

    def add(self, step: LearningStep) -> None:
        """Take in the next step."""
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
        number = max(0, math.ceil(step.epoch - EDGE) - 1)
        if not self.epochs or self.epochs[-1].number != number:
            self.epochs.append(
                Epoch(number=number, first=step.epoch, last=step.epoch, opening=step)
            )
        self.epochs[-1].add(step)

    def end(self) -> None:
        """Take the run to be over: an epoch most of which was seen is a whole one."""
        self._over = True

    @property
    def finished(self) -> Sequence[Epoch]:
        """The epochs that are over: another has followed, or the step at its end was seen."""
        if not self.epochs:
            return ()
        *before, last = self.epochs
        seen = last.last - last.first if self._over else 0.0
        whole = last.last >= last.number + 1 - EDGE or seen >= MOST_OF_IT
        return [*before, last] if whole else before

    def values(self, name: str, last: int | None = None) -> list[float]:
        """Return a field of the last steps, the oldest first, where it is known."""
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
        """Return a field of the last updates, whatever they learnt from."""
        return _known(self.updates, name, last)

    def throughout(self, name: str) -> list[float]:
        """Return a field of the steps of the last epoch's length."""
        if name not in self._columns:
            values = (getattr(step, name) for step in self.course)
            self._columns[name] = deque(values, maxlen=LONGEST)
        return [value for value in self._columns[name] if value is not None]


def typical(values: Sequence[float]) -> float | None:
    """Return the median, which a single odd batch does not move."""
    return statistics.median(values) if values else None


def error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of two values or more."""
    mean = statistics.fmean(values)
    # `stdev` computes in fractions, which takes ten times as long.
    squares = math.fsum((value - mean) ** 2 for value in values)
    return math.sqrt(squares / (len(values) - 1) / len(values))


def trend(values: Sequence[float]) -> float:
    """Return how much the later half lies above the earlier half, 0 for a single value."""
    half = len(values) // 2
    if not half:
        return 0.0
    return statistics.fmean(values[-half:]) - statistics.fmean(values[:half])


def _known(steps: Iterable[LearningStep], name: str, last: int | None) -> list[float]:
    chosen = list(steps)[-last:] if last else steps
    found = [getattr(step, name) for step in chosen]
    return [value for value in found if value is not None]
