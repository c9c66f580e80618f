"""A group of eight known completions, and TRL's trainer that is given them as if it had sampled
them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from datasets import Dataset
from trl import GRPOConfig

from tests.adapters.tokens import END
from trainer_plugin import OCamlReward
from trainer_plugin.located.trainer import LocatedGRPOTrainer
from trainer_plugin.run.tiny_models import make_model

__all__ = ["PROBLEM", "TEXTS", "WIDTH", "located_run", "located_trainer", "token_ids"]

PROBLEM = {
    "id": "two",
    "prompt": "Write f and g.",
    "tests": "let () = assert (f 1. = 2.)\nlet () = assert (g 1 = 1)",
}
# Right; wrong in f; in g; f does not type, twice; does not parse; no code; cut off.
TEXTS = (
    "Voilà:\n```ocaml\nlet f x = x +. 1.\nlet g x = x\n```\n(* END *)",
    "```ocaml\nlet f x = x +. 2.\nlet g x = x\n```\n(* END *)",
    "```ocaml\n(* é € \N{SLIGHTLY SMILING FACE} *)\nlet f x = 1. +. x\nlet g x = x + 1\n```\n",
    "Ça:\n```ocaml\n(* ünï *) let f x = x +. 1\nlet g x = x\n```\nVoilà €\n(* END *)",
    '```ocaml\nlet f x = x ^ "€"\nlet g x = x\n```\n(* END *)',
    "```ocaml\nlet f x = (x\nlet g x = x\n```\n",
    "Je ne sais pas. €",
    "```ocaml\nlet f x = x +. 1.\n(* €uro *)\nlet g x =\n  let y = x in y (* €€€€€€€€€€€€€€€€€€€€€€€ *)",
)
WIDTH = 90
"""Tokens of a completion at most: the last one is cut within a character."""


def token_ids(tokenizer: Any) -> list[list[int]]:
    """Encode the completions; the last one has no end."""
    encoded = [[*tokenizer.encode(text), END][:WIDTH] for text in TEXTS]
    assert [END] * 7 == [each[-1] for each in encoded[:7]]
    assert END != encoded[7][-1]
    return encoded


def located_trainer(
    tokenizer: Any, folder: Path, *, group: int = 8, share: float = 0.5, **changed: Any
) -> Any:
    """Make TRL's trainer, for which the group is sampled at each step."""

    def rollout(prompts: list[Any], _: Any) -> dict[str, Any]:
        sampled = {"prompt_ids": [[65]] * len(prompts), "completion_ids": token_ids(tokenizer)}
        return {**sampled, "logprobs": None}

    arguments = GRPOConfig(
        output_dir=str(folder),
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
        per_device_train_batch_size=8,
        num_generations=group,
        max_completion_length=WIDTH,
        report_to="none",
        **changed,
    )
    return LocatedGRPOTrainer(
        model=make_model(tokenizer, seed=0, hidden=16, layers=1, positions=256),
        reward_funcs=OCamlReward(regions=True, logs=False, jobs=2),
        args=arguments,
        train_dataset=Dataset.from_list([PROBLEM]),
        processing_class=tokenizer,
        rollout_func=rollout,
        located_share=share,
    )


def located_run(tokenizer: Any, folder: Path, **changed: Any) -> Any:
    """Let TRL's trainer score the group; return the trainer and what it would learn from."""
    trainer = located_trainer(tokenizer, folder, **changed)
    trainer.model.train()
    return trainer, trainer._generate_and_score_completions([PROBLEM] * 8)
