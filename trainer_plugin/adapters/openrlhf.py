"""The reward for OpenRLHF, used by examples/openrlhf_agent.py. Tested with openrlhf 0.11.2.

    --train.agent_func_path examples/openrlhf_agent.py --data.label_key problem_id

Settings come from the environment, such as OCAML_REWARD_PROBLEMS and OCAML_REWARD_ENGINE. Unlike
`--reward.remote_url` it has the tokens of a completion, and knows whether it was cut off.

A completion that cannot be graded is retried for ten minutes; then the run ends, because OpenRLHF
cannot skip one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from openrlhf.utils.agent import SingleTurnAgentExecutor

from ocaml_reward import Breakdown

from .grading import RewardUnavailable, figures, grading

_PAUSE_S = 5.0

log = logging.getLogger("trainer_plugin.adapters")


class AgentExecutor(SingleTurnAgentExecutor):
    """Generates a completion as OpenRLHF does, and grades its tokens."""

    patience_s = 600.0
    """Seconds for which a completion that could not be graded is retried."""

    def __init__(self) -> None:
        """Read the settings; an engine starts with the first completion."""
        super().__init__()
        self._grading = grading()

    async def execute(self, *given: Any, **named: Any) -> dict[str, Any]:
        """Generate a completion and grade it.

        Args:
            *given: The arguments of OpenRLHF; the second is the label, the fifth the tokenizer.
            **named: The same as keywords.

        Returns:
            The result of OpenRLHF, with `reward`, `scores` and `extra_logs`.

        Raises:
            InputError: The label names no problem.
            RewardUnavailable: It could not be graded; OpenRLHF ends the run.
        """
        output: dict[str, Any] = await super().execute(*given, **named)
        tokenizer = named.get("hf_tokenizer") or given[4]
        ((start, end),) = output["action_ranges"]
        tokens = output["observation_tokens"][start:end]
        text = tokenizer.decode(tokens, skip_special_tokens=True)
        made = figures(await self._graded(output["label"], text, output["truncated"]))
        score = made.pop("score")
        return {**output, "reward": score, "scores": score, "extra_logs": made}

    async def _graded(self, label: object, text: str, truncated: bool) -> Breakdown:
        limit = time.monotonic() + self.patience_s
        while True:
            try:
                return await self._grading.breakdown_async(label, text, truncated=truncated)
            except RewardUnavailable as error:
                if time.monotonic() + _PAUSE_S >= limit:
                    raise
                log.warning("%s; trying again", error)
                await asyncio.sleep(_PAUSE_S)
