"""Disks that fail, survived."""

from __future__ import annotations

import errno
import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_MORE: Final = 1 << 20

log = logging.getLogger("trainer_plugin")

_told: set[Path] = set()


@contextmanager
def survived(path: Path, *, run: Path) -> Iterator[None]:
    """Swallow what a disk may raise when one of a run's logs is written.

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


def is_full(folder: Path) -> bool:
    """Tell whether not even a megabyte more can be written into a folder."""
    try:
        with tempfile.TemporaryFile(dir=folder) as stream:
            stream.write(bytes(_MORE))
    except OSError as error:
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    return False
