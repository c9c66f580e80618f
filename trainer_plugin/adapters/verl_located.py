"""Credit per token for verl: an estimator of advantages and a trainer, both named `ocaml_located`.
Tested with verl 0.9.1.

    VERL_USE_EXTERNAL_MODULES=trainer_plugin.adapters.verl_located
    algorithm.adv_estimator=ocaml_located
    trainer.v1.trainer_mode=ocaml_located
    +reward.custom_reward_function.reward_kwargs.regions=true

`OCamlRewardManager` places the tokens of each completion. verl gives an estimator the rewards only,
so the trainer hands over what the manager has placed; otherwise it is verl's `sync`.

Advantages are those of TRL's trainer: `algorithm.norm_adv_by_std_in_grpo` divides them by the spread
of the group, `+algorithm.located_scale=batch` by that of the batch, and `+algorithm.located_share`,
0.5 by default, is the share of a token's advantage that depends on its part.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any, Final

import torch
import transfer_queue
from omegaconf import open_dict
from verl.trainer.ppo.core_algos import register_adv_est
from verl.trainer.ppo.v1.trainer_base import register_trainer
from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync

from ..located.advantages import PlacedCompletion, group_advantages, located_advantages

NAME: Final = "ocaml_located"
FIELD: Final = "located"
"""The key of the reward manager's extra information."""

_ABSENT: Final = PlacedCompletion(reward=None, parts=(), tokens=())

_placed: ContextVar[Sequence[PlacedCompletion]] = ContextVar("placed")


@register_adv_est(NAME)
def located_estimator(
    token_level_rewards: torch.Tensor,
    response_mask: torch.Tensor,
    index: Any,
    config: Any = None,
    **_: Any,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute the advantages of a batch's tokens.

    Args:
        token_level_rewards: The rewards, whose sum over its tokens is a completion's.
        response_mask: 1 for each token that is trained on.
        index: The group of each completion.
        config: verl's `algorithm`.

    Returns:
        The advantages, and the same as returns.

    Raises:
        RuntimeError: Another trainer of verl's calls it.
    """
    try:
        placed = _placed.get()
    except LookupError:
        raise RuntimeError(
            f"algorithm.adv_estimator={NAME} needs trainer.v1.trainer_mode={NAME}: other trainers"
            " of verl's give an estimator nothing but rewards"
        ) from None
    settings = config or {}
    by_spread = settings.get("norm_adv_by_std_in_grpo", True)
    scale = settings.get("located_scale") or ("group" if by_spread else "none")
    groups = list(index)
    # verl fills a batch up with completions of which nothing is trained on.
    is_real = response_mask.any(dim=-1).tolist()
    placed = [each if real else _ABSENT for each, real in zip(placed, is_real, strict=True)]
    sums = token_level_rewards.sum(dim=-1).tolist()
    rewards = [each if real else None for each, real in zip(sums, is_real, strict=True)]
    own = group_advantages(rewards, groups, scale=scale)
    found = located_advantages(
        placed, groups, share=settings.get("located_share", 0.5), scale=scale, own=own
    )
    advantages = token_level_rewards.new_tensor(own).unsqueeze(-1).repeat(1, response_mask.size(1))
    for row, each in zip(advantages, found.advantages, strict=True):
        row[: len(each)] = row.new_tensor(each)
    advantages *= response_mask
    return advantages, advantages


@register_trainer(NAME)
class LocatedPPOTrainer(PPOTrainerSync):
    """verl's synchronous trainer, which hands placed tokens to the estimator."""

    def __init__(self, config: Any, *args: Any, **kwargs: Any) -> None:
        """Create the trainer as verl's `sync`, whose settings it has."""
        with open_dict(config):
            config.trainer.v1.trainer_mode = "sync"
        super().__init__(config, *args, **kwargs)

    def _compute_advantage(self, batch: Any, metrics: dict[str, Any]) -> Any:
        """Fetch what the reward manager has placed, and have advantages computed.

        Raises RuntimeError for an agent loop with several outputs, of which the last one is graded.
        """
        if not all(key.endswith("_0") for key in batch.keys):
            raise RuntimeError(
                f"{NAME} takes one output of each agent loop: only the last one's tokens are placed"
            )
        rows = transfer_queue.kv_batch_get(
            keys=batch.keys, partition_id=batch.partition_id, select_fields=["extra_fields"]
        )
        # A queue returns the values, or what tensordict wraps them in.
        extra = [getattr(each, "data", each) for each in rows["extra_fields"]]
        placed = [PlacedCompletion.from_json(each["reward_extra_info"][FIELD]) for each in extra]
        metrics["located/unplaced"] = statistics.fmean(not each.is_placed for each in placed)
        token = _placed.set(placed)
        try:
            return super()._compute_advantage(batch, metrics)
        finally:
            _placed.reset(token)
