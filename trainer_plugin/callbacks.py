"""What watches a run: `learning.log`, `metrics.jsonl`, the rules of health, an end when validation falls.

    trainer = GRPOTrainer(..., reward_funcs=reward, callbacks=watchers(reward))

All ranks look at the same numbers, so that they stop together; rank 0 writes.
"""

from __future__ import annotations

from collections.abc import Collection

from transformers import TrainerCallback

from .health.thresholds import Thresholds
from .health.watch import BEST_METRIC, EarlyStop, Health
from .logs.evaluating import EvaluationEnd
from .logs.learning_log import LearningEnd, LearningLog
from .logs.metrics_log import MetricsLog
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
        stop_on: Names of rules of health; a finding of one of them ends the run.
        thresholds: The numbers that the rules go by, the shipped ones if not given.
        patience: Epochs over which the validation reward has to fall for the run to end;
            0 never ends it.

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
        Health(
            reward.__name__, stop_on=stop_on, thresholds=thresholds, remark=log.remark
        ),
    ]
    if patience:
        made.append(EarlyStop(patience, remark=log.remark))
    return [*made, LearningEnd(log)]
