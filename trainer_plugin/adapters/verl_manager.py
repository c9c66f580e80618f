"""A reward manager for verl that detects truncated completions. Tested with verl 0.9.1.

    reward.reward_manager.source=importlib
    reward.reward_manager.module.path=pkg://trainer_plugin.adapters.verl_manager
    reward.reward_manager.name=OCamlRewardManager

A reward function gets only the text. If `reward.custom_reward_function` is
`trainer_plugin.adapters.verl`, its settings are used here too; otherwise the environment's.
"""

from __future__ import annotations

from typing import Any

from verl.experimental.reward_loop.reward_manager.base import RewardManagerBase

from ..endings import final_tokens
from .grading import figures, grading


class OCamlRewardManager(RewardManagerBase):
    """Grades one trajectory at a time, from its tokens."""

    def __init__(self, config: Any, tokenizer: Any, compute_score: Any, **_: Any) -> None:
        """Read the settings of the reward function."""
        super().__init__(config, tokenizer, compute_score)
        function = config.reward.get("custom_reward_function") or {}
        self._grading = grading(**dict(function.get("reward_kwargs") or {}))
        self._ends = final_tokens(tokenizer, None)

    async def run_single(self, data: Any) -> dict[str, Any]:
        """Grade the last sequence; raises RewardUnavailable, which drops the trajectory."""
        item = data[-1:][0]
        width = item.batch["responses"].shape[-1]
        length = int(item.batch["attention_mask"][-width:].sum())
        tokens = item.batch["responses"][:length].tolist()
        text = await self.loop.run_in_executor(
            None, lambda: self.tokenizer.decode(tokens, skip_special_tokens=True)
        )
        found = await self._grading.breakdown_async(
            item.non_tensor_batch["reward_model"]["ground_truth"],
            text,
            # A model may end with tokens that its tokenizer does not list, so a completion below
            # the limit was not cut off.
            truncated=length >= width and tokens[-1] not in self._ends,
        )
        made = figures(found)
        return {"reward_score": made["score"], "reward_extra_info": made}
