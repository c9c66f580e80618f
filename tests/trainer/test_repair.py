"""Several tries at a problem under TRL's own trainer, whose model is a script."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_chat_template

from ocaml_reward import FeedbackLevel
from tests.trainer.training import PROMPT, TESTS, Kept, OutOfOrder, arguments
from trainer_plugin.repair import RepairEnvironments
from trainer_plugin.run.tiny_models import make_model, make_tokenizer

# The libraries have deprecations of their own to announce.
pytestmark = pytest.mark.filterwarnings("default")

WRONG = "let f (x : int) (y : int) =\n  let z = x +. y in\n  z"
RIGHT = "let f x y =\n  let z = x + y in\n  z"


def call(program: str) -> str:
    """Write a call of the tool as Qwen's models do."""
    told = json.dumps({"name": "submit", "arguments": {"program": program}})
    return f"<tool_call>\n{told}\n</tool_call>"


def scripted(made: GRPOTrainer, say: Callable[[str], str]) -> list[str]:
    """Have a trainer's model say what a function makes of what it was asked, which is kept."""
    tokenizer: Any = made.processing_class
    asked: list[str] = []

    def generate(input_ids: Any, **_: Any) -> Any:
        answers = []
        for row in tokenizer.batch_decode(input_ids):
            asked.append(row)
            answers.append([*tokenizer(say(row))["input_ids"], tokenizer.eos_token_id])
        longest = max(map(len, answers))
        pad = tokenizer.pad_token_id
        padded = [each + [pad] * (longest - len(each)) for each in answers]
        return torch.cat([input_ids, torch.tensor(padded)], dim=1)

    model: Any = made.model
    model.generate = generate
    return asked


def trainer(output: Path, environments: RepairEnvironments) -> tuple[GRPOTrainer, Kept]:
    """Build a trainer that has no reward but the environment's."""
    tokenizer = make_tokenizer([PROMPT, TESTS, RIGHT], vocabulary=400)
    tokenizer.chat_template = qwen3_chat_template
    rows = [
        {
            "id": f"p{number}",
            "prompt": [{"role": "user", "content": PROMPT}],
            "tests": TESTS,
        }
        for number in range(4)
    ]
    kept = Kept()
    made = GRPOTrainer(
        model=make_model(tokenizer, seed=0, hidden=16, layers=1, positions=8192),
        processing_class=tokenizer,
        args=arguments(GRPOConfig, output, max_steps=1, max_completion_length=4000),
        train_dataset=Dataset.from_list(rows),
        environment_factory=environments,
        callbacks=[kept],
    )
    return made, kept


def test_an_episode_of_two_turns(tmp_path: Path) -> None:
    """The model is told ocamlc's words about its first program, and rewarded for its second, the
    same each time.
    """
    environments = RepairEnvironments("concise", turns=2, level=FeedbackLevel.LOCATED)
    means = []
    for name in ("once", "again"):
        made, kept = trainer(tmp_path / name, environments)

        def say(asked: str) -> str:
            if "every check" in asked:
                return "Done."
            return call(RIGHT if "has type" in asked else WRONG)

        asked = scripted(made, say)
        made.train()
        means.append(kept.logs[0]["rewards/RepairEnvironment/mean"])
    environments.close()

    assert [1.0, 1.0] == means
    assert 3 == len({each.count("<tool_call>") for each in asked})
    assert any("line 2, characters 10-11:" in each for each in asked)


def test_what_cannot_be_graded_has_no_reward(tmp_path: Path) -> None:
    """A fault is told as one, and is None to TRL, which masks it; never a 0."""
    environments = RepairEnvironments("concise", engine=OutOfOrder)
    made, kept = trainer(tmp_path, environments)
    asked = scripted(made, lambda text: "Well." if "could not be graded" in text else call(RIGHT))
    made.train()

    assert kept.logs[0]["rewards/RepairEnvironment/mean"] is None
    assert any("could not be graded" in each for each in asked)


def test_no_program_is_graded_as_none(tmp_path: Path) -> None:
    """A model that calls no tool earns what an empty completion earns."""
    environments = RepairEnvironments("concise")
    made, kept = trainer(tmp_path, environments)
    scripted(made, lambda _: "I would add them.")
    made.train()
    environments.close()

    assert 0.0 == kept.logs[0]["rewards/RepairEnvironment/mean"]
