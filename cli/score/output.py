"""Where the records go: a terminal, which gets none, a stream, or a file (`file_output`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

from ocaml_reward import MachineError

from ..terminal.text import counted
from .records import StoredRecord


class OutputLostError(MachineError):
    """Writing failed half-way, as on a full disk; every record before is safe."""


class Output(Protocol):
    """Takes records, one line each."""

    @property
    def path(self) -> Path | None:
        """The file, where it is one that a later run can continue."""
        ...

    @property
    def written(self) -> int:
        """The number of records that are safe."""
        ...

    def stored(self) -> Iterator[StoredRecord]:
        """Yield the records that an earlier run left here."""
        ...

    def put(self, line: bytes, position: int | None = None) -> None:
        """Add the next record, or put it in place of the stored one at a position."""
        ...

    def finish(self) -> None:
        """Complete the file, when everything is scored."""
        ...

    def close(self) -> None:
        """Release the file."""
        ...


class NoOutput:
    """Keeps no record: what a terminal gets, which shows a summary instead."""

    path = None

    def __init__(self) -> None:
        """Begin to count."""
        self.written = 0

    def stored(self) -> Iterator[StoredRecord]:
        """Yield nothing."""
        return iter(())

    def put(self, line: bytes, position: int | None = None) -> None:
        """Count a record."""
        del line, position
        self.written += 1

    def finish(self) -> None:
        """Have nothing to complete."""

    def close(self) -> None:
        """Have nothing to release."""


class StreamOutput:
    """Records on standard output, each flushed, for the next program of a pipe."""

    path = None

    def __init__(self, stream: BinaryIO) -> None:
        """Write to a stream, which stays open."""
        self.stream = stream
        self.written = 0

    def stored(self) -> Iterator[StoredRecord]:
        """Yield nothing, as what is written here is gone."""
        return iter(())

    def put(self, line: bytes, position: int | None = None) -> None:
        """Write and flush; a pipe that nobody reads raises BrokenPipeError."""
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
        """Have nothing to complete."""

    def close(self) -> None:
        """Leave the stream open, as it is not ours."""


def write_error(where: str, error: OSError, written: int) -> OutputLostError:
    """Build the error of a write that failed."""
    return OutputLostError(
        f"cannot write {where}: {error.strerror}; {counted(written, 'new record')}"
        f" {'is' if written == 1 else 'are'} safe"
    )
