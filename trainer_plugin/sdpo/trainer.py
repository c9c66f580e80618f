"""Trains by self-distillation (SDPO, arXiv 2601.20802): the model that is shown feedback on its own
failed attempt teaches itself, token by token.

    reward = OCamlReward()
    trainer = FeedbackSDPOTrainer(..., reward_funcs=reward, callbacks=watchers(reward))

TRL takes feedback from a column of the data set. This module overrides private methods of its
trainer and refuses versions that differ (`hooks`).
"""

from __future__ import annotations

import sys
import warnings
from typing import Any, Final

import torch
from trl.trainer.utils import selective_log_softmax

from ocaml_reward import Breakdown, FeedbackLevel

from ..outcomes import passed
from ..reward import OCamlReward
from ..supported_trl_versions import check_tested
from .rewards import reward_figures, with_group_means

with warnings.catch_warnings():
    # That it may change is what is checked.
    warnings.simplefilter("ignore")
    from trl.experimental.sdpo import SDPOTrainer

CHECK: Final = (sys.executable, "-m", "trainer_plugin.sdpo.hooks")
TAUGHT: Final = "self_distillation/taught_group_fraction"
KL: Final = "self_distillation/kl"


class FeedbackSDPOTrainer(SDPOTrainer):
    """An SDPOTrainer whose teacher is shown the reward's feedback on the completion."""

    def __init__(self, *args: Any, feedback: str | None = "verdict", **kwargs: Any) -> None:
        """Check that all fits together.

        Args:
            *args: Arguments of SDPOTrainer.
            feedback: The level of feedback: verdict, compiler or located; None gives none.
            **kwargs: Arguments of SDPOTrainer.

        Raises:
            RuntimeError: This version of TRL differs internally from those that were tested.
            ValueError: Level, rewards and arguments do not fit together.
        """
        check_tested("sdpo", otherwise='take algorithm = "grpo"', check=CHECK)
        self._level = None if feedback is None else FeedbackLevel(feedback)
        if self._level is FeedbackLevel.PUBLIC:
            raise ValueError("feedback: public tests are not told here; take 'located'")
        super().__init__(*args, **kwargs)
        ours = [n for n, each in enumerate(self.reward_funcs) if isinstance(each, OCamlReward)]
        if len(ours) != 1:
            raise ValueError(f"sdpo needs one OCamlReward among the rewards, found {len(ours)}")
        if self._level is not None and not self.args.include_environment_feedback:
            raise ValueError("feedback: include_environment_feedback=False would ignore it")
        self._place = ours[0]
        self._reward: Any = self.reward_funcs[self._place]
        if self._level is FeedbackLevel.LOCATED and not self._reward.regions:
            raise ValueError("feedback: 'located' needs OCamlReward(regions=True)")
        self._reward.log_metric = self._log_metric
        self._build = self.teacher_context_builder.build
        self.teacher_context_builder.build = self._build_with_feedback

    def _log_metric(self, name: str, value: float) -> None:
        """Log a figure, as GRPOTrainer has rewards do."""
        self._metrics["train" if self.model.training else "eval"][name].append(value)

    def _calculate_rewards(self, *args: Any, **kwargs: Any) -> torch.Tensor:
        """Log the rewards of all ranks, and replace those that are missing."""
        rewards = super()._calculate_rewards(*args, **kwargs)
        missing = rewards[:, self._place].isnan()
        weights, names = self.reward_weights.to(rewards.device), self.reward_func_names
        for name, value in reward_figures(rewards, missing, weights=weights, names=names).items():
            self._log_metric(name, value)
        return with_group_means(rewards, missing, group=self._group)

    def _build_with_feedback(
        self, output: Any, prompts: Any, rewards: torch.Tensor, feedbacks: Any = None
    ) -> dict[str, torch.Tensor]:
        """Build the teacher's prompts with the feedback of the batch that was just scored."""
        del feedbacks  # a column of the data set
        batch = self._reward.last
        told = [self._told(each) for each in batch.breakdowns]
        # What nobody has scored demonstrates nothing, whatever stands in for its reward.
        missing = torch.tensor([each is None for each in batch.rewards], device=rewards.device)
        rewards = rewards.masked_fill(missing, torch.nan)
        made: dict[str, torch.Tensor] = self._build(output, prompts, rewards, feedbacks=told)
        taught = self.accelerator.gather(made["self_distillation_mask"]).view(-1, self._group)
        self._log_metric(TAUGHT, taught.any(dim=1).float().mean().item())
        return made

    def _told(self, breakdown: Breakdown) -> str | None:
        """Return the feedback on a failed attempt; None if it passed or could not be graded."""
        if self._level is None or passed(breakdown) is not False:
            return None
        return breakdown.feedback(self._level)

    def _compute_self_distillation_loss(self, model: Any, inputs: Any, logits: Any) -> Any:
        """Log the divergence from the teacher in nats per token, estimated from sampled tokens."""
        loss = super()._compute_self_distillation_loss(model, inputs, logits)
        ids, mask = logits.completion_ids, logits.loss_mask
        with torch.no_grad():
            student = selective_log_softmax(logits.student_logits, ids)
            ratios = (student - selective_log_softmax(logits.teacher_logits, ids)) * mask
            sums = torch.stack([ratios.sum(), mask.sum()])
        divergence, tokens = self.accelerator.gather(sums.unsqueeze(0)).sum(dim=0).tolist()
        if tokens:
            self._log_metric(KL, divergence / tokens)
        return loss

    @property
    def _group(self) -> int:
        """The number of completions of a problem."""
        return int(self.num_generations if self.model.training else self.num_generations_eval)
