"""Keeps training alive when the disk is full or failing."""

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

_reported: set[Path] = set()


@contextmanager
def tolerate_disk_errors(path: Path, *, run: Path) -> Iterator[None]:
    """Suppress OSErrors while one of a run's logs is written.

    The first error of each run, identified by its output folder, is reported in one line.
    """
    try:
        yield
    except OSError as error:
        if run in _reported:
            return
        _reported.add(run)
        log.warning(
            "cannot write %s (%s): training goes on without the logs that fail",
            path,
            error.strerror or error,
        )


def is_full(folder: Path) -> bool:
    """Return whether less than a megabyte can be written into a folder."""
    try:
        with tempfile.TemporaryFile(dir=folder) as stream:
            stream.write(bytes(_MORE))
    except OSError as error:
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    return False
