"""
The callback that writes `metrics.jsonl`: every figure that the trainer logs.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from .disk import survived
from .journal import Journal

__all__ = ["MetricsLog"]


class MetricsLog(TrainerCallback):
    """
    Writes `metrics.jsonl`, one line for each thing that the trainer logs: an update's
    figures, an evaluation's, and those at the end of a run.
    """

    def __init__(self) -> None:
        """
        Touch nothing yet.
        """
        self._journal: Journal | None = None

    def on_train_begin(self, args: Any, state: Any, _: Any, **__: Any) -> None:
        """
        Begin a log, or go on with that of the run that is resumed, up to its checkpoint.
        """
        if not state.is_world_process_zero:
            return
        self._journal = Journal(Path(args.output_dir) / "metrics.jsonl")
        with survived(self._journal.path, run=self._journal.path.parent):
            if state.global_step == 0:
                self._journal.set_aside()
            else:
                self._journal.cut(lambda line: _step(line) <= state.global_step)

    def on_log(
        self,
        _: Any,
        state: Any,
        __: Any,
        logs: Mapping[str, Any] | None = None,
        **___: Any,
    ) -> None:
        """
        Write what is logged.
        """
        if self._journal is None or not logs:
            return
        row = {"step": state.global_step} | {key: _value(logs[key]) for key in logs}
        with survived(self._journal.path, run=self._journal.path.parent):
            self._journal.append([json.dumps(row)])


def _value(told: Any) -> Any:
    """
    Give what JSON has: no NaN, and text for what is no number.
    """
    if isinstance(told, float):
        return told if math.isfinite(told) else None
    return told if told is None or isinstance(told, str | int) else str(told)


def _step(line: str) -> float:
    try:
        told = json.loads(line)["step"]
    except (ValueError, KeyError, TypeError):
        return math.inf
    return told if isinstance(told, int) else math.inf
