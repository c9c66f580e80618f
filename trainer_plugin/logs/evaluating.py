"""Figures of an evaluation that takes several batches, the last of which may be smaller.

A trainer logs the plain mean of the values returned for each batch. So each batch's value is chosen
such that this mean is the figure of all problems so far.
"""

from __future__ import annotations

from typing import Any, Protocol

from transformers import TrainerCallback

from .whole import WholeEvaluation


class Evaluated(Protocol):
    """Interface of a reward that scores evaluations."""

    evaluation: WholeEvaluation


class EvaluationEnd(TrainerCallback):
    """Reports the end of each evaluation, so that two consecutive ones are not mixed."""

    def __init__(self, reward: Evaluated) -> None:
        """Set the reward to notify."""
        self._whole = reward.evaluation

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        """Announce that ends of evaluations will be reported."""
        self._whole.begin()

    def on_evaluate(self, *_: Any, **__: Any) -> None:
        """Discard the batches of the finished evaluation."""
        self._whole.begin()

    def on_predict(self, *_: Any, **__: Any) -> None:
        """Discard the batches of the finished evaluation."""
        self._whole.begin()
