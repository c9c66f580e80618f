"""Rows of a file of any shape: found by its first bytes and its name, or as it is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from ..errors import FormatError
from .lines import BadLine, name_of
from .parquet import is_parquet, parquet_rows
from .rows import Row, json_rows
from .tables import SUFFIXES, table_rows

FORMATS: Final = ("auto", "jsonl", "json", "csv", "tsv", "parquet")
"""How a file may be read: "auto" finds out."""


def is_folder(path: Path) -> bool:
    """Tell a folder; a path that cannot even be looked at is left to fail when opened."""
    try:
        return path.is_dir()
    except OSError:
        return False


def file_rows(source: Path | IO[bytes], form: str = "auto") -> Iterator[Row | BadLine]:
    """Yield the rows of a file in order.

    Args:
        source: A file, or a stream, which has no name to go by.
        form: One of FORMATS.

    Returns:
        The rows, and the lines that are none.

    Raises:
        FormatError: The file cannot be opened, or not in that form.
    """
    if form == "parquet" or (form == "auto" and _is_parquet(source)):
        if not isinstance(source, Path):
            raise FormatError("parquet is read from a file, not from a stream")
        return parquet_rows(source)
    name = name_of(source)
    if form in {"csv", "tsv"} or (form == "auto" and name.endswith(SUFFIXES)):
        is_tabbed = form == "tsv" or (form == "auto" and ".tsv" in name)
        return table_rows(source, delimiter="\t" if is_tabbed else ",")
    is_document = name.endswith((".json", ".json.gz")) if form == "auto" else None
    return json_rows(source, document=form == "json" or bool(is_document))


def _is_parquet(source: Path | IO[bytes]) -> bool:
    return isinstance(source, Path) and is_parquet(source)
