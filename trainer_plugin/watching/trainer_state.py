"""The log that transformers keeps in `trainer_state.json`, which each checkpoint has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..run.checkpoints import last_checkpoint
from .tail import Line

NAME = "trainer_state.json"


def state_file(path: Path) -> Path | None:
    """Return the state of a checkpoint, or of the newest checkpoint in a folder."""
    if not path.is_dir():
        return path
    checkpoint = path if (path / NAME).is_file() else last_checkpoint(path)
    return checkpoint / NAME if checkpoint else None


def state_in(path: Path | None) -> dict[str, Any]:
    """Read a state; an empty one where there is none."""
    try:
        state = json.loads(path.read_text(encoding="utf-8")) if path else None
    except (OSError, ValueError, RecursionError):
        return {}
    return state if isinstance(state, dict) else {}


class TrainerState:
    """The entries of `log_history`, read as the lines of a log.

    A newer checkpoint repeats the entries of the older ones, so that only those behind the
    last one that was read are new.
    """

    def __init__(self, path: Path) -> None:
        """Take a state's file, a checkpoint, or a folder of checkpoints; read nothing yet."""
        self.path = path
        self._seen: tuple[Path, int, int] | None = None
        self._entries: list[Any] = []
        self._count = 0
        self._last: Any = None

    def began_again(self) -> bool:
        """Tell whether the entries that were read are no longer there."""
        self._load()
        known = self._entries[self._count - 1 : self._count]
        if not self._count or known == [self._last]:
            return False
        self._count = 0
        return True

    def lines(self) -> Iterator[Line]:
        """Yield the entries that are new; their number is the place in `log_history`."""
        self._load()
        for entry in self._entries[self._count :]:
            self._count += 1
            self._last = entry
            yield Line(file="log_history", number=self._count, text=json.dumps(entry))

    def rest(self) -> Line | None:
        """Return None: a state is written as a whole."""
        return None

    def _load(self) -> None:
        path = state_file(self.path)
        try:
            found = path.stat() if path else None
        except OSError:
            found = None
        if path is None or found is None:
            return
        seen = (path, found.st_mtime_ns, found.st_size)
        if seen == self._seen:
            return
        entries = state_in(path).get("log_history")
        if isinstance(entries, list):
            self._seen, self._entries = seen, entries
