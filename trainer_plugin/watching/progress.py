"""How far a run has come, and whether it goes on: from its folder, without its process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from ..run.lock import is_held
from .log_lines import state_file, state_in


class State(StrEnum):
    """What can be told of a run from outside.  UNKNOWN is one without a lock, of a trainer of
    one's own, or a log by itself.
    """

    WAITING = "not started"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped before its end"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """How far it has come: updates done, of so many, in epochs; seconds left by the time that
    updates and evaluations took so far; and when the last line came, in Unix time.
    """

    state: State
    step: int | None
    steps: int | None
    epoch: float | None
    eta_s: float | None
    last_line: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        return {**asdict(self), "state": self.state.value}


def state_of(folder: Path, *, begun: bool, closed: bool) -> State:
    """Tell a run that died from one that is finished.

    Args:
        folder: The run's output folder.
        begun: Whether it has logged a step.
        closed: Whether its trainer has logged the figures of a run's end.

    Returns:
        Its state; a run without the lock of `ocaml-reward train` is finished if it is
        closed.
    """
    held = is_held(folder)
    if held:
        return State.RUNNING
    if not begun:
        return State.WAITING
    if held is None:
        return State.FINISHED if closed else State.UNKNOWN
    return State.FINISHED if (folder / "final").is_dir() else State.STOPPED


def updates_of(folder: Path, *, step: int | None, epoch: float | None) -> int | None:
    """Tell how many updates a run has in all, as its settings or its checkpoint say."""
    settings = state_in(folder / "config.json").get("settings")
    if isinstance(settings, dict):
        most = _value(settings, "grpo.max_steps")
        epochs = _value(settings, "grpo.num_epochs")
        if most and most > 0:
            return int(most)
        if epochs and step and epoch:
            return max(step, round(epochs * step / epoch))
    steps = state_in(state_file(folder)).get("max_steps")
    return steps if isinstance(steps, int) and steps > 0 else None


def _value(settings: Mapping[str, Any], key: str) -> float | None:
    one = settings.get(key)
    value = one.get("value") if isinstance(one, dict) else None
    return value if isinstance(value, int | float) else None
