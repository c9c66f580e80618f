"""TRL's SDPO trainer with a private method that another version might have: `python -m
tests.trainer.changed_sdpo NAME` checks its hooks.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any, Final

from trainer_plugin.sdpo.hooks import check_hooks
from trainer_plugin.trl_hooks import main

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from trl.experimental.sdpo import SDPOTrainer
    from trl.experimental.sdpo.sdpo_trainer import SuccessfulRolloutTeacherContextBuilder

BUILD: Final = SuccessfulRolloutTeacherContextBuilder.build
PREPARE: Final = SDPOTrainer._prepare_training_batch
REWARDS: Final = SDPOTrainer._calculate_rewards
LOSS: Final = SDPOTrainer._compute_self_distillation_loss


def renamed(self: Any, output: Any, prompts: Any, rewards: Any, feedback: Any = None) -> Any:
    """Take feedback by another name."""
    return BUILD(self, output, prompts, rewards, feedback)


def rotated(self: Any, output: Any, prompts: Any, rewards: Any, feedbacks: Any = None) -> Any:
    """Show each teacher the feedback of the next completion."""
    turned = [*feedbacks[1:], feedbacks[0]]
    return BUILD(self, output, prompts, rewards, feedbacks=turned)


def early(self: Any, inputs: Any) -> Any:
    """Build teachers without the trainer's builder."""
    self.teacher_context_builder = type(self.teacher_context_builder)(self)
    return PREPARE(self, inputs)


def zeroed(self: Any, *args: Any) -> Any:
    """Make 0 of a missing reward before anyone sees it."""
    return REWARDS(self, *args).nan_to_num()


def bundled(self: Any, model: Any, inputs: Any) -> Any:
    """Take the logits among the inputs."""
    return LOSS(self, model, inputs, inputs["logits"])


CHANGES: Final[dict[str, tuple[type[Any], str, Callable[..., Any]]]] = {
    "renamed": (SuccessfulRolloutTeacherContextBuilder, "build", renamed),
    "rotated": (SuccessfulRolloutTeacherContextBuilder, "build", rotated),
    "early": (SDPOTrainer, "_prepare_training_batch", early),
    "zeroed": (SDPOTrainer, "_calculate_rewards", zeroed),
    "bundled": (SDPOTrainer, "_compute_self_distillation_loss", bundled),
}

if __name__ == "__main__":
    setattr(*CHANGES[sys.argv[1]])
    sys.exit(main(check_hooks))
