"""Records in another tool's shape, written when all of them are there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ocaml_reward import InputError
from ocaml_reward.formats.results import write_results

from .records import Stored


class ConvertedOutput:
    """Keeps the records until the end, as a problem's results stand together in most shapes;
    a run that is stopped leaves nothing.
    """

    # Not a file that a later run could continue.
    path = None

    def __init__(self, target: Path, kind: str, *, overwrite: bool) -> None:
        """Keep nothing yet; raises InputError for what is there already."""
        if target.exists() and not overwrite:
            raise InputError(f"{target} exists already: --overwrite replaces it")
        self.target = target
        self.written = 0
        self.lost = ""
        self._kind = kind
        self._records: list[dict[str, Any]] = []

    def stored(self) -> Iterator[Stored]:
        """Yield nothing."""
        return iter(())

    def put(self, line: bytes, position: int | None = None) -> None:
        """Keep a record."""
        del position
        self._records.append(json.loads(line))

    def finish(self) -> None:
        """Write all of them."""
        self.lost = write_results(self.target, self._records, self._kind)
        self.written = len(self._records)

    def close(self) -> None:
        """Have nothing to release."""
