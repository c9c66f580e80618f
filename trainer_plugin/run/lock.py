"""Locks a run's folder against other runs."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..config.value import ConfigError

NAME = "run.lock"
_TRIES = 5


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock a run's folder; the system releases it however this process ends.

    Raises ConfigError, naming the process, if another run holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / NAME).open("a+", encoding="utf-8") as stream:
        try:
            _lock(stream.fileno())
        except BlockingIOError:
            stream.seek(0)
            holder = stream.read().strip() or "another process"
            raise ConfigError(
                f"grpo.output_dir: {folder} is being trained into by {holder}; choose"
                " another folder, or wait for it"
            ) from None
        except OSError:
            # A file system without locks.
            yield
            return
        stream.truncate(0)
        stream.write(f"process {os.getpid()}\n")
        stream.flush()
        yield


def is_held(folder: Path) -> bool | None:
    """Return whether a run holds a folder; None if unknown, as without a lock."""
    try:
        with (folder / NAME).open("rb") as stream:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return None
    return False


def _lock(descriptor: int) -> None:
    """Take the lock; retry, because `is_held` holds a share for a moment."""
    for left in range(_TRIES - 1, -1, -1):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not left:
                raise
            time.sleep(0.02)
        else:
            return
