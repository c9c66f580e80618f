"""Determines from a run's folder how far the run is, and whether it is running."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from ..run.lock import is_held
from .log_lines import state_file, state_in


class RunState(StrEnum):
    """RunState of a run; UNKNOWN if it has no lock, as with another trainer, or is a single log."""

    WAITING = "not started"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped before its end"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """Progress of a run.

    Attributes:
        state: Its state.
        step: Number of finished updates.
        steps: Number of all updates.
        epoch: The same progress in epochs.
        eta_s: Remaining seconds, from the mean duration of updates and evaluations so far.
        last_line: Unix time of the last logged line.
    """

    state: RunState
    step: int | None
    steps: int | None
    epoch: float | None
    eta_s: float | None
    last_line: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return a representation in JSON types."""
        return {**asdict(self), "state": self.state.value}


def run_state(folder: Path, *, begun: bool, closed: bool) -> RunState:
    """Return the state of a run.

    Args:
        folder: The run's output folder.
        begun: Whether it has logged a step.
        closed: Whether its trainer has logged the figures of the end of a run, which alone decide
            for a run without the lock of `ocaml-reward train`.
    """
    held = is_held(folder)
    if held:
        return RunState.RUNNING
    if not begun:
        return RunState.WAITING
    if held is None:
        return RunState.FINISHED if closed else RunState.UNKNOWN
    return RunState.FINISHED if (folder / "final").is_dir() else RunState.STOPPED


def total_updates(folder: Path, *, step: int | None, epoch: float | None) -> int | None:
    """Return the number of all updates of a run, from its settings or its checkpoint."""
    settings = state_in(folder / "config.json").get("settings")
    if isinstance(settings, dict):
        most = _value(settings, "grpo.max_steps")
        epochs = _value(settings, "grpo.num_train_epochs")
        if most and most > 0:
            return int(most)
        if epochs and step and epoch:
            return max(step, round(epochs * step / epoch))
    steps = state_in(state_file(folder)).get("max_steps")
    return steps if isinstance(steps, int) and steps > 0 else None


def _value(settings: Mapping[str, Any], key: str) -> float | None:
    """Return the value of a setting, if it is a number."""
    one = settings.get(key)
    value = one.get("value") if isinstance(one, dict) else None
    return value if isinstance(value, int | float) else None
