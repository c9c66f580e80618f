"""Reads problems with their difficulty from local files and from the hub."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ocaml_reward import InputError, Problem
from ocaml_reward.formats.files import file_rows
from ocaml_reward.formats.lines import BadLine
from ocaml_reward.formats.problems import identified_row
from ocaml_reward.formats.rows import Row
from ocaml_reward.formats.sameness import content

from ..config.checks import is_file_name
from ..config.value import ConfigError, DatasetConfig
from .prompts import shipped_problems

SHIPPED: Final = ("examples", "generated")


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A row of a data set: its problem, or why it is invalid, and its columns."""

    id: str
    problem: Problem | None
    difficulty: str | None = None
    message: str = ""
    columns: tuple[str, ...] = ()


def read_entries(source: str, config: DatasetConfig, *, split: str) -> list[Entry]:
    """Read every row of a data set.

    A row without an id is named by its position; an invalid row has its reason. Raises ConfigError
    for a source that cannot be read at all.
    """
    entries = []
    seen: dict[str, Problem] = {}
    for number, row in enumerate(_rows(source, config, split), 1):
        if isinstance(row, BadLine):
            entries.append(Entry(id=f"row-{number}", problem=None, message=str(row)))
            continue
        entry = _entry(row, number, config.difficulty_column)
        if entry.problem is not None:
            first = seen.setdefault(entry.id, entry.problem)
            if first is not entry.problem:
                same = content(first) == content(entry.problem)
                message = f"problem {entry.id!r} again"
                message += "" if same else ", with other content"
                entry = Entry(id=entry.id, problem=None, message=message)
        entries.append(entry)
    if not entries:
        raise ConfigError(f"dataset.source: {source} holds no rows")
    return entries


def _entry(row: Row, number: int, difficulty_column: str) -> Entry:
    """Return the entry of a row, also if it is unusable."""
    raw_difficulty = row.fields.get(difficulty_column)
    difficulty = None if raw_difficulty is None else str(raw_difficulty).strip().casefold()
    id_, found = identified_row(row, f"row-{number}", way_out="")
    if isinstance(found, BadLine):
        return _unusable(id_, row, difficulty, found.message)
    problem = found.problem
    if problem.untested:
        return _unusable(id_, row, difficulty, f"problem {id_!r}: no tests, which training needs")
    if not problem.prompt.strip():
        return _unusable(id_, row, difficulty, f"problem {id_!r}: no prompt")
    return Entry(id=id_, problem=problem, difficulty=difficulty)


def _unusable(id_: str, row: Row, difficulty: str | None, message: str) -> Entry:
    """Return the entry of a row without a problem."""
    return Entry(
        id=id_,
        problem=None,
        difficulty=difficulty,
        message=message,
        columns=tuple(map(str, row.fields)),
    )


def _rows(source: str, config: DatasetConfig, split: str) -> Iterator[Row | BadLine]:
    """Yield the rows of a shipped set, a file or a data set of the hub."""
    if source in SHIPPED:
        source = str(shipped_problems(source))
    if not is_file_name(source):
        yield from _mappings(source, _from_hub(source, config, split))
        return
    path = Path(source)
    if not path.is_file():
        raise ConfigError(f"dataset.source: {source}: no such file")
    try:
        yield from file_rows(path)
    except InputError as error:
        raise ConfigError(f"dataset.source: {error}") from error


def _mappings(source: str, items: Iterator[Mapping[str, Any]]) -> Iterator[Row]:
    """Yield the rows of mappings, without empty values."""
    for number, fields in enumerate(items, 1):
        given = {name: value for name, value in fields.items() if value is not None}
        yield Row(file=source, line=number, fields=given, repaired=False)


def _from_hub(source: str, config: DatasetConfig, split: str) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a data set of the hub."""
    import datasets  # noqa: PLC0415 (only a hub id needs it)

    try:
        loaded = datasets.load_dataset(source, config.name, split=split)
    except Exception as error:
        # The network, the hub and folders raise many errors; show the first line.
        first = str(error).strip().partition("\n")[0]
        raise ConfigError(f"dataset.source: {source}: {first}") from error
    yield from loaded
