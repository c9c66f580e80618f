"""Self-distillation of a random model on completions that are given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from tests.trainer.training import Kept, trainer
from trainer_plugin import OCamlReward
from trainer_plugin.sdpo.trainer import FeedbackSDPOTrainer


class Given(FeedbackSDPOTrainer):
    """Has the texts for completions, whatever the model writes, and keeps what it is trained on."""

    def __init__(self, *args: Any, texts: Sequence[str] = (), **kwargs: Any) -> None:
        self.texts = texts
        self.batches: list[dict[str, Any]] = []
        super().__init__(*args, **kwargs)

    def _generate(self, prompt_ids: Any) -> Any:
        if not self.texts:
            return super()._generate(prompt_ids)
        end = self._tokenizer.eos_token_id
        return prompt_ids, [[*self._tokenizer.encode(each), end] for each in self.texts]

    def _prepare_training_batch(self, inputs: Any) -> Any:
        self.batches.append(super()._prepare_training_batch(inputs))
        return self.batches[-1]

    def teacher_prompts(self) -> list[list[int]]:
        """Return the tokens of the prompts that the first batch's teachers saw, without padding."""
        ids, mask = (self.batches[0][f"teacher_{name}"] for name in ("input_ids", "attention_mask"))
        width = ids.size(1) - self.batches[0]["completion_ids"].size(1)
        rows = zip(ids[:, :width], mask[:, :width].bool(), strict=True)
        return [row[seen].tolist() for row, seen in rows]

    def teacher_texts(self) -> list[str]:
        """Return the prompts that the first batch's teachers saw."""
        return [str(self._tokenizer.decode(each)) for each in self.teacher_prompts()]


def distilled(
    model: Path, output: Path, reward: OCamlReward | None = None, **settings: Any
) -> tuple[Given, Kept]:
    """Train so, in groups of two; `selection` are the trainer's own arguments, by default located
    feedback.
    """
    chosen: dict[str, Any] = {
        "kind": Given,
        "config": Given.config_cls,
        "include_environment_feedback": True,
        "max_steps": 1,
    } | settings
    chosen["selection"] = {"feedback": "located"} | chosen.get("selection", {})
    made, kept = trainer(model, output, reward or OCamlReward("concise", regions=True), **chosen)
    made.train()
    return made, kept


def weights(model: Any) -> torch.Tensor:
    """Return a model's weights, one after the other."""
    return torch.cat([each.detach().flatten() for each in model.parameters()])
