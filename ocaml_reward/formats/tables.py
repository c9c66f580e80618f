"""CSV and TSV files with a header line, as rows of text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from ..errors import FormatError
from .lines import MAX_LINE_BYTES, READ_BLOCK_BYTES, UTF16, BadLine, name_of, open_bytes
from .packing import BROKEN
from .rows import Row

# What stands between the names of columns where they are no list by the file's name.
_SEPARATORS: Final = ("\t", ";", ",")


def table_rows(source: Path | IO[bytes], *, delimiter: str = ",") -> Iterator[Row | BadLine]:
    """Yield the rows of a table; a cell may hold several lines, and empty cells are left out.

    A row is named by the line that it begins on.  Raises FormatError for a file that
    cannot be opened or has no header.
    """
    file = name_of(source)
    with open_bytes(source) as stream:
        # The default limit of 128 KiB a cell is less than some problems' tests.
        csv.field_size_limit(MAX_LINE_BYTES)
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
        lines = _Lines(text)
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        header: list[str] | None = None
        while True:
            line = lines.number + 1
            try:
                cells = next(reader, None)
            except csv.Error as error:
                yield BadLine(file=file, line=line, message=f"not CSV: {error}")
                continue
            except BROKEN as error:
                yield BadLine(file=file, line=line, message=f"unreadable: {error}")
                return
            if cells is None:
                return
            if not any(cells):
                continue
            if header is None:
                if any("\0" in cell for cell in cells):
                    yield BadLine(file=file, line=0, message=UTF16)
                    return
                found = (sign for sign in _SEPARATORS if sign in cells[0])
                other = delimiter if len(cells) > 1 else next(found, delimiter)
                if other != delimiter:
                    # As spreadsheets write them where commas stand in numbers.
                    cells = next(csv.reader(cells, delimiter=other))
                    reader = csv.reader(lines, delimiter=other, strict=True)
                header = header_of(cells, file)
                continue
            yield row_of_cells(header, cells, file=file, line=line)


class _Lines:
    """The lines of a table, counted; one that is too long is none, and is not held."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text
        self.number = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._text.readline(MAX_LINE_BYTES)
        if not line:
            raise StopIteration
        self.number += 1
        if len(line) == MAX_LINE_BYTES and not line.endswith(("\n", "\r")):
            while (rest := self._text.readline(READ_BLOCK_BYTES)) and not rest.endswith("\n"):
                pass
            raise csv.Error(f"a line is longer than {MAX_LINE_BYTES // 1024**2} MiB")
        return line


def header_of(cells: list[str], file: str) -> list[str]:
    """Return the column names; raises FormatError if two columns have the same one."""
    header = [cell.strip() for cell in cells]
    twice = sorted({name for name in header if name and header.count(name) > 1})
    if twice:
        raise FormatError(f"{file}:1: two columns are named {twice[0]}")
    return header


def row_of_cells(header: list[str], cells: list[str], *, file: str, line: int) -> Row | BadLine:
    """Return the row of these cells, by the column names."""
    if len(cells) > len(header):
        message = f"{len(cells)} cells, but the header has {len(header)}"
        return BadLine(file=file, line=line, message=message)
    fields: dict[str, object] = {
        name: cell for name, cell in zip(header, cells, strict=False) if name and cell.strip()
    }
    repaired = any("\ufffd" in cell for cell in cells)
    return Row(file=file, line=line, fields=fields, repaired=repaired)
