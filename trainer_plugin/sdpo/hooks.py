"""Checks what FeedbackSDPOTrainer relies on inside TRL, by two known groups and their teachers.

    python -m trainer_plugin.sdpo.hooks

exits with 0 if the installed version agrees; otherwise it prints the difference in one line.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import torch
from datasets import Dataset

from ocaml_reward.model import Fault, Verdict
from ocaml_reward.scoring.rewards import ungraded

from ..reward import OCamlReward
from ..run.tiny_models import make_model, make_tokenizer
from ..trl_hooks import GROUP, ROWS, agree, check_sampler, known_batch, main
from .trainer import KL, TAUGHT, FeedbackSDPOTrainer

REWARDS: Final = (0.0, None, 0.2, 0.4, 0.0, 1.0, 0.1, None)
"""Of two groups: None is a failure of the machine, and 1 a completion that passes."""
TAUGHT_ROWS: Final = (1, 0, 1, 1, 1, 0, 1, 1)
"""Those with feedback of their own, and in the second group those that a success teaches."""


class Known(OCamlReward):
    """Gives the known rewards, and feedback that names the completion's place."""

    def __call__(self, *_: Any, completions: Any = (), **__: Any) -> list[float | None]:
        """Return the rewards of both groups, and keep their breakdowns."""
        fault = Fault(kind="None", message="")
        unknown = ungraded("known", fault, self.scheme, None, checks=1)
        breakdowns = [
            unknown
            if reward is None
            else replace(
                unknown,
                fault=None,
                reward=reward,
                verdict=Verdict.PASSED if reward == 1 else Verdict.FAILED_TESTS,
                forbidden=(mark(place),),
            )
            for place, reward in enumerate(REWARDS)
        ]
        self.last = known_batch(completions, breakdowns, REWARDS)
        return list(REWARDS)


def mark(place: int) -> str:
    """Return what the feedback on a completion contains, and that on no other."""
    return f"mark{place}mark"


def check_hooks(folder: str) -> None:
    """Prepare a batch of both groups, and compute its loss, in a folder.

    Raises an exception, whatever it is, if this version of TRL differs from those that were tested.
    """
    tokenizer = make_tokenizer(["let f x = x"], vocabulary=259)
    model = Path(folder) / "model"
    # The teacher is read from where the model is.
    make_model(tokenizer, seed=0, hidden=16, layers=1, positions=2048).save_pretrained(model)
    tokenizer.save_pretrained(model)
    trainer = FeedbackSDPOTrainer(
        model=str(model),
        reward_funcs=Known(regions=True, logs=False),
        args=FeedbackSDPOTrainer.config_cls(
            output_dir=folder,
            use_cpu=True,
            bf16=False,
            gradient_checkpointing=False,
            per_device_train_batch_size=GROUP,
            num_generations=GROUP,
            num_iterations=2,
            shuffle_dataset=False,
            max_completion_length=8,
            include_environment_feedback=True,
            report_to="none",
        ),
        train_dataset=Dataset.from_list(ROWS),
        processing_class=tokenizer,
        feedback="located",
    )
    trainer.model.train()
    rows = [row for row in ROWS for _ in range(GROUP)]
    batch = trainer._prepare_training_batch(rows)  # noqa: SLF001
    _check_teachers(trainer, batch, rows)
    _check_loss(trainer, batch)
    check_sampler(trainer)


def _check_teachers(trainer: Any, batch: dict[str, Any], rows: list[dict[str, str]]) -> None:
    """Check that each teacher is shown its own feedback, and learns of a success only in its
    group.
    """
    width = batch["teacher_input_ids"].size(1) - batch["completion_ids"].size(1)
    prompts = trainer.processing_class.batch_decode(batch["teacher_input_ids"][:, :width])
    told = [[mark(n) in each for n in range(len(REWARDS))] for each in prompts]
    failed = [reward is not None and reward < 1 for reward in REWARDS]
    agree("feedback", torch.tensor(told), torch.diag(torch.tensor(failed)))
    agree("teachers", batch["self_distillation_mask"], torch.tensor(TAUGHT_ROWS))
    asked = [row["prompt"] in each for row, each in zip(rows, prompts, strict=True)]
    agree("prompts", torch.tensor(asked), torch.ones(len(rows)))
    agree("the advantage of a missing reward", batch["advantages"][[1, 7]], torch.zeros(2))
    logged = trainer._metrics["train"]  # noqa: SLF001
    agree("groups with a teacher", torch.tensor(logged[TAUGHT]), torch.ones(1))


def _check_loss(trainer: Any, batch: dict[str, Any]) -> None:
    """Check that a loss weighs each taught token by the teacher's log ratio.

    The teacher has the student's weights still, so with the student's prompts they agree.
    """
    trainer.current_gradient_accumulation_steps = 1
    prompted = {
        f"teacher_{name}": torch.cat([batch[f"prompt_{mine}"], batch[f"completion_{mine}"]], dim=1)
        for name, mine in (("input_ids", "ids"), ("attention_mask", "mask"))
    }
    alike = trainer.compute_loss(trainer.model, {**batch, **prompted})
    agree("the loss of a teacher that agrees", alike.detach(), torch.tensor(0.0))
    differs = trainer.compute_loss(trainer.model, batch)
    differs.backward()
    if not differs.detach().abs() > 0:
        raise ValueError("the loss: feedback makes no difference")
    divergences = trainer._metrics["train"][KL]  # noqa: SLF001
    agree(
        "the divergence of a teacher that agrees", torch.tensor(divergences[0]), torch.tensor(0.0)
    )
    if len(divergences) != 2 or not divergences[1]:
        raise ValueError("the divergence: feedback makes no difference")


if __name__ == "__main__":
    sys.exit(main(check_hooks))
