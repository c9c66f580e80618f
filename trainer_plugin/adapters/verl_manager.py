"""A reward manager for verl that detects truncated completions. Tested with verl 0.9.1.

    reward.reward_manager.source=importlib
    reward.reward_manager.module.path=pkg://trainer_plugin.adapters.verl_manager
    reward.reward_manager.name=OCamlRewardManager

A reward function gets only the text. If `reward.custom_reward_function` is
`trainer_plugin.adapters.verl`, its settings are used here too; otherwise the environment's.

With the setting `regions` each trajectory has what `trainer_plugin.adapters.verl_located` needs.
"""

from __future__ import annotations

from typing import Any

from verl.experimental.reward_loop.reward_manager.base import RewardManagerBase

from ..endings import final_tokens
from ..located.advantages import place
from ..located.spans import TokenReader
from .grading import figures, grading


class OCamlRewardManager(RewardManagerBase):
    """Grades one trajectory at a time, from its tokens."""

    def __init__(self, config: Any, tokenizer: Any, compute_score: Any, **_: Any) -> None:
        """Read the settings of the reward function.

        Raises ValueError if tokens should be placed and this tokenizer is not supported.
        """
        super().__init__(config, tokenizer, compute_score)
        function = config.reward.get("custom_reward_function") or {}
        self._grading = grading(**dict(function.get("reward_kwargs") or {}))
        self._ends = final_tokens(tokenizer, None)
        self._reader = TokenReader(tokenizer)
        if self._grading.settings.regions and not self._reader.reads():
            raise ValueError(
                f"located credit cannot place the tokens of {type(tokenizer).__name__} in the text"
                " that they stand for; leave reward_kwargs.regions out"
            )

    async def run_single(self, data: Any) -> dict[str, Any]:
        """Grade the last sequence; raises RewardUnavailable, which drops the trajectory."""
        item = data[-1:][0]
        width = item.batch["responses"].shape[-1]
        length = int(item.batch["attention_mask"][-width:].sum())
        tokens = item.batch["responses"][:length].tolist()
        text = await self.loop.run_in_executor(None, self._reader.text, tokens)
        found = await self._grading.breakdown_async(
            item.non_tensor_batch["reward_model"]["ground_truth"],
            text,
            # A model may end with tokens that its tokenizer does not list, so a completion below
            # the limit was not cut off.
            truncated=length >= width and tokens[-1] not in self._ends,
        )
        made: dict[str, Any] = dict(figures(found))
        if self._grading.settings.regions:
            spans = self._reader.spans(tokens, text)
            placed = place(found, len(tokens) if spans is None else spans, text=text)
            # As text: verl makes arrays of the values, and writes them to its logs.
            made["located"] = placed.to_json()
        return {"reward_score": made["score"], "reward_extra_info": made}
