"""The callback that writes `metrics.jsonl`: every figure that the trainer logs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from .journal import Journal
from .log_events import LineLog


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
    try:
        value = json.loads(line)["step"]
    except (ValueError, KeyError, TypeError):
        return math.inf
    return value if isinstance(value, int) else math.inf
