"""Parquet files, as rows; pyarrow reads and writes them, which comes with `datasets`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

from ..errors import FormatError
from .rows import Row

MAGIC: Final = b"PAR1"


def is_parquet(path: Path) -> bool:
    """Tell a parquet file by its first bytes, whatever its name."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False


def parquet_rows(path: Path | IO[bytes]) -> Iterator[Row]:
    """Yield the rows of a parquet file, numbered from 1, without the columns that are null.

    Raises FormatError for a stream or file that cannot be read, or without pyarrow.
    """
    if not isinstance(path, Path):
        raise FormatError("parquet is read from a file, not from a stream")
    arrow = _parquet(path)
    try:
        number = 0
        for batch in arrow.ParquetFile(path).iter_batches():
            for fields in batch.to_pylist():
                number += 1
                given = {name: plain(value) for name, value in fields.items()}
                yield Row(
                    file=str(path),
                    line=number,
                    fields={k: v for k, v in given.items() if v is not None},
                    repaired=False,
                )
    except (ValueError, OSError, RuntimeError) as error:
        # pyarrow's own errors are ValueError, OSError or RuntimeError too.
        reason = str(error).partition("\n")[0]
        raise FormatError(f"cannot read {path}: {reason}") from error


def plain(value: object) -> object:
    """Return a value as JSON has it: times and bytes become text, and what is no number null,
    as it is in every other file.
    """
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case bytes():
            return value.decode("utf-8", "replace")
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
    return str(value)


def write_parquet(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows as a parquet file; their columns are those of all rows together.

    Raises FormatError for a file that cannot be written, or without pyarrow.
    """
    arrow = _parquet(path)
    import pyarrow as pa  # noqa: PLC0415 (only parquet needs it)

    columns = dict.fromkeys(name for row in rows for name in row)
    table = {name: [row.get(name) for row in rows] for name in columns}
    try:
        arrow.write_table(pa.table(table), path)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise FormatError(f"cannot write {path}: {reason}") from error


def _parquet(path: Path) -> Any:
    """Return pyarrow's module; raise FormatError if it is not installed."""
    try:
        from pyarrow import parquet  # noqa: PLC0415 (only parquet needs it)
    except ImportError:
        message = f"{path} is parquet, which pyarrow reads: pip install pyarrow"
        raise FormatError(message) from None
    return parquet
