"""Outputs of records: none for a terminal, a stream, or a file (`file_output`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ocaml_reward import MachineError

from ..terminal.text import counted
from .records import StoredRecord


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
