"""Reads the new lines of logs that another process writes.

`Tail` reads a log file and its rotated parts. `TrainerState` reads the `log_history` that
transformers keeps in each checkpoint's `trainer_state.json`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from ..logs.journal import journal_files
from ..reading import json_object
from ..run.checkpoints import last_checkpoint

MOST_BYTES: Final = 1 << 26
"""Longer lines are counted and skipped, so that memory stays bounded."""

_REMEMBERED: Final = 4096


NAME = "trainer_state.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A line of a file; numbers count from 1."""

    file: str
    number: int
    text: str

    @property
    def where(self) -> str:
        """Return file and number, such as "learning.log:17"."""
        return f"{self.file}:{self.number}"


@dataclass(slots=True)
class _Place:
    """Position in a file.

    `before` holds the last bytes that were read; they show whether the file is still the same.
    """

    inode: int
    offset: int = 0
    number: int = 0
    before: bytes = b""


class Tail:
    """Reads a log and its rotated parts, oldest first.

    An incomplete last line is not read until it has its newline. If the log was cut, as a resumed
    run does, or set aside, reading starts over.
    """

    def __init__(self, path: Path) -> None:
        """Start at the oldest part."""
        self.path = path
        self._place: _Place | None = None

    def was_reset(self) -> bool:
        """Return whether the lines read so far are gone; the next read then starts over."""
        place = self._place
        if place is None or any(_goes_on(part, place) for part in journal_files(self.path)):
            return False
        self._place = None
        return True

    def lines(self) -> Iterator[Line]:
        """Yield the new lines."""
        for part in self._unread():
            try:
                stream = part.open("rb")
            except OSError:
                # Rotated in the meantime; the next call finds it.
                return
            with stream:
                yield from self._read(part, stream)

    def partial_line(self) -> Line | None:
        """Return an incomplete last line, without moving past it."""
        place = self._place
        try:
            with self.path.open("rb") as stream:
                stream.seek(place.offset if place else 0)
                raw = stream.readline(MOST_BYTES)
        except OSError:
            return None
        number = (place.number if place else 0) + 1
        return _line(self.path, number, raw) if raw.strip() else None

    def _unread(self) -> list[Path]:
        """Return the journal's files from the one that was read last."""
        found = journal_files(self.path)
        place = self._place
        if place is None:
            return found
        at = [n for n, part in enumerate(found) if _goes_on(part, place)]
        return found[at[0] :] if at else []

    def _read(self, part: Path, stream: BinaryIO) -> Iterator[Line]:
        """Yield the complete lines of a file that were not read before."""
        inode = os.fstat(stream.fileno()).st_ino
        if self._place is None or self._place.inode != inode:
            self._place = _Place(inode)
        place = self._place
        stream.seek(place.offset)
        while raw := stream.readline(MOST_BYTES):
            whole = raw.endswith(b"\n")
            size = len(raw)
            skipped = not whole and size == MOST_BYTES
            while skipped and not whole and (more := stream.readline(MOST_BYTES)):
                size, whole = size + len(more), more.endswith(b"\n")
                raw = more
            if not whole:
                return
            place.offset += size
            place.number += 1
            place.before = raw[-_REMEMBERED:]
            if not skipped:
                yield _line(part, place.number, raw)


def _goes_on(part: Path, place: _Place) -> bool:
    """Return whether a file is the one that was read so far."""
    try:
        with part.open("rb") as stream:
            found = os.fstat(stream.fileno())
            if found.st_ino != place.inode or found.st_size < place.offset:
                return False
            stream.seek(place.offset - len(place.before))
            return stream.read(len(place.before)) == place.before
    except OSError:
        return False


def _line(part: Path, number: int, raw: bytes) -> Line:
    text = raw.decode("utf-8", "replace").rstrip("\r\n")
    return Line(file=part.name, number=number, text=text)


def state_file(path: Path) -> Path | None:
    """Return the state file of a checkpoint, or of the newest checkpoint in a folder."""
    if not path.is_dir():
        return path
    checkpoint = path if (path / NAME).is_file() else last_checkpoint(path)
    return checkpoint / NAME if checkpoint else None


def state_in(path: Path | None) -> dict[str, Any]:
    """Read a state file; return an empty dict if there is none."""
    try:
        return json_object(path.read_bytes()) or {} if path else {}
    except OSError:
        return {}


class TrainerState:
    """Reads the entries of `log_history` as lines, with the interface of `Tail`.

    A newer checkpoint repeats the entries of older ones; only entries after the last one read are
    new.
    """

    def __init__(self, path: Path) -> None:
        """Read from a state file, a checkpoint, or a folder of checkpoints."""
        self.path = path
        self._seen: tuple[Path, int, int] | None = None
        self._entries: list[Any] = []
        self._count = 0
        self._last: Any = None

    def was_reset(self) -> bool:
        """Return whether the entries read so far are gone; the next read then starts over."""
        self._load()
        known = self._entries[self._count - 1 : self._count]
        if not self._count or known == [self._last]:
            return False
        self._count = 0
        return True

    def lines(self) -> Iterator[Line]:
        """Yield the new entries, numbered by their position in `log_history`."""
        self._load()
        for entry in self._entries[self._count :]:
            self._count += 1
            self._last = entry
            yield Line(file="log_history", number=self._count, text=json.dumps(entry))

    def partial_line(self) -> Line | None:
        """Return None, because a state file is written as a whole."""
        return None

    def _load(self) -> None:
        """Read the trainer's state, if it has changed."""
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
