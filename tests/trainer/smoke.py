"""The smoke preset on the corpus' problems, in this process, and what it has logged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from trainer_plugin.__main__ import main

ROOT = Path(__file__).parents[2]
PROBLEMS = ROOT / "test_corpus" / "problems.jsonl"

# The reward of a random model is always 0; the entropy bonus makes its adapter move.
COMMON = (
    f"dataset.source={PROBLEMS}",
    "dataset.limit=14",
    "dataset.validation_size=2",
    "grpo.per_device_train_batch_size=4",
    "grpo.entropy_coef=0.1",
    "grpo.max_steps=4",
    "grpo.max_completion_length=8",
)


def train(folder: Path, *words: str) -> int:
    """Run the smoke preset in this process."""
    settings = [f"--set={each}" for each in (*COMMON, f"grpo.output_dir={folder}")]
    return main(["train", "--preset=smoke", *settings, *words])


def history(checkpoint: Path) -> list[dict[str, Any]]:
    """Return what the trainer logged, without what depends on the clock."""
    state = json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))
    timed = ("time", "seconds", "per_second")
    return [
        {key: value for key, value in entry.items() if not any(t in key for t in timed)}
        for entry in state["log_history"]
    ]


def figures(folder: Path) -> list[dict[str, Any]]:
    """Read what a run has kept of its trainer's log."""
    lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]
