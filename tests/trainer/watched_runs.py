"""Folders of runs and logs to look at, written line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainer_plugin.learning import LearningStep
from trainer_plugin.watching.following import FollowedRun


def write(path: Path, rows: Iterable[object]) -> Path:
    """Append lines; what is no text is written as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as stream:
        for row in rows:
            stream.write(f"{row if isinstance(row, str) else json.dumps(row)}\n")
    return path


def figures(step: LearningStep, number: int, **more: Any) -> dict[str, Any]:
    """Return what a trainer logs of a step."""
    return {
        "step": number,
        "epoch": step.epoch,
        "loss": step.loss,
        "grad_norm": step.grad_norm,
        "learning_rate": 1e-6,
        "reward": step.reward,
        "reward_std": step.reward_std,
        "rewards/syntax_aware_reward/mean": step.reward,
        "rewards/syntax_aware_reward/std": step.reward_std,
        "entropy": step.entropy,
        "frac_reward_zero_std": step.frac_zero_std,
        **more,
    }


def batch(
    step: int, rank: int, rewards: dict[str, list[float]], epoch: float = 0.2
) -> dict[str, Any]:
    """Return a row of `batch_metrics.jsonl`; a reward of 1 passes."""
    every = [one for group in rewards.values() for one in group]
    groups = {
        name: {"rewards": group, "passed": [one == 1 for one in group]}
        for name, group in rewards.items()
    }
    rates = dict.fromkeys(("compile_rate", "runaway_rate", "fault_rate"), 0.0)
    place = {"step": step, "epoch": epoch, "split": "train", "rank": rank}
    return {
        **place,
        **rates,
        "completions": len(every),
        "reward_mean": sum(every) / len(every),
        "diversity": {"unique_share": 1.0, "similarity": 0.2 * (rank + 1)},
        "score_seconds": 0.1,
        "groups": groups,
    }


def read(path: Path) -> FollowedRun:
    """Read all there is."""
    following = FollowedRun(path)
    following.poll()
    following.end()
    return following


def found(following: FollowedRun) -> list[tuple[str, str, str]]:
    """Return each finding with its evidence."""
    return [(each.finding.rule, each.first, each.last) for each in following.findings]
