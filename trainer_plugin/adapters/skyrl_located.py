"""Credit per token for SkyRL: an experiment with a generator and a trainer, used by
examples/skyrl_located.py. Tested with skyrl 0.4.0.

The generator places the tokens of each completion, and knows whether it was cut off, which an
environment does not. The trainer is SkyRL's with the advantages of TRL's trainer:
`trainer.algorithm.grpo_norm_by_std` divides them by the spread of the group.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any, Final

import torch
from skyrl.backends.skyrl_train.inference_servers.utils import resolve_policy_model_name
from skyrl.train.entrypoints.main_base import BasePPOExp
from skyrl.train.generators.skyrl_gym_generator import SkyRLGymGenerator
from skyrl.train.trainer import RayPPOTrainer

from ..located.advantages import PlacedCompletion, group_advantages, located_advantages, place
from ..located.spans import TokenReader
from .grading import grading, with_reward
from .skyrl import GRADING

FIELD: Final = "located"
"""The key of the environment's metrics, of which SkyRL averages only numbers."""

_ABSENT: Final = PlacedCompletion(reward=None, parts=(), tokens=())


class LocatedGenerator(SkyRLGymGenerator):
    """SkyRL's generator, which grades with the environment's settings and places tokens."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Create the generator.

        Raises ValueError if this tokenizer or the way of generating is not supported.
        """
        super().__init__(*args, **kwargs)
        for name in ("batched", "step_wise_trajectories"):
            if getattr(self.generator_cfg, name):
                raise ValueError(f"located credit takes generator.{name}=false")
        self._reader = TokenReader(self.tokenizer)
        if not self._reader.reads():
            raise ValueError(
                f"located credit cannot place the tokens of {type(self.tokenizer).__name__} in the"
                " text that they stand for"
            )
        self._grading = grading(regions=True)

    def _setup_env_extras(self, *args: Any) -> dict[str, Any]:
        """Have the environment grade with regions, so that its report need not be made again."""
        return {**super()._setup_env_extras(*args), GRADING: self._grading}

    def _post_process_agent_loop_output(self, output: Any, extras: Any, *args: Any) -> Any:
        """Place the tokens of a completion; raises RewardUnavailable if it cannot be graded."""
        output = super()._post_process_agent_loop_output(output, extras, *args)
        ids = output.response_ids
        text = self._reader.text(ids)
        label = extras["reward_spec"]["ground_truth"]
        found = with_reward(
            *self._grading.breakdowns([(label, text, output.stop_reason == "length")])
        )
        spans = self._reader.spans(ids, text)
        placed = place(found, len(ids) if spans is None else spans, text=text)
        output.reward = [0.0] * (len(ids) - 1) + [found.reward]
        output.env_metrics = {**output.env_metrics, FIELD: placed.to_json()}
        return output


class LocatedTrainer(RayPPOTrainer):
    """SkyRL's trainer, with advantages of tokens.

    Attributes:
        located_share: The share, 0 to 1, of a token's advantage that depends on its part.
        located_scale: The divisor of differences, `group`, `batch` or `none`; by default as
            `grpo_norm_by_std` says.
    """

    located_share: float = 0.5
    located_scale: str | None = None

    def __init__(self, *, cfg: Any, **kwargs: Any) -> None:
        """Create the trainer; raises ValueError for an estimator of advantages but GRPO's."""
        estimator = cfg.trainer.algorithm.advantage_estimator
        if estimator != "grpo":
            raise ValueError(
                "located credit takes trainer.algorithm.advantage_estimator=grpo, found"
                f" {estimator}"
            )
        super().__init__(cfg=cfg, **kwargs)

    def convert_to_training_input(self, generator_output: Any, uids: list[str]) -> Any:
        """Keep what the generator has placed."""
        data = super().convert_to_training_input(generator_output, uids)
        data.metadata[FIELD] = [each[FIELD] for each in generator_output["env_metrics"]]
        return data

    def compute_advantages_and_returns(self, data: Any) -> Any:
        """Replace the advantages of completions, which SkyRL computes, with those of tokens."""
        placed = [PlacedCompletion.from_json(each) for each in data.metadata.pop(FIELD)]
        self.all_metrics["located/unplaced"] = statistics.fmean(
            not each.is_placed for each in placed
        )
        rewards: list[float | None] = data["rewards"].sum(dim=-1).tolist()
        data = super().compute_advantages_and_returns(data)
        # SkyRL fills a batch up with copies of its first row.
        rewards[len(placed) :] = [None] * (len(rewards) - len(placed))
        placed += [_ABSENT] * (len(rewards) - len(placed))
        data["advantages"] = self._advantages(placed, rewards, data)
        data["returns"] = data["advantages"].clone()
        return data

    def _advantages(
        self, placed: Sequence[PlacedCompletion], rewards: Sequence[float | None], data: Any
    ) -> torch.Tensor:
        by_spread = self.cfg.trainer.algorithm.grpo_norm_by_std
        scale = self.located_scale or ("group" if by_spread else "none")
        uids = data.metadata["uids"]
        own = group_advantages(rewards, uids, scale=scale)
        found = located_advantages(placed, uids, share=self.located_share, scale=scale, own=own)
        mask = data["response_mask"].bool()
        advantages: torch.Tensor = torch.zeros(mask.shape)
        for row, is_token, tokens in zip(advantages, mask, found.advantages, strict=True):
            # Responses end at the right edge; a row that fills the batch up has no tokens of its own.
            row[is_token] = row.new_tensor(tokens) if tokens else 0.0
        return advantages


class LocatedExperiment(BasePPOExp):
    """SkyRL's experiment with this generator and this trainer."""

    def get_generator(self, cfg: Any, tokenizer: Any, inference_engine_client: Any) -> Any:
        """Create the generator as SkyRL does."""
        return LocatedGenerator(
            generator_cfg=cfg.generator,
            skyrl_gym_cfg=cfg.environment.skyrl_gym,
            inference_engine_client=inference_engine_client,
            tokenizer=tokenizer,
            policy_model_name=resolve_policy_model_name(cfg),
        )

    def get_trainer(self, **given: Any) -> Any:
        """Create the trainer as SkyRL does."""
        return LocatedTrainer(**given)
