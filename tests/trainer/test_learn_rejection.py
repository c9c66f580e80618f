"""Rejection fine-tuning: a supervised step on what passes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from datasets import Dataset
from torch.nn.functional import cross_entropy
from trl import GRPOConfig

from experiments.learn.rejection import RejectionTrainer, first_of_each
from trainer_plugin.run.tiny_models import make_model, make_tokenizer

# That a rollout function may change.
pytestmark = pytest.mark.filterwarnings("default")

TEXTS = ("let f x = x", "let f x = 12", "let f x = 12", "let f y = y + 0")
ROW = {"prompt": "(* f *)"}


def passing(rewards: list[float], folder: Path) -> Any:
    """Make a trainer for which these texts are sampled and earn these rewards."""
    tokenizer = make_tokenizer(TEXTS, vocabulary=259)
    made = RejectionTrainer(
        model=make_model(tokenizer, seed=0, hidden=16, layers=1, positions=64),
        reward_funcs=lambda **_: rewards,
        args=GRPOConfig(
            output_dir=str(folder),
            use_cpu=True,
            bf16=False,
            gradient_checkpointing=False,
            per_device_train_batch_size=4,
            num_generations=4,
            max_completion_length=32,
            report_to="none",
        ),
        train_dataset=Dataset.from_list([ROW] * 2),
        processing_class=tokenizer,
        min_reward=0.5,
        rollout_func=lambda prompts, _: {
            "prompt_ids": [[0]] * len(prompts),
            "completion_ids": [tokenizer.encode(each) for each in TEXTS],
            "logprobs": None,
        },
    )
    made.model.train()
    made.current_gradient_accumulation_steps = 1
    return made


def gradients(model: Any, loss: torch.Tensor) -> list[torch.Tensor]:
    """Give what a loss asks of each weight."""
    return list(torch.autograd.grad(loss, list(model.parameters()), allow_unused=True))


def test_the_step_is_a_supervised_one_on_what_passes_each_once(tmp_path: Path) -> None:
    """Its gradient is that of the cross entropy of their tokens, as of references."""
    trainer = passing([0.0, 1.0, 1.0, 1.0], tmp_path)
    output = trainer._generate_and_score_completions([ROW] * 4)
    found = gradients(trainer.model, trainer._compute_loss(trainer.model, output))
    rows = [1, 3]
    prompts, completions = output["prompt_ids"][rows], output["completion_ids"][rows]
    learned = completions.masked_fill(~output["completion_mask"][rows].bool(), -100)
    logits = trainer.model(input_ids=torch.cat([prompts, completions], dim=1)).logits
    before = logits[:, prompts.size(1) - 1 : -1]
    supervised = cross_entropy(before.flatten(0, 1), learned.flatten())
    expected = gradients(trainer.model, supervised)

    assert [0, 12, 0, 15] == output["completion_mask"].sum(dim=1).tolist()
    assert 27 == output["num_items_in_batch"]
    assert [0.0, 1.0, 0.0, 1.0] == output["advantages"].tolist()
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, abs=1e-6)


@pytest.mark.parametrize(("rewards", "moves"), [([0.0] * 4, False), ([1.0] * 4, True)])
def test_a_group_that_is_uniform_teaches_if_it_passes(
    rewards: list[float], moves: bool, tmp_path: Path
) -> None:
    """Where GRPO learns nothing of either."""
    trainer = passing(rewards, tmp_path)
    output = trainer._generate_and_score_completions([ROW] * 4)
    found = gradients(trainer.model, trainer._compute_loss(trainer.model, output))

    assert moves == any(bool(each.any()) for each in found)


def test_a_row_is_new_once() -> None:
    """Whatever stands between."""
    assert [True, True, False, True] == first_of_each([[1, 2], [2], [1, 2], [1]])
