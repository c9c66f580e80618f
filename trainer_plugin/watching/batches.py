"""What all ranks logged of a step's batches, put beside the step."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ..learning import LearningStep
from ..logs.records import merged
from ..reading import ranked, ranks
from .steps import object_of
from .tail import Tail

_WAITING: Final = 512
"""So many rows are kept until the trainer logs their step."""
_NEAR: Final = 0.0015
"""So close is a mean to what a line of `learning.log` has of it, which is rounded."""


class Batches:
    """The rows of `batch_metrics.jsonl`, of all ranks, that no step has been found for yet."""

    def __init__(self, path: Path) -> None:
        """Touch nothing yet."""
        self._path = path
        self._tails: dict[int, Tail] = {}
        self._rows: deque[dict[str, Any]] = deque(maxlen=_WAITING)

    def began_again(self) -> bool:
        """Tell whether one of the logs was cut or set aside."""
        # One is enough: whoever asks begins with all of them again.
        return any(tail.began_again() for tail in self._tails.values())

    def poll(self) -> None:
        """Read what has come."""
        for rank in ranks(self._path):
            tail = self._tails.setdefault(rank, Tail(ranked(self._path, rank)))
            for line in tail.lines():
                row = object_of(line.text)
                if row is not None and row.get("split") == "train" and _is_whole(row):
                    self._rows.append(row)

    def beside(self, step: LearningStep) -> LearningStep:
        """Return a step with the figures of its batch, over the groups of all ranks."""
        if step.step is not None:
            mine = [row for row in self._rows if row["step"] == step.step]
        else:
            # A line of learning.log does not say its step.
            mine = next(([row] for row in self._rows if _is_of(row, step)), [])
        if not mine:
            return step
        while self._rows and self._rows[0]["step"] <= mine[0]["step"]:
            self._rows.popleft()
        row = merged(mine)
        return replace(
            step,
            **{
                field: row[name] if row[name] is not None else getattr(step, field)
                for field, name in (
                    ("pass_at_1", "pass_at_1"),
                    ("pass_at_all", "pass_at_all"),
                    ("best_of_n", "best_of_n"),
                )
            },
            similarity=row["diversity"]["similarity"],
        )


def _is_whole(row: Mapping[str, Any]) -> bool:
    """Tell whether a row has what is read of it; one of another program may not."""
    try:
        merged([row])
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
        return False
    return isinstance(row["step"], int)


def _is_of(row: Mapping[str, Any], step: LearningStep) -> bool:
    mean, epoch = row.get("reward_mean"), row.get("epoch")
    if mean is None or epoch is None or step.reward is None:
        return False
    near: bool = abs(mean - step.reward) < _NEAR
    return near and abs(epoch - step.epoch) < 10 * _NEAR
