"""Writes and reads the lines of `score`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ocaml_reward import Breakdown, FormatError
from ocaml_reward.formats import Item
from ocaml_reward.record import breakdown_from_dict, breakdown_to_dict, dumps, loads


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredRecord:
    """A record of an earlier run: the position of its completion, and its breakdown."""

    index: int
    line: int
    breakdown: Breakdown
    file: str = ""
    """The file of a folder that the completion came from."""

    def is_of(self, item: Item) -> bool:
        """Return whether this is the record of that completion."""
        here = (self.breakdown.problem_id, self.index, self.line)
        return here == (item.problem.id, item.index, item.line.line)


def record_line(item: Item, breakdown: Breakdown, *, name_file: bool) -> bytes:
    """Return a record: the breakdown, the completion's position, and the other keys of its line.

    `name_file` is for completions that come from a folder of files.
    """
    record = breakdown_to_dict(breakdown)
    place: dict[str, Any] = {
        "schema": record.pop("schema"),
        "problem_id": record.pop("problem_id"),
        "index": item.index,
    }
    if name_file:
        place["file"] = Path(item.line.file).name
    place["line"] = item.line.line
    line = dumps({**place, **record, "input": dict(item.line.extra)})
    return f"{line}\n".encode()


def parse_record(raw: bytes) -> StoredRecord:
    """Parse a record; raises FormatError for anything else."""
    data = loads(raw)
    index, line = data.get("index"), data.get("line")
    if not isinstance(index, int) or not isinstance(line, int):
        raise FormatError("a record without its index and line")
    breakdown = breakdown_from_dict(data)
    return StoredRecord(
        index=index, line=line, breakdown=breakdown, file=str(data.get("file") or "")
    )


def read_records(path: Path, *, size: int) -> Iterator[StoredRecord]:
    """Yield the records in the first `size` bytes of a file, which end with a complete line.

    Raises FormatError with the line of anything else.
    """
    with path.open("rb") as stream:
        number = 0
        while stream.tell() < size:
            raw = stream.readline()
            number += 1
            try:
                yield parse_record(raw)
            except FormatError as error:
                raise FormatError(f"{path}:{number}: {error}") from None
