"""One training as `ocaml-reward train --resume` does it, with the time that sampling took noted, on a
GPU with a faster way of sampling, and with what the arm changes beside its settings.

    python -m experiments.pretrained.arm [--share SHARE] ARM KEY=VALUE...
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final, cast

import torch
from trl import GRPOTrainer

from experiments.learn.rejection import REJECTION, learn_from_passes
from experiments.learn.variants import dealt
from ocaml_reward import Breakdown
from trainer_plugin import OCamlReward
from trainer_plugin.config.reading import load_config
from trainer_plugin.config.value import Config
from trainer_plugin.endings import end_tokens
from trainer_plugin.run import train as training

from .decoding import Decoders

SAMPLING: Final = "sampling.jsonl"
"""A line for each generated batch: the step, whether it was of an evaluation, seconds."""

Rewards = list[float | None]


def note_sampling(folder: Path) -> None:
    """Have every trainer write down how long its generation took."""
    generate = GRPOTrainer._generate  # noqa: SLF001 (no public hook times it alone)

    def noted(self: GRPOTrainer, prompts: Any) -> Any:
        began = time.perf_counter()
        found = generate(self, prompts)
        line = {
            "step": self.state.global_step,
            "train": self.model.training,
            "seconds": round(time.perf_counter() - began, 3),
        }
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / SAMPLING).open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")
        return found

    GRPOTrainer._generate = noted  # noqa: SLF001


def sample_fast(config: Config) -> None:
    """Have every trainer sample with the kernels of a token recorded."""
    decoders: list[Decoders] = []

    def sampled(
        self: GRPOTrainer, prompt_ids: list[list[int]], *_: Any
    ) -> tuple[list[list[int]], None]:
        if not decoders:
            tokenizer = self.processing_class
            decoders.append(
                Decoders(
                    self.model,
                    width=config.grpo.max_prompt_length,
                    longest=config.grpo.max_completion_length,
                    ends=end_tokens(tokenizer, self.model),
                    pad=tokenizer.pad_token_id,
                )
            )
        found = decoders[0].sample(prompt_ids, temperature=self.args.temperature)
        return found, None

    GRPOTrainer._generate_single_turn = sampled  # noqa: SLF001 (no hook but for servers)


def changed(make: Any, change: Callable[[Any, Rewards], Rewards]) -> Any:
    """Have what makes a reward make one that changes each scored batch or its rewards; the logs keep
    what was earned.
    """

    def made(config: Config) -> OCamlReward:
        score: Any = make(config)
        kind: Any = type(score)

        class Changed(kind):
            def __call__(self, *args: Any, **columns: Any) -> Rewards:
                return change(self, super().__call__(*args, **columns))

        score.__class__ = Changed
        return cast("OCamlReward", score)

    return made


def parts_at_random(score: Any, rewards: Rewards) -> Rewards:
    """Deal out what a reward knows of the parts of a batch among all of them."""
    if score.last is not None:
        score.last = replace(score.last, breakdowns=_dealt(score.last))
    return rewards


def coins(score: Any, rewards: Rewards) -> Rewards:
    """Throw a coin for each completion that could be scored."""
    rng = _random(score.last)
    return [None if one is None else float(rng.random() < 0.5) for one in rewards]


def _dealt(batch: Any) -> list[Breakdown]:
    return dealt([replace(each, blame=None) for each in batch.breakdowns], _random(batch))


def _random(batch: Any) -> Random:
    # By the batch alone, so that a run that goes on draws as one that was not cut off.
    return Random("".join(each.completion.text for each in batch.samples))


def rejecting(create: Any) -> Any:
    """Have what makes a trainer make one that learns what passes."""

    def created(*args: Any, **parts: Any) -> GRPOTrainer:
        trainer: GRPOTrainer = create(*args, **parts)
        learn_from_passes(trainer)
        return trainer

    return created


def alter(arm: str) -> None:
    """Put in place what an arm changes beside its settings."""
    names = vars(training)
    match arm:
        case "located at random":
            names["reward"] = changed(names["reward"], parts_at_random)
        case "random reward":
            names["reward"] = changed(names["reward"], coins)
        case _ if arm == REJECTION:
            names["create_trainer"] = rejecting(names["create_trainer"])


def main() -> int:
    """Train, going on from the last checkpoint."""
    parser = argparse.ArgumentParser(prog="python -m experiments.pretrained.arm")
    parser.add_argument("arm")
    parser.add_argument("--share", type=float, default=1.0, help="of the GPU's memory")
    parser.add_argument("settings", nargs="*")
    options = parser.parse_args()
    alter(options.arm)
    loaded = load_config(preset="seed", overrides=options.settings, environment={})
    note_sampling(Path(loaded.config.grpo.output_dir))
    # As when the base was made.
    torch.set_float32_matmul_precision("high")
    if torch.cuda.is_available():
        torch.cuda.set_per_process_memory_fraction(options.share)
        sample_fast(loaded.config)
    return training.train(loaded, resume=True, overwrite=False, merged=False)


if __name__ == "__main__":
    sys.exit(main())
