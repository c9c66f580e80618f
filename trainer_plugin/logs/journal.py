"""Append-only log files, written in whole batches and rotated by size.

`completions.jsonl` is the newest part; `completions.jsonl.1` the one before it.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

MOST_BYTES = 256 * 1024 * 1024
_KEPT = 9


def journal_files(path: Path) -> list[Path]:
    """Return the existing files of a journal, oldest first."""
    rotated = [_rotated(path, number) for number in range(_KEPT, 0, -1)]
    return [each for each in (*rotated, path) if each.is_file()]


class Journal:
    """One log. Every method raises OSError if the disk fails; earlier lines stay intact."""

    def __init__(self, path: Path, *, most_bytes: int = MOST_BYTES) -> None:
        """Set the path without touching the disk."""
        self.path = path
        self._most_bytes = most_bytes
        self._mended = False

    def append(self, lines: Sequence[str]) -> None:
        """Append all lines or none, even if the process is killed."""
        data = "".join(f"{line}\n" for line in lines).encode()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self._mended:
            self._mend()
        self._make_room(len(data))
        target = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            before = os.fstat(target).st_size
            rest = memoryview(data)
            try:
                while rest:
                    rest = rest[os.write(target, rest) :]
            except OSError:
                with suppress(OSError):
                    os.ftruncate(target, before)
                raise
        finally:
            os.close(target)

    def lines(self) -> Iterator[str]:
        """Yield the lines of all parts, oldest first; an incomplete last line is left out."""
        for part in journal_files(self.path):
            with part.open(encoding="utf-8", errors="replace", newline="\n") as stream:
                for line in stream:
                    if line.endswith("\n"):
                        yield line[:-1]

    def cut(self, keep: Callable[[str], bool]) -> None:
        """Remove the lines that `keep` rejects.

        Lines are in order of time and the removed ones are the newest, so parts are read from the
        newest back, until one keeps all its lines.
        """
        for part in reversed(journal_files(self.path)):
            if not _rewrite(part, keep):
                break

    def keep_first(self, count: int) -> None:
        """Remove all but the first `count` lines."""
        numbers = itertools.count()
        for part in journal_files(self.path):
            _rewrite(part, lambda _: next(numbers) < count)

    def set_aside(self) -> None:
        """Rename all parts, so that no reader takes them for a log of this run."""
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        for part in journal_files(self.path):
            name = f"before-{stamp}.{part.name}"
            target = part.with_name(name)
            for number in range(2, 100):
                if not target.exists():
                    break
                target = part.with_name(f"{number}.{name}")
            part.replace(target)

    def _mend(self) -> None:
        """Remove a last line that a killed process left unfinished."""
        if self.path.is_file():
            with self.path.open("rb+") as stream:
                size = stream.seek(0, os.SEEK_END)
                while size and not self._ends_line(stream.fileno(), size):
                    size -= 1
                stream.truncate(size)
        self._mended = True

    @staticmethod
    def _ends_line(descriptor: int, size: int) -> bool:
        return os.pread(descriptor, 1, size - 1) == b"\n"

    def _make_room(self, more: int) -> None:
        """Rotate the file if so many more bytes do not fit."""
        size = self.path.stat().st_size if self.path.exists() else 0
        if not size or size + more <= self._most_bytes:
            return
        # Use the first free number; if there is none, the oldest part is overwritten.
        free = 1
        while free < _KEPT and _rotated(self.path, free).exists():
            free += 1
        for number in range(free, 1, -1):
            _rotated(self.path, number - 1).replace(_rotated(self.path, number))
        self.path.replace(_rotated(self.path, 1))


def _rewrite(part: Path, keep: Callable[[str], bool]) -> bool:
    """Remove lines from a file, or the file if none remain; return whether any remain."""
    # The text after the last newline is empty or an unfinished line.
    *lines, rest = part.read_bytes().split(b"\n")
    kept = [line for line in lines if keep(line.decode(errors="replace"))]
    if not kept:
        part.unlink()
        return True
    if len(kept) == len(lines) and not rest:
        return False
    draft = part.with_name(f"{part.name}.draft")
    draft.write_bytes(b"".join(line + b"\n" for line in kept))
    draft.replace(part)
    return True


def _rotated(path: Path, number: int) -> Path:
    """Return the path of a rotated part."""
    return path.with_name(f"{path.name}.{number}")
