"""A reward manager for verl that knows which completions were cut off.  Run with verl 0.9.1.

    reward.reward_manager.source=importlib
    reward.reward_manager.module.path=pkg://trainer_plugin.adapters.verl_manager
    reward.reward_manager.name=OCamlRewardManager

A function sees the text alone.  With `reward.custom_reward_function` set to
`trainer_plugin.adapters.verl` its settings hold here too; without it those of the environment.
"""

from __future__ import annotations

from typing import Any

from verl.experimental.reward_loop.reward_manager.base import RewardManagerBase

from ..endings import ends_of
from .grading import figures, grading


class OCamlRewardManager(RewardManagerBase):
    """Grades one trajectory at a time, by its tokens."""

    def __init__(
        self, config: Any, tokenizer: Any, compute_score: Any, **_: Any
    ) -> None:
        """Read the settings that a function of ours would be given."""
        super().__init__(config, tokenizer, compute_score)
        function = config.reward.get("custom_reward_function") or {}
        self._grading = grading(**dict(function.get("reward_kwargs") or {}))
        self._ends = ends_of(tokenizer, None)

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
            # A model may end with tokens that its tokenizer does not name: what stopped
            # before the limit was not cut off.
            truncated=length >= width and tokens[-1] not in self._ends,
        )
        made = figures(found)
        return {"reward_score": made["score"], "reward_extra_info": made}
