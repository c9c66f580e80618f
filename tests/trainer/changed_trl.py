"""TRL with a private method that another version might have: `python -m
tests.trainer.changed_trl NAME` checks its hooks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final

from trl import GRPOTrainer

from trainer_plugin.trl_hooks import main

SCORE: Final = GRPOTrainer._generate_and_score_completions
REWARDS: Final = GRPOTrainer._calculate_rewards
LOSS: Final = GRPOTrainer._compute_loss
SAMPLER: Final = GRPOTrainer._get_train_sampler


def reordered(self: Any, inputs: Any) -> Any:
    """Return the advantages of the completions the other way round."""
    output = SCORE(self, inputs)
    return {**output, "advantages": output["advantages"].flip(0)}


def renamed(self: Any, inputs: Any) -> Any:
    """Return the mask by another name."""
    output = SCORE(self, inputs)
    output["attention_mask"] = output.pop("completion_mask")
    return output


def averaged(self: Any, model: Any, inputs: Any) -> Any:
    """Weigh a completion as a whole, by the mean of its tokens' advantages."""
    mean = inputs["advantages"].mean(dim=-1, keepdim=True)
    return LOSS(self, model, {**inputs, "advantages": mean})


def by_group(self: Any, **given: Any) -> Any:
    """Take the columns of a batch instead of its lists."""
    return REWARDS(self, **given)


def doubled(self: Any, dataset: Any = None) -> Any:
    """Draw each row twice as often."""
    return [each for each in SAMPLER(self, dataset) for _ in range(2)]


CHANGES: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    "reordered": ("_generate_and_score_completions", reordered),
    "renamed": ("_generate_and_score_completions", renamed),
    "averaged": ("_compute_loss", averaged),
    "by_group": ("_calculate_rewards", by_group),
    "doubled": ("_get_train_sampler", doubled),
}

if __name__ == "__main__":
    setattr(GRPOTrainer, *CHANGES[sys.argv[1]])
    sys.exit(main())
