"""One of two processes that share two groups unevenly, as a program:
`python -m tests.trainer.slices OUTPUT` under a launcher.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import torch.distributed

from tests.trainer.faked import BAD, GOOD, TESTS, batch, reward

# The second group begins in the first process; one of its completions is not scored.
SLICES = (
    (("a", BAD), ("a", BAD), ("a", BAD), ("b", BAD)),
    (("b", GOOD), ("b", "let add = machine"), ("b", GOOD)),
)


class Trainer:
    """A trainer as a reward function knows it."""

    def __init__(self, folder: Path) -> None:
        self.args = SimpleNamespace(output_dir=str(folder))
        self.told: dict[str, float] = {}

    def log_metric(self, name: str, value: float) -> None:
        """Keep a metric."""
        self.told[name] = value


if __name__ == "__main__":
    torch.distributed.init_process_group("gloo")
    rank = torch.distributed.get_rank()
    trainer = Trainer(Path(sys.argv[1]))
    ids, texts = zip(*SLICES[rank], strict=True)
    batch(
        reward(),
        *texts,
        id=list(ids),
        tests=[TESTS] * len(ids),
        split=["train"] * len(ids),
        trainer_state=SimpleNamespace(global_step=1, epoch=0.1),
        log_metric=trainer.log_metric,
    )
    told = json.dumps(trainer.told)
    (Path(sys.argv[1]) / f"told{rank}.json").write_text(told, encoding="utf-8")
    torch.distributed.destroy_process_group()
