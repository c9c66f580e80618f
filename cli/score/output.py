"""Outputs of records: none for a terminal, a stream, a file, or results of another tool."""

from __future__ import annotations

import fcntl
import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from ocaml_reward import InputError, MachineError
from ocaml_reward.formats import write_whole
from ocaml_reward.formats.results import RESULTS, write_results

from ..terminal.stopping import uninterrupted
from ..terminal.text import counted
from .records import StoredRecord, read_records

_BLOCK_BYTES: Final = 64 * 1024


class OutputLostError(MachineError):
    """Writing failed, as on a full disk; the records before are complete."""


class Output:
    """An output of records, one line each; this one discards them.

    A terminal gets this one, because it shows only the summary.
    """

    path: Path | None = None
    """The file, if a later run can continue it."""

    def __init__(self) -> None:
        """Start without records."""
        self.written = 0
        """The number of records written."""

    def stored(self) -> Iterator[StoredRecord]:
        """Yield the records of an earlier run."""
        return iter(())

    def put(self, line: bytes, position: int | None = None) -> None:
        """Append a record, or replace the stored one at `position`."""
        del line, position
        self.written += 1

    def finish(self) -> None:
        """Complete the output, after everything is scored."""

    def close(self) -> None:
        """Release the file."""


class StreamOutput(Output):
    """Writes records to standard output, and flushes each, for the next program of a pipe."""

    def __init__(self, stream: BinaryIO) -> None:
        """Set the stream, which stays open."""
        super().__init__()
        self.stream = stream

    def put(self, line: bytes, position: int | None = None) -> None:
        """Write a record; raises BrokenPipeError if the reader is gone."""
        del position
        try:
            self.stream.write(line)
            self.stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise write_error("standard output", error, self.written) from error
        self.written += 1


def write_error(where: str, error: OSError, written: int) -> OutputLostError:
    """Return the error for a failed write."""
    return OutputLostError(
        f"cannot write {where}: {error.strerror}; {counted(written, 'new record')}"
        f" {'is' if written == 1 else 'are'} safe"
    )


class FileOutput(Output):
    """Records in a file.

    The file is not changed before the first record is written, in case its name is a mistake. A
    failed write is undone, so that the file ends with a complete line. Records are replaced in a
    copy, which then replaces the file.
    """

    def __init__(self, path: Path, *, resume: bool, overwrite: bool) -> None:
        """Open a file; raises InputError if that fails, or if its contents would be lost."""
        super().__init__()
        self.path: Path = path
        self.copy_path = path.with_name(f"{path.name}.mending")
        self._copied = 0
        self._copy: BinaryIO | None = None
        self._old: BinaryIO | None = None
        self._is_positioned = False
        self._is_finished = False
        try:
            self._is_new = not path.exists()
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            status = os.fstat(self._file)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"cannot write {path}: {reason}") from error
        size = status.st_size
        self._regular = stat.S_ISREG(status.st_mode)
        self._lock()
        self.kept = whole_lines(self._file, size) if resume else 0
        self._end = self.kept
        if size and not resume and not overwrite:
            os.close(self._file)
            raise InputError(
                f"{path} exists; continue it with --resume, or replace it with --overwrite"
            )

    def stored(self) -> Iterator[StoredRecord]:
        """Yield the records of an earlier run, without an incomplete last line."""
        return read_records(self.path, size=self.kept) if self.kept else iter(())

    def put(self, line: bytes, position: int | None = None) -> None:
        """Write a record at the end, or in a copy in place of the one at `position`."""
        if position is None and self._regular:
            uninterrupted(lambda: self._append(line))
        elif position is None:
            self._append(line)
        else:
            self._replace(position, line)

    def finish(self) -> None:
        """Replace the file by the copy, if there is one, and remove an incomplete line."""
        self._is_finished = True
        self._finish_copy()

    def close(self) -> None:
        """Close all files; remove an unfinished copy, and a new file in which nothing came."""
        for stream in (self._old, self._copy):
            if stream is not None:
                stream.close()
        if self._copy is not None:
            self.copy_path.unlink(missing_ok=True)
            self._copy = None
        if self._is_new and not self._is_finished and not self.written and self._regular:
            self.path.unlink(missing_ok=True)
        os.close(self._file)

    def _lock(self) -> None:
        """Lock the file, so that no second run writes to it."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._file)
            raise InputError(f"{self.path} is being written by another run") from None
        except OSError:
            # Some file systems have no locks; scoring works there without.
            return

    def _append(self, line: bytes) -> None:
        self._finish_copy()
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise
            with suppress(OSError):
                os.ftruncate(self._file, self._end)
            raise write_error(str(self.path), error, self.written) from error
        self._end += len(line)
        self.written += 1

    def _replace(self, position: int, line: bytes) -> None:
        """Write a record to the copy, in place of the one at `position`."""
        try:
            if self._copy is None:
                self._old = self.path.open("rb")
                self._copy = self.copy_path.open("wb")
            self._copy_until(position)
            if self._old is not None:
                self._old.readline()
            self._copied += 1
            self._copy.write(line)
        except OSError as error:
            raise write_error(str(self.copy_path), error, self.written) from error

    def _copy_until(self, position: int) -> None:
        while self._copied < position and self._old is not None and self._copy:
            self._copy.write(self._old.readline())
            self._copied += 1

    def _finish_copy(self) -> None:
        """Replace the file by the copy, cut it to the kept records, and move to its end."""
        if self._is_positioned:
            return
        try:
            if self._copy is not None and self._old is not None:
                rest = self.kept - self._old.tell()
                while rest > 0:
                    block = self._old.read(min(rest, _BLOCK_BYTES))
                    self._copy.write(block)
                    rest -= len(block)
                self._copy.flush()
                os.fsync(self._copy.fileno())
                self.kept = self._end = self._copy.tell()
                os.fchmod(self._copy.fileno(), os.fstat(self._file).st_mode & 0o777)
                os.close(self._file)
                self.copy_path.replace(self.path)
                self._file = os.open(self.path, os.O_RDWR | os.O_CLOEXEC)
                self._copy.close()
                self._copy = None
            # Pipes and devices support neither, and need neither.
            with suppress(OSError):
                os.ftruncate(self._file, self.kept)
            with suppress(OSError):
                os.lseek(self._file, self.kept, os.SEEK_SET)
        except OSError as error:
            raise write_error(str(self.path), error, self.written) from error
        self._is_positioned = True


def whole_lines(file: int, size: int) -> int:
    """Return the size of a file without an incomplete last line."""
    end = size
    while end:
        start = max(0, end - _BLOCK_BYTES)
        found = os.pread(file, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


class ConvertedOutput(Output):
    """Writes results of another tool, or packed records, at the end of a run; a stopped run writes
    nothing.

    Most formats group results by problem, so the records are kept until the end.
    """

    def __init__(self, target: Path, kind: str, *, overwrite: bool) -> None:
        """Set the target; raises InputError if it exists and `overwrite` is not set."""
        if target.exists() and not overwrite:
            raise InputError(f"{target} exists already: --overwrite replaces it")
        super().__init__()
        self.target = target
        self.lost = ""
        self._kind = kind
        self._lines: list[bytes] = []

    def put(self, line: bytes, position: int | None = None) -> None:
        """Keep a record."""
        del position
        self._lines.append(line)

    def finish(self) -> None:
        """Write the results."""
        if self._kind == RESULTS[0]:
            write_whole(self.target, map(bytes.decode, self._lines))
        else:
            self.lost = write_results(self.target, map(json.loads, self._lines), self._kind)
        self.written = len(self._lines)
