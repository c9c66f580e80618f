"""What hears of a run in its first process, each time the trainer logs; and the files of it
that have a line for what was heard.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from transformers import TrainerCallback

from .disk import survived
from .journal import Journal


class Listener(TrainerCallback):
    """Hears what the trainer logs: an update's figures, an evaluation's, those of the end."""

    def on_log(
        self,
        _: Any,
        state: Any,
        __: Any,
        logs: Mapping[str, Any] | None = None,
        **___: Any,
    ) -> None:
        """Pass it on, once for all processes."""
        if state.is_world_process_zero and logs:
            self.hear(state, logs)

    @abstractmethod
    def hear(self, state: Any, logs: Mapping[str, Any]) -> None:
        """Take in what was logged; `state` is the trainer's."""


class LineLog(Listener):
    """Writes `file` in the folder of the run.  A full disk ends no run."""

    file: ClassVar[str]

    def __init__(self) -> None:
        """Touch nothing yet."""
        self._journal: Journal | None = None

    def on_train_begin(self, args: Any, state: Any, _: Any, **__: Any) -> None:
        """Begin a log, or go on with that of the run that is resumed."""
        if not state.is_world_process_zero:
            return
        self._journal = Journal(Path(args.output_dir) / self.file)
        with survived(self._journal.path, run=self._journal.path.parent):
            if state.global_step == 0:
                self._journal.set_aside()
            else:
                self.resume(self._journal, state)

    def hear(self, state: Any, logs: Mapping[str, Any]) -> None:
        """Write the line of what was logged, if it has one."""
        line = self.line(state, logs)
        if line is None or self._journal is None:
            return
        with survived(self._journal.path, run=self._journal.path.parent):
            self._journal.append([line])

    @abstractmethod
    def line(self, state: Any, logs: Mapping[str, Any]) -> str | None:
        """Return the line, None for what has none."""

    @abstractmethod
    def resume(self, journal: Journal, state: Any) -> None:
        """Remove the lines that came after the checkpoint of `state`."""
