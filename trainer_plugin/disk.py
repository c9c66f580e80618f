"""
Disks that fail, survived.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["DiskTrouble"]

log = logging.getLogger("trainer_plugin")


class DiskTrouble:
    """
    Lets a run go on when its logs cannot be written, and says so once.
    """

    def __init__(self) -> None:
        """
        Nothing has happened yet.
        """
        self._said = False

    @contextmanager
    def survived(self, path: Path) -> Iterator[None]:
        """
        Swallow what a disk may raise.
        """
        try:
            yield
        except OSError as error:
            if not self._said:
                self._said = True
                log.warning(
                    "cannot write %s (%s): training goes on without this log",
                    path,
                    error.strerror or error,
                )
