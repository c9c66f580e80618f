"""Bytes of a file, plain or packed, as numbered lines of text.

Text is UTF-8.  Bytes that are not are read as U+FFFD and the line says so (`repaired`):
escaping them instead would put characters into the output that no JSON reader takes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, cast

from ..errors import FormatError
from .packing import BROKEN, ByteStream, unpacked

MAX_LINE_BYTES: Final = 64 * 1024 * 1024
UTF8_BOM: Final = b"\xef\xbb\xbf"
UTF16_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")
UTF16: Final = "UTF-16 text; save it as UTF-8"
READ_BLOCK_BYTES: Final = 1024 * 1024


def visible(text: str, kept: str = "") -> str:
    """Return a text with escapes in place of what cannot be printed, but for characters `kept`."""
    return "".join(c if c.isprintable() or c in kept else repr(c)[1:-1] for c in text)


@dataclass(frozen=True, kw_only=True, slots=True)
class BadLine:
    """A line that cannot be used, and why.  `line` is 1-based, 0 for the file as a whole."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        """Name the file and line as compilers do, so that editors can jump there."""
        where = f"{self.file}:{self.line}" if self.line else self.file
        said = f"{where}: {self.message}"
        # What is quoted may hold anything, and is to be one line of a terminal.
        return visible(said)


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line of a file; `repaired` if some of its bytes were not UTF-8."""

    number: int
    text: str
    repaired: bool


def as_source(source: str | Path | IO[bytes]) -> Path | IO[bytes]:
    """Return the source as it is, but a path if it is text."""
    return Path(source) if isinstance(source, str) else source


def name_of(source: Path | IO[bytes]) -> str:
    """Return how messages name a source: its path, or `-` for a stream."""
    return str(source) if isinstance(source, Path) else "-"


@contextmanager
def open_bytes(source: Path | IO[bytes]) -> Iterator[ByteStream]:
    """Open a file or stream, unpacking it by its first bytes rather than by its name.

    Raises FormatError for a path that cannot be read, or is packed in a way that is not read.
    """
    try:
        raw = source.open("rb") if isinstance(source, Path) else source
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"cannot read {name_of(source)}: {reason}") from error
    buffered = (
        raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", raw))
    )
    try:
        try:
            stream = unpacked(buffered, name_of(source))
        except IsADirectoryError as error:
            raise FormatError(f"cannot read {name_of(source)}: it is a folder") from error
        except OSError as error:
            raise FormatError(f"cannot read {name_of(source)}: {error.strerror}") from error
        yield stream
    finally:
        if isinstance(source, Path):
            raw.close()


def text_lines(stream: ByteStream, *, file: str) -> Iterator[Line | BadLine]:
    """Yield the lines that are not blank, numbered as an editor numbers them.

    A line over 64 MiB is a BadLine, so that a file without line ends cannot fill the
    memory.  A packed file that breaks off is a BadLine too, after all that came before.
    """
    number = 0
    while True:
        try:
            raw = stream.readline(MAX_LINE_BYTES)
            whole = len(raw) < MAX_LINE_BYTES or raw.endswith(b"\n")
            if not whole:
                skip_to_line_end(stream)
        except BROKEN as error:
            yield BadLine(file=file, line=number + 1, message=f"unreadable: {error}")
            return
        if not raw:
            return
        number += 1
        if not whole:
            message = f"longer than {MAX_LINE_BYTES // 1024**2} MiB"
            yield BadLine(file=file, line=number, message=message)
            continue
        if number == 1:
            if raw.startswith(UTF16_BOMS):
                yield BadLine(file=file, line=0, message=UTF16)
                return
            raw = raw.removeprefix(UTF8_BOM)
        if raw.strip():
            yield decode(raw.rstrip(b"\r\n"), number)


def decode(raw: bytes, number: int) -> Line:
    """Return a line as text, with what is not UTF-8 replaced."""
    try:
        return Line(number=number, text=raw.decode(), repaired=False)
    except UnicodeDecodeError:
        return Line(number=number, text=raw.decode(errors="replace"), repaired=True)


def skip_to_line_end(stream: ByteStream) -> None:
    """Drop the rest of an over-long line without holding it."""
    while (rest := stream.readline(READ_BLOCK_BYTES)) and not rest.endswith(b"\n"):
        pass


def count_lines(path: Path) -> int:
    """Count the lines of a file, for a progress bar: quick, and blank lines count.

    Raises FormatError for a path that cannot be read.
    """
    count = 0
    last = b"\n"
    with open_bytes(path) as stream:
        try:
            while block := stream.read(READ_BLOCK_BYTES):
                count += block.count(b"\n")
                last = block[-1:]
        except BROKEN:
            # The reader proper reports the broken file; a bar needs no more than this.
            return count
    return count + (last != b"\n")
