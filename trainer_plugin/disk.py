"""
Disks that fail, survived.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["survived"]

log = logging.getLogger("trainer_plugin")

_told: set[Path] = set()


@contextmanager
def survived(path: Path, *, run: Path) -> Iterator[None]:
    """
    Swallow what a disk may raise when one of a run's logs is written.

    The first time for a run, its output folder, it is said; one line is enough.
    """
    try:
        yield
    except OSError as error:
        if run in _told:
            return
        _told.add(run)
        log.warning(
            "cannot write %s (%s): training goes on without the logs that fail",
            path,
            error.strerror or error,
        )
