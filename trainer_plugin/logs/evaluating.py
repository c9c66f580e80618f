"""The figures of an evaluation that takes several batches, the last of which may be smaller.

A trainer logs the plain mean of what it is told of each batch.  So it is told of each what
makes that mean the figure of all problems so far.
"""

from __future__ import annotations

from typing import Any, Protocol

from transformers import TrainerCallback

from .whole import WholeEvaluation


class Evaluated(Protocol):
    """What scores an evaluation."""

    evaluation: WholeEvaluation


class EvaluationEnd(TrainerCallback):
    """Reports the end of each evaluation, so that two in a row can be told apart."""

    def __init__(self, reward: Evaluated) -> None:
        """Tell it to this reward."""
        self._whole = reward.evaluation

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        """Begin to tell."""
        self._whole.begin()

    def on_evaluate(self, *_: Any, **__: Any) -> None:
        """Forget the evaluation that is over."""
        self._whole.begin()

    def on_predict(self, *_: Any, **__: Any) -> None:
        """Forget the evaluation that is over."""
        self._whole.begin()
