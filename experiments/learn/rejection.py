"""Rejection fine-tuning: of as many completions as the other variants sample, a supervised step on
those that pass, each once; the others teach nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import torch

from trainer_plugin.selection import SelectiveGRPOTrainer

REJECTION: Final = "rejection fine-tuning"
"""The variant's name, of the tiny models and of the pretrained one."""
SELECTED: Final = "reward.min_reward=0.5"
"""The setting with which a trainer keeps what passes, where the reward is pass or fail."""


class RejectionTrainer(SelectiveGRPOTrainer):
    """Learns the tokens of the completions that are selected, as of references: all weigh alike,
    whatever their group came to, and a completion that was sampled twice is learned once.
    """

    def _generate_and_score_completions(self, inputs: Any) -> Any:
        """Give each selected completion the advantage 1, with which the gradient is that of the
        cross entropy: the batch is learned once, so that every ratio is 1.
        """
        output = super()._generate_and_score_completions(inputs)
        if not self.model.training:
            return output
        mask = output["completion_mask"]
        rows = torch.cat([output["prompt_ids"], output["completion_ids"]], dim=1).tolist()
        new = mask.new_tensor(first_of_each(rows))
        output["completion_mask"] = mask = mask * new.unsqueeze(1)
        output["advantages"] = mask.any(dim=1).to(output["advantages"].dtype)
        output["num_items_in_batch"] = self.accelerator.gather(mask.sum()).sum()
        self._metrics["train"]["selection/learned"].append(output["advantages"].mean().item())
        return output


def first_of_each(rows: Sequence[Sequence[int]]) -> list[bool]:
    """Say of each row whether it is the first that is as it is."""
    seen: set[tuple[int, ...]] = set()
    found = []
    for row in map(tuple, rows):
        found.append(row not in seen)
        seen.add(row)
    return found


def learn_from_passes(trainer: Any) -> None:
    """Have a trainer that was made with `SELECTED` learn by rejection."""
    trainer.__class__ = RejectionTrainer
