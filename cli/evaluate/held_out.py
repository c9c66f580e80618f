"""Which problems a training has kept for validation."""

from __future__ import annotations

import json
from pathlib import Path

from ocaml_reward import InputError


def held_out(folder: Path) -> frozenset[str]:
    """Return the ids of a run's validation problems, from the account that it writes.

    Raises InputError for a folder without one, or with a run that held none out.
    """
    path = folder / "problems.jsonl"
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        found = frozenset(row["id"] for row in rows if row["part"] == "validation")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder} is no folder of a training: {error}") from error
    if not found:
        raise InputError(f"{folder} kept no problem for validation")
    return found
