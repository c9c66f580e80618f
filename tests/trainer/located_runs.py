"""Training with credit per token on rewards and regions that are given, whatever a random
model writes: `python -m tests.trainer.located_runs MODEL OUTPUT` is one rank of a run.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from ocaml_reward import Ground, Region
from tests.trainer.training import Kept, trainer
from trainer_plugin import OCamlReward
from trainer_plugin.located.trainer import LocatedGRPOTrainer

Ids = tuple[int, ...]


class Marked(OCamlReward):
    """Gives each completion of a group another reward, and its first character a region of the
    same name in all: every second is right.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(logs=False, regions=True, **settings)

    def __call__(self, *args: Any, **columns: Any) -> list[float | None]:
        scored = super().__call__(*args, **columns)
        assert self.last is not None
        # Over all ranks, so that a rank may have one kind only.
        first = int(os.environ.get("RANK", "0")) * len(scored)
        places = range(first, first + len(scored))
        breakdowns = [
            replace(each, regions=(self.region(place),))
            for place, each in zip(places, self.last.breakdowns, strict=True)
        ]
        self.last = replace(self.last, breakdowns=breakdowns)
        return [place % 4 / 10 for place in places]

    def region(self, place: int) -> Region:
        """Mark the first two of each four as right, the others as wrong."""
        right = place % 4 < 2
        return Region(
            start=0,
            stop=1,
            line=1,
            end_line=1,
            ground=Ground.PASSING if right else Ground.FAILING,
            names=("f",),
            places=((0, 1),),
        )


class CoverageRun(LocatedGRPOTrainer):
    """Keeps what was generated, and each micro-batch that is learnt from."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.outputs: list[dict[str, Any]] = []
        self.learnt: list[tuple[Ids, torch.Tensor]] = []
        super().__init__(*args, **kwargs)

    def _generate_and_score_completions(self, inputs: Any) -> Any:
        output = super()._generate_and_score_completions(inputs)
        self.outputs.append(dict(output))
        return output

    def _compute_loss(self, model: Any, inputs: Any) -> Any:
        ids, told = inputs["completion_ids"].tolist(), inputs["advantages"]
        pairs = zip(map(tuple, ids), told, strict=True)
        self.learnt += pairs
        return super()._compute_loss(model, inputs)


def located(
    model: Path, output: Path, reward: OCamlReward | None = None, **settings: Any
) -> tuple[Any, Kept]:
    """Make such a trainer, of groups of four."""
    chosen: dict[str, Any] = {
        "kind": CoverageRun,
        "max_steps": 1,
        "num_generations": 4,
        "selection": {"located_share": 0.5},
    } | settings
    return trainer(model, output, reward or Marked(), **chosen)


if __name__ == "__main__":
    model_folder, output_folder = map(Path, sys.argv[1:])
    made, logged = located(model_folder, output_folder, per_device_train_batch_size=2)
    made.train()
    rank = os.environ["RANK"]
    told = {
        "advantages": made.outputs[0]["advantages"].tolist(),
        "share": logged.logs[0]["located/share"],
    }
    (output_folder / f"told{rank}.json").write_text(json.dumps(told), "utf-8")
