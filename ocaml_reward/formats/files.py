"""The containers that rows come in, and the rows of a file: its container is known by its
first bytes and its name, or is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Final

from .lines import BadLine, name_of
from .packing import SUFFIXES
from .parquet import is_parquet, parquet_rows
from .rows import Row, json_rows
from .tables import table_rows


@dataclass(frozen=True, slots=True)
class Container:
    """A kind of file that holds rows: its name, how its files' names end where they are not
    packed, its reader.
    """

    name: str
    suffix: str
    rows: Callable[[Path | IO[bytes]], Iterator[Row | BadLine]]


DELIMITERS: Final = {"csv": ",", "tsv": "\t"}
"""What stands between the cells of a table, by its container."""
CONTAINERS: Final = (
    Container("jsonl", ".jsonl", json_rows),
    Container("json", ".json", partial(json_rows, document=True)),
    *(
        Container(name, f".{name}", partial(table_rows, delimiter=delimiter))
        for name, delimiter in DELIMITERS.items()
    ),
    Container("parquet", ".parquet", parquet_rows),
)
_BY_NAME: Final = {each.name: each for each in CONTAINERS}

FORMATS: Final = ("auto", *_BY_NAME)
"""How a file may be read: "auto" finds out."""


def container_of(file_name: str) -> str | None:
    """Return the name of the container that a file's name stands for, if any."""
    for packed in SUFFIXES:
        file_name = file_name.removesuffix(packed)
    return next((each.name for each in CONTAINERS if file_name.endswith(each.suffix)), None)


def is_folder(path: Path) -> bool:
    """Tell a folder; a path that cannot be looked at is left to fail when opened."""
    try:
        return path.is_dir()
    except OSError:
        return False


def file_rows(source: Path | IO[bytes], form: str = "auto") -> Iterator[Row | BadLine]:
    """Yield the rows of a file in order, and the lines that are none.

    Args:
        source: A file, or a stream, which has no name to go by.
        form: One of FORMATS; with "auto" a file of unknown name is read as JSON Lines.

    Raises:
        FormatError: The file cannot be opened, or not in that form.
    """
    if form == "auto":
        if isinstance(source, Path) and is_parquet(source):
            form = "parquet"
        else:
            form = container_of(name_of(source)) or "jsonl"
    return _BY_NAME[form].rows(source)
