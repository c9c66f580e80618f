"""
The callback that writes `learning.log`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..learning import format_line, step_from_logs
from .journal import Journal
from .listening import LineLog

__all__ = ["LearningLog"]


class LearningLog(LineLog):
    """
    Writes `learning.log`, one line per logged step with completions of its own.
    """

    file = "learning.log"

    def __init__(self, name: str) -> None:
        """
        Log for the reward of that name.
        """
        super().__init__()
        self._name = name

    def line(self, state: Any, logs: Mapping[str, Any]) -> str | None:
        """
        Write a step as the line that people read.
        """
        step = step_from_logs(logs, name=self._name, step=state.global_step)
        return format_line(step) if step is not None and step.fresh else None

    def resume(self, journal: Journal, state: Any) -> None:
        """
        Keep the lines that the steps before the checkpoint have.
        """
        steps = [
            step_from_logs(each, name=self._name, step=each["step"])
            for each in state.log_history
        ]
        past = [format_line(step) for step in steps if step is not None and step.fresh]
        journal.keep_first(_common(list(journal.lines()), past))


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
