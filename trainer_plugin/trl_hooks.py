"""Checks what our GRPO trainers rely on inside TRL, by a known group and its known advantages.

    python -m trainer_plugin.trl_hooks

exits with 0 if the installed version agrees; otherwise it prints the difference in one line. A tiny
model on the CPU takes milliseconds, and importing TRL seconds.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import torch
from datasets import Dataset
from trl import GRPOConfig

from ocaml_reward import Breakdown, Completion, Ground, InputError, Region
from ocaml_reward.model import Fault
from ocaml_reward.scoring.rewards import ungraded

from .located.credit import EPSILON
from .located.trainer import LocatedGRPOTrainer
from .logs.figures import Batch
from .reward import OCamlReward
from .run.dynamic_sampling import DrawSchedule, ProblemSampler
from .run.tiny_models import make_model, make_tokenizer
from .samples import Sample
from .supported_trl_versions import assumed_tested

TEXTS: Final = ("let f x = x", "let f y = y + 0", "let f x = 1", "let f () = é")
REWARDS: Final = (0.0, 0.1, 0.2, 0.3)
MARKED: Final = 5
"""The first characters of each text are a part of the same name, right in the first two."""
ROWS: Final = [{"prompt": f"(* {number} *)"} for number in range(2)]
GROUP: Final = len(TEXTS)


class Known(OCamlReward):
    """Gives the known rewards and regions without grading."""

    def __call__(self, *_: Any, completions: Any = (), **__: Any) -> list[float | None]:
        """Return the rewards of the group, and keep its regions."""
        fault = Fault(kind="None", message="")
        breakdowns = [
            replace(ungraded("known", fault, self.scheme, None), regions=(_region(place),))
            for place in range(len(completions))
        ]
        self.last = known_batch(completions, breakdowns, REWARDS)
        return list(REWARDS)


def known_batch(
    completions: Sequence[str], breakdowns: Sequence[Breakdown], rewards: Sequence[float | None]
) -> Batch:
    """Return completions that nobody has graded as a batch that was."""
    samples = [
        Sample(
            problem_id="known",
            prompt="",
            completion=Completion(text=each),
            problem=InputError("there is no problem"),
        )
        for each in completions
    ]
    return Batch(
        samples=samples,
        breakdowns=breakdowns,
        rewards=rewards,
        final_rewards=rewards,
        seconds=0.0,
    )


def _region(place: int) -> Region:
    return Region(
        start=0,
        stop=MARKED,
        line=1,
        end_line=1,
        ground=Ground.PASSING if place < 2 else Ground.FAILING,
        names=("f",),
        places=((0, MARKED),),
    )


def known_advantages() -> list[tuple[float, float]]:
    """Return for each completion the advantage of its marked tokens, and that of the others."""
    own = _scaled(REWARDS)
    worth = _scaled((1.0, 1.0, 0.0, 0.0))
    return [((one + other) / 2, one) for one, other in zip(own, worth, strict=True)]


def _scaled(values: Sequence[float]) -> list[float]:
    mean, spread = statistics.fmean(values), statistics.stdev(values)
    return [(each - mean) / (spread + EPSILON) for each in values]


def check_hooks(folder: str) -> None:
    """Train on the known group in a folder.

    Raises an exception, whatever it is, if this version of TRL differs from those that were tested.
    """
    # Of bytes alone, so that the first characters are as many tokens.
    tokenizer = make_tokenizer(TEXTS, vocabulary=259)

    def trainer(**selection: Any) -> Any:
        made = LocatedGRPOTrainer(
            model=make_model(tokenizer, seed=0, hidden=16, layers=1, positions=64),
            reward_funcs=Known(regions=True, logs=False),
            args=GRPOConfig(
                output_dir=folder,
                use_cpu=True,
                bf16=False,
                gradient_checkpointing=False,
                per_device_train_batch_size=GROUP,
                num_generations=GROUP,
                num_iterations=2,
                shuffle_dataset=False,
                max_completion_length=32,
                report_to="none",
            ),
            train_dataset=Dataset.from_list(ROWS),
            processing_class=tokenizer,
            rollout_func=lambda prompts, _: {
                "prompt_ids": [[0]] * len(prompts),
                "completion_ids": [tokenizer.encode(each) for each in TEXTS],
                "logprobs": None,
            },
            **selection,
        )
        made.model.train()
        return made

    all_of_it, best = trainer(), trainer(best_of_group=True)
    output = all_of_it._generate_and_score_completions([ROWS[0]] * GROUP)  # noqa: SLF001
    _check_advantages(output)
    _check_loss(all_of_it, output)
    _check_selection(best._generate_and_score_completions([ROWS[0]] * GROUP))  # noqa: SLF001
    check_sampler(all_of_it)


def _check_advantages(output: dict[str, Any]) -> None:
    mask = output["completion_mask"].bool()
    marked = torch.arange(mask.size(1)) < MARKED
    expected = torch.stack(
        [torch.where(marked, located, own) for located, own in known_advantages()]
    )
    lengths = [len(each.encode()) for each in TEXTS]
    agree("lengths of completions", mask.sum(dim=1), torch.tensor(lengths))
    agree("advantages of tokens", output["advantages"] * mask, expected * mask)


def _check_loss(trainer: Any, output: dict[str, Any]) -> None:
    """Check that a loss weighs each token by its own advantage.

    Before an update all ratios are 1, so it is the negative mean of the advantages.
    """
    trainer.current_gradient_accumulation_steps = 1
    mask = output["completion_mask"]
    found, ones = (
        trainer._compute_loss(trainer.model, {**output, "advantages": each})  # noqa: SLF001
        for each in (output["advantages"], torch.ones_like(output["advantages"]))
    )
    mean = (output["advantages"] * mask).sum() / mask.sum()
    agree("the loss", found.detach(), ones.detach() * mean)
    agree("the loss of ones", ones.detach(), torch.tensor(-1.0))


def _check_selection(output: dict[str, Any]) -> None:
    mask = output["completion_mask"]
    tokens = torch.tensor([0, 0, 0, len(TEXTS[-1].encode())])
    agree("tokens of the best completion", mask.sum(dim=1), tokens)
    agree("the number of tokens", output["num_items_in_batch"], mask.sum())
    agree("advantages of others", output["advantages"][:-1] * 1.0, torch.zeros(3, mask.size(1)))


def check_sampler(trainer: Any) -> None:
    """Check that dynamic sampling repeats rows as TRL's sampler does."""
    ours = ProblemSampler(
        ["0", "1"],
        DrawSchedule(share=0.5, after=1),
        problems_per_generation=1,
        completions_per_problem=GROUP,
        repeats=trainer.args.num_iterations * trainer.args.steps_per_generation,
        shuffled=False,
        seed=0,
    )
    theirs = trainer._get_train_sampler()  # noqa: SLF001
    agree("rows that are drawn", torch.tensor(list(theirs)), torch.tensor(list(ours)))


def agree(what: str, found: torch.Tensor, expected: torch.Tensor) -> None:
    """Raise ValueError if two tensors differ."""
    if found.shape != expected.shape or not torch.allclose(
        found.double(), expected.double(), atol=1e-4
    ):
        raise ValueError(f"{what}: expected {expected.tolist()}, found {found.tolist()}")


def main(check: Callable[[str], None] = check_hooks) -> int:
    """Print how the installed version differs, if it does; return the exit status."""
    with tempfile.TemporaryDirectory() as folder, assumed_tested():
        try:
            check(folder)
        except Exception as error:  # noqa: BLE001 (whatever a changed version raises)
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            sys.stdout.write(f"{reason[:300]}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
