"""Real training runs that take a second: a tiny random model, two problems, a few steps.

As a program, `python -m tests.trainer.training MODEL OUTPUT STEPS [RANK]`, one rank of a
run, of which the rank that is named cannot score.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from datasets import Dataset
from transformers.trainer_callback import TrainerCallback
from trl import GRPOConfig, GRPOTrainer

from ocaml_reward import EngineFault
from ocaml_reward.testing import FakeEngine
from trainer_plugin import OCamlReward
from trainer_plugin.callbacks import watchers
from trainer_plugin.run.tiny_models import make_model, make_tokenizer

TESTS = "let () = assert (f 1 2 = 3)\nlet () = assert (f 0 0 = 0)"
PROMPT = "(* f adds x and y *)\nlet f (x : int) (y : int) : int ="
# Of the program.  Ranks share each group.
SETTINGS: dict[str, Any] = {
    "per_device_train_batch_size": 2,
    "num_generations": 2 * int(os.environ.get("WORLD_SIZE", "1")),
    "save_strategy": "steps",
    "save_steps": 1,
    "save_total_limit": 3,
}
CHAT = "{% for m in messages %}<|im_start|>{{ m['content'] }}<|im_end|>{% endfor %}"


class OutOfOrder(FakeEngine):
    """An engine that starts, and then fails whatever it is asked."""

    def prepare(self, *_: Any) -> Any:
        raise EngineFault("out of order")


def write_model(folder: Path) -> Path:
    """Write a random model of a few thousand parameters."""
    tokenizer = make_tokenizer([PROMPT, TESTS], vocabulary=270)
    tokenizer.chat_template = CHAT
    model = make_model(tokenizer, seed=0, hidden=16, layers=1, positions=256)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def problems(count: int, *, conversational: bool = False, split: str | None = None) -> Dataset:
    """Build a dataset of problems that differ in their ids."""
    prompt: Any = [{"role": "user", "content": PROMPT}] if conversational else PROMPT
    more = {"split": split} if split else {}
    return Dataset.from_list(
        [{"id": f"p{number}", "prompt": prompt, "tests": TESTS} | more for number in range(count)]
    )


class Kept(TrainerCallback):
    """Keeps what the trainer logs."""

    def __init__(self) -> None:
        self.logs: list[dict[str, Any]] = []

    def on_log(self, _: Any, state: Any, __: Any, logs: Any = None, **___: Any) -> None:
        self.logs.append(dict(logs) | {"step": state.global_step})


def arguments(kind: type[Any], output: Path, **changed: Any) -> Any:
    """Build the trainer's arguments for the processor, a log line for each step."""
    settings: dict[str, Any] = {
        "output_dir": str(output),
        "use_cpu": True,
        "bf16": False,
        "gradient_checkpointing": False,
        "max_steps": 2,
        "logging_steps": 1,
        "per_device_train_batch_size": 4,
        "num_generations": 2,
        "max_completion_length": 8,
        "report_to": "none",
        "save_strategy": "no",
        "disable_tqdm": True,
        "learning_rate": 1e-3,
    }
    return kind(**settings | changed)


def trainer(
    model: Path,
    output: Path,
    reward: Any,
    *,
    kind: type[Any] = GRPOTrainer,
    config: type[Any] = GRPOConfig,
    conversational: bool = False,
    evaluates: bool = False,
    selection: dict[str, Any] | None = None,
    others: Sequence[Any] = (),
    **changed: Any,
) -> tuple[Any, Kept]:
    """Build a trainer with all our callbacks, and what keeps its logs."""
    kept = Kept()
    if evaluates:
        changed = {
            "eval_strategy": "steps",
            "eval_steps": 1,
            "per_device_eval_batch_size": 4,
        } | changed
    made = kind(
        model=str(model),
        reward_funcs=[reward, *others],
        args=arguments(config, output, **changed),
        train_dataset=problems(8, conversational=conversational),
        eval_dataset=problems(2, conversational=conversational) if evaluates else None,
        callbacks=[*watchers(reward), kept],
        **selection or {},
    )
    return made, kept


def trained(model: Path, output: Path, reward: Any, **settings: Any) -> Kept:
    """Train, and return what was logged."""
    made, kept = trainer(model, output, reward, **settings)
    made.train()
    return kept


if __name__ == "__main__":
    model_folder, output_folder, steps, *failing = sys.argv[1:]
    broken = os.environ.get("RANK", "0") in failing
    trained(
        Path(model_folder),
        Path(output_folder),
        OCamlReward(engine=OutOfOrder if broken else "auto"),
        max_steps=int(steps),
        **SETTINGS,
    )
