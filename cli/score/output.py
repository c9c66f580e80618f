"""Outputs of records: none for a terminal, a stream, or a file (`file_output`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

from ocaml_reward import MachineError

from ..terminal.text import counted
from .records import StoredRecord


class OutputLostError(MachineError):
    """Writing failed, as on a full disk; the records before are complete."""


class Output(Protocol):
    """Interface of an output of records, one line each."""

    @property
    def path(self) -> Path | None:
        """The file, if a later run can continue it; else None."""
        ...

    @property
    def written(self) -> int:
        """The number of records written."""
        ...

    def stored(self) -> Iterator[StoredRecord]:
        """Yield the records of an earlier run."""
        ...

    def put(self, line: bytes, position: int | None = None) -> None:
        """Append a record, or replace the stored one at `position`."""
        ...

    def finish(self) -> None:
        """Complete the output, after everything is scored."""
        ...

    def close(self) -> None:
        """Release the file."""
        ...


class NoOutput:
    """Discards records, for a terminal that only shows the summary."""

    path = None

    def __init__(self) -> None:
        """Start at 0."""
        self.written = 0

    def stored(self) -> Iterator[StoredRecord]:
        """Return no records."""
        return iter(())

    def put(self, line: bytes, position: int | None = None) -> None:
        """Count a record."""
        del line, position
        self.written += 1

    def finish(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class StreamOutput:
    """Writes records to standard output, and flushes each, for the next program of a pipe."""

    path = None

    def __init__(self, stream: BinaryIO) -> None:
        """Set the stream, which `close` leaves open."""
        self.stream = stream
        self.written = 0

    def stored(self) -> Iterator[StoredRecord]:
        """Return no records, because a stream cannot be read back."""
        return iter(())

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

    def finish(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing; the caller owns the stream."""


def write_error(where: str, error: OSError, written: int) -> OutputLostError:
    """Return the error for a failed write."""
    return OutputLostError(
        f"cannot write {where}: {error.strerror}; {counted(written, 'new record')}"
        f" {'is' if written == 1 else 'are'} safe"
    )
