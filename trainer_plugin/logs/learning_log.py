"""
The callback that writes `learning.log`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from ..learning import format_line, step_from_logs
from .disk import survived
from .journal import Journal

__all__ = ["LearningLog"]


class LearningLog(TrainerCallback):
    """
    Writes `learning.log`, one line per logged step with completions of its own.
    """

    def __init__(self, name: str) -> None:
        """
        Log for the reward of that name.
        """
        self._name = name
        self._journal: Journal | None = None

    def on_train_begin(self, args: Any, state: Any, _: Any, **__: Any) -> None:
        """
        Continue the log of the run that is resumed, or begin one.
        """
        if not state.is_world_process_zero:
            return
        self._journal = Journal(Path(args.output_dir) / "learning.log")
        with survived(self._journal.path, run=self._journal.path.parent):
            if state.global_step == 0:
                self._journal.set_aside()
                return
            steps = [
                step_from_logs(each, name=self._name, step=each["step"])
                for each in state.log_history
            ]
            past = [
                format_line(step) for step in steps if step is not None and step.fresh
            ]
            there = list(self._journal.lines())
            self._journal.keep_first(_common(there, past))

    def on_log(
        self,
        _: Any,
        state: Any,
        __: Any,
        logs: Mapping[str, Any] | None = None,
        **___: Any,
    ) -> None:
        """
        Write the line of a step.
        """
        step = step_from_logs(logs or {}, name=self._name, step=state.global_step)
        if step is None or not step.fresh or self._journal is None:
            return
        with survived(self._journal.path, run=self._journal.path.parent):
            self._journal.append([format_line(step)])


def _common(there: Sequence[str], past: Sequence[str]) -> int:
    """
    Return how many of the lines that are there a resumed run has written, given all that
    it has: rotation may have taken its first lines away.  All, if they do not fit.
    """
    if not past:
        return 0
    best = (0, len(there))
    for end in range(1, len(there) + 1):
        size = min(end, len(past))
        # The last lines first: they tell most places apart.
        if size <= best[0] or there[end - 1] != past[-1]:
            continue
        if there[end - size : end] == past[-size:]:
            best = (size, end)
    return best[1]
