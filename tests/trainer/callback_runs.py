"""A run by itself, as the callbacks that watch it see it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from trainer_plugin.health.watch import VALIDATION_METRIC

COLLAPSED = {
    "loss": 0.0,
    "grad_norm": 0.0,
    "reward": 0.21,
    "reward_std": 0.0,
    "frac_reward_zero_std": 1.0,
    "entropy": 0.1,
}


class Run:
    """A training run as its callbacks see it."""

    def __init__(self, folder: Path, callbacks: Sequence[Any], history: Sequence[Any] = ()) -> None:
        self.args = SimpleNamespace(output_dir=str(folder))
        self.control = SimpleNamespace(should_training_stop=False)
        self.callbacks = callbacks
        self.state = SimpleNamespace(
            global_step=history[-1]["step"] if history else 0,
            epoch=(history[-1]["step"] if history else 0) / 10,
            max_steps=100,
            is_world_process_zero=True,
            log_history=list(history),
        )
        for each in callbacks:
            each.on_train_begin(self.args, self.state, self.control)

    def log(self, **logs: Any) -> None:
        """Log the next step."""
        self.state.global_step += 1
        self.state.epoch = self.state.global_step / 10
        logs = COLLAPSED | {"epoch": self.state.epoch} | logs
        self.state.log_history.append(logs | {"step": self.state.global_step})
        for each in self.callbacks:
            each.on_log(self.args, self.state, self.control, logs=logs)

    def evaluate(self, *values: float | None) -> list[bool]:
        """Evaluate after so many further epochs, with these rewards of 64 problems; return
        when the run was to stop.
        """
        stops = []
        for value in values:
            self.state.global_step += 10
            self.state.epoch = self.state.global_step / 10
            metrics = {
                VALIDATION_METRIC: value,
                f"{VALIDATION_METRIC}_variance": 64 * 0.01**2,
            }
            at = {"step": self.state.global_step, "epoch": self.state.epoch}
            self.state.log_history.append(metrics | at)
            for each in self.callbacks:
                each.on_evaluate(
                    self.args,
                    self.state,
                    self.control,
                    metrics=metrics,
                    eval_dataloader=SimpleNamespace(dataset=range(64)),
                )
            stops.append(self.control.should_training_stop)
        return stops


def book(folder: Path) -> list[dict[str, Any]]:
    """Return what was told."""
    text = (folder / "health.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
