"""Finds the last complete checkpoint of a run."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Final

NAME: Final = re.compile(r"checkpoint-(\d+)")
TRAINING_ONLY: Final = (
    "optimizer*",
    "scheduler*",
    "scaler*",
    "rng_state*",
    "trainer_state.json",
)
"""Files of a checkpoint that resuming needs and a model does not."""


def last_checkpoint(folder: Path) -> Path | None:
    """Return the newest complete checkpoint; None without any.

    A run that dies while it saves leaves a checkpoint without its state, which is written last;
    such a checkpoint is skipped.
    """
    found = []
    for path in folder.glob("checkpoint-*"):
        named = NAME.fullmatch(path.name)
        if named and is_complete(path):
            found.append((int(named[1]), path))
    return max(found)[1] if found else None


def is_complete(checkpoint: Path) -> bool:
    """Return whether a checkpoint has a valid state."""
    try:
        json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return True


def checkpoint_step(checkpoint: Path) -> int:
    """Return the update after which a checkpoint was saved."""
    return int(checkpoint.name.rpartition("-")[2])


def write_final(folder: Path, checkpoint: Path) -> Path:
    """Write `final` for a finished run, from its best checkpoint if that still exists."""
    state = json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))
    best = state.get("best_model_checkpoint")
    # The folder may have been moved since.
    source = folder / Path(best).name if best else checkpoint
    final = folder / "final"
    shutil.copytree(
        source if source.is_dir() else checkpoint,
        final,
        ignore=shutil.ignore_patterns(*TRAINING_ONLY),
    )
    return final


def remove_models(folder: Path) -> None:
    """Remove the checkpoints and models of an earlier run, so that none is resumed by accident."""
    for path in [*folder.glob("checkpoint-*"), folder / "final", folder / "merged"]:
        if path.is_dir():
            shutil.rmtree(path)
