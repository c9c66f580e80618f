"""Callbacks for a run: logs, rules of health, early stopping.

    trainer = GRPOTrainer(..., reward_funcs=reward, callbacks=watchers(reward))

All ranks use the same figures, so that they stop together; rank 0 writes.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol

from transformers import TrainerCallback

from .health.thresholds import Thresholds
from .health.watch import BEST_METRIC, EarlyStop, Health
from .logs.gathering import EvaluationMetrics
from .logs.learning_log import LearningEnd, LearningLog
from .logs.log_events import MetricsLog
from .reward import OCamlReward

__all__ = ["BEST_METRIC", "watchers"]


def watchers(
    reward: OCamlReward,
    *,
    stop_on: Collection[str] = (),
    thresholds: Thresholds | None = None,
    patience: int = 2,
) -> list[TrainerCallback]:
    """Return the callbacks for a run with this reward.

    Args:
        reward: The reward of the run.
        stop_on: Names of rules of health whose findings end the run.
        thresholds: The numbers of the rules; the shipped ones if not given.
        patience: Number of epochs of a fallen validation reward that end the run; 0 never does.

    Returns:
        The callbacks, for a trainer of transformers or TRL.

    Raises:
        ValueError: `stop_on` names a rule that does not exist.
    """
    log = LearningLog(reward.__name__)
    made: list[TrainerCallback] = [
        EvaluationEnd(reward),
        log,
        MetricsLog(),
        Health(reward.__name__, stop_on=stop_on, thresholds=thresholds, remark=log.remark),
    ]
    if patience:
        made.append(EarlyStop(patience, remark=log.remark))
    return [*made, LearningEnd(log)]


class Evaluated(Protocol):
    """Interface of a reward that scores evaluations."""

    evaluation: EvaluationMetrics


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
