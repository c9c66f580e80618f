"""Trains on a selection of the completions: the best of each group, or those above a reward.

TRL has no public hook for this, because advantages within a group always sum to 0. This module
overrides three of its private methods and refuses versions that differ;
`tests/trainer/test_contract_selection.py` tests the assumptions.

A completion that is not selected still counts in its group's mean, but has no gradient.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from trl import GRPOTrainer

from .supported_trl_versions import check_tested


class SelectiveGRPOTrainer(GRPOTrainer):
    """A GRPOTrainer that learns from the completions that `selection_mask` selects."""

    def __init__(
        self,
        *args: Any,
        best_of_group: bool = False,
        min_reward: float | None = None,
        **kwargs: Any,
    ) -> None:
        """Create the trainer; without `best_of_group` and `min_reward` it behaves as GRPOTrainer.

        Args:
            *args: Arguments of GRPOTrainer.
            best_of_group: Learn only from the best completion of each group.
            min_reward: Learn only from completions with more than this reward.
            **kwargs: Arguments of GRPOTrainer.

        Raises:
            RuntimeError: This version of TRL differs internally from those that were tested.
            ValueError: An update has less than a generation, so it might contain no best
                completion.
        """
        check_tested("selection", otherwise="learn from all completions")
        self._best_of_group = best_of_group
        self._min_reward = min_reward
        self._selects = best_of_group or min_reward is not None
        self._gathered: torch.Tensor | None = None
        super().__init__(*args, **kwargs)
        parts = self.args.steps_per_generation
        taken = self.args.gradient_accumulation_steps
        if best_of_group and taken % parts:
            raise ValueError(
                f"gradient_accumulation_steps={taken}: of a generation's {parts}"
                " micro-batches some have no completion that is the best of its group;"
                f" {parts} makes each update of a whole generation"
            )

    def _calculate_rewards(self, *args: Any, **kwargs: Any) -> Any:
        """Keep the rewards of all ranks, one row per completion, one column per function."""
        self._gathered = super()._calculate_rewards(*args, **kwargs)
        return self._gathered

    def _generate_and_score_completions(self, inputs: Any) -> Any:
        """Remove the gradient of completions that are not selected."""
        output = super()._generate_and_score_completions(inputs)
        if not (self._selects and self.model.training) or self._gathered is None:
            return output
        weights = self.reward_weights.to(self._gathered.device)
        totals = (self._gathered * weights).nansum(dim=1)
        totals[self._gathered.isnan().all(dim=1)] = -torch.inf
        keep = selection_mask(
            totals.view(-1, self.num_generations),
            best_of_group=self._best_of_group,
            min_reward=self._min_reward,
        ).flatten()
        self._metrics["train"]["selection/kept"].append(keep.float().mean().item())

        count = output["advantages"].size(0)
        first = self.accelerator.process_index * count
        mine = keep[first : first + count].to(output["advantages"].device)
        mask = output["completion_mask"]
        output["advantages"] = output["advantages"] * mine
        output["completion_mask"] = mask = mask * mine.unsqueeze(1).to(mask.dtype)
        if "tool_mask" in output:
            mask = mask * output["tool_mask"]
        # The loss is divided by the number of tokens that are learnt from.
        output["num_items_in_batch"] = self.accelerator.gather(mask.sum()).sum()
        return output

    def _compute_loss(self, model: Any, inputs: Any) -> Any:
        """Log NaN as entropy and KL of a micro-batch without any selected completion.

        TRL would log 0, which looks like a collapse.
        """
        loss = super()._compute_loss(model, inputs)
        if self.model.training and self._selects:
            tokens = self.accelerator.gather(inputs["completion_mask"].sum()).sum()
            for name in ("entropy", "kl") if not tokens else ():
                if values := self._metrics["train"].get(name):
                    values[-1] = math.nan
        return loss


def selection_mask(
    totals: torch.Tensor, *, best_of_group: bool, min_reward: float | None
) -> torch.Tensor:
    """Select the completions to learn from.

    Args:
        totals: Rewards, shape (groups, completions per group); minus infinity marks a completion
            without a reward, which is never selected.
        best_of_group: Select only the first completion with the highest reward of each group.
        min_reward: Select only those with more than this reward.

    Returns:
        A boolean tensor of the same shape.
    """
    keep = totals > -torch.inf
    if min_reward is not None:
        keep &= totals > min_reward
    if best_of_group:
        best = torch.zeros_like(keep)
        best.scatter_(1, totals.argmax(dim=1, keepdim=True), value=True)
        keep &= best
    return keep
