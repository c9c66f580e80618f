"""Callbacks that run on rank 0 at each log event, and log files with one line per event."""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from transformers import TrainerCallback

from .disk import tolerate_disk_errors
from .journal import Journal


class LogEventCallback(TrainerCallback):
    """Receives what the trainer logs: the figures of updates, of evaluations, and of the end."""

    def on_log(
        self,
        _: Any,
        state: Any,
        __: Any,
        logs: Mapping[str, Any] | None = None,
        **___: Any,
    ) -> None:
        """Forward the event on rank 0."""
        if state.is_world_process_zero and logs:
            self.on_log_event(state, logs)

    @abstractmethod
    def on_log_event(self, state: Any, logs: Mapping[str, Any]) -> None:
        """Handle a log event; `state` is the trainer's."""


class LineLog(LogEventCallback):
    """Writes `file` in the folder of the run. A full disk does not stop the run."""

    file: ClassVar[str]

    def __init__(self) -> None:
        """Start without an open file."""
        self._journal: Journal | None = None

    def on_train_begin(self, args: Any, state: Any, _: Any, **__: Any) -> None:
        """Begin a log, or continue that of the resumed run."""
        if not state.is_world_process_zero:
            return
        self._journal = Journal(Path(args.output_dir) / self.file)
        with tolerate_disk_errors(self._journal.path, run=self._journal.path.parent):
            if state.global_step == 0:
                self._journal.set_aside()
            else:
                self.resume(self._journal, state)

    def on_log_event(self, state: Any, logs: Mapping[str, Any]) -> None:
        """Write the line of a log event, if it has one."""
        line = self.line(state, logs)
        if line is None or self._journal is None:
            return
        with tolerate_disk_errors(self._journal.path, run=self._journal.path.parent):
            self._journal.append([line])

    @abstractmethod
    def line(self, state: Any, logs: Mapping[str, Any]) -> str | None:
        """Return the line of a log event; None if it has none."""

    @abstractmethod
    def resume(self, journal: Journal, state: Any) -> None:
        """Remove the lines after the checkpoint of `state`."""


class MetricsLog(LineLog):
    """Writes `metrics.jsonl`, one line per log event: an update, an evaluation, the end
    of a run.
    """

    file = "metrics.jsonl"

    def line(self, state: Any, logs: Mapping[str, Any]) -> str:
        """Return the logged figures as a JSON object, with the step."""
        row = {"step": state.global_step} | {key: _value(logs[key]) for key in logs}
        return json.dumps(row)

    def resume(self, journal: Journal, state: Any) -> None:
        """Keep the lines up to the checkpoint."""
        journal.cut(lambda line: _step(line) <= state.global_step)


def _value(value: Any) -> Any:
    """Convert a value to JSON: no NaN, and text for anything that is not a number."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, str | int) else str(value)


def _step(line: str) -> float:
    """Return the step in a line, infinite if there is none."""
    try:
        value = json.loads(line)["step"]
    except (ValueError, KeyError, TypeError):
        return math.inf
    return value if isinstance(value, int) else math.inf
