"""
Checkpoints of a run: which is the last that was written to its end.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Final

__all__ = ["clear", "last_checkpoint"]

NAME: Final = re.compile(r"checkpoint-(\d+)")


def last_checkpoint(folder: Path) -> Path | None:
    """
    Return the newest complete checkpoint, None without any.

    A run that dies while it saves leaves a checkpoint without its state, which is written
    last; such a one is passed over.
    """
    found = []
    for path in folder.glob("checkpoint-*"):
        named = NAME.fullmatch(path.name)
        if named and complete(path):
            found.append((int(named[1]), path))
    return max(found)[1] if found else None


def complete(checkpoint: Path) -> bool:
    """
    Tell whether the state of a checkpoint is there and whole.
    """
    try:
        json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return True


def clear(folder: Path) -> None:
    """
    Remove what an earlier run has learnt, so that nobody goes on from it by accident.
    """
    for path in [*folder.glob("checkpoint-*"), folder / "final", folder / "merged"]:
        if path.is_dir():
            shutil.rmtree(path)
