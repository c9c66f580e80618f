"""Marks built things as in use, and removes those that were not used for a month."""

from __future__ import annotations

import fcntl
import os
import shutil
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

UNUSED_DAYS: Final = 30
"""How long a built thing stays after it was last used."""

_DAY_S: Final = 86_400
_STALE: Final = ".stale-"

_lock = threading.Lock()
_held: dict[Path, int] = {}


def hold(target: Path) -> bool:
    """Keep `target` from being removed while this process runs; False if it is not there.

    Its time of change becomes the day of its last use, where this user may set it.
    """
    with _lock:
        if target in _held and _is(target, _held[target]):
            return True
        try:
            descriptor = os.open(target, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        except PermissionError:
            return True  # Another user's, shut to us: its user will say so.
        # Whoever removes it holds the lock exclusively: what we get may be gone by then.
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        if not _is(target, descriptor):
            os.close(descriptor)
            return False
        if target in _held:
            os.close(_held[target])
        _held[target] = descriptor
        # Another user's cache can be used, but not marked.
        with suppress(OSError):
            if time.time() - os.fstat(descriptor).st_mtime > _DAY_S:
                os.utime(target)
        return True


def _is(target: Path, descriptor: int) -> bool:
    """Tell whether a descriptor is of the file that is at a path now."""
    try:
        return os.path.samestat(target.stat(), os.fstat(descriptor))
    except OSError:
        return False


def prune(folder: Path) -> None:
    """Remove what lies in `folder`, is used by no process and was not for 30 days.

    What cannot be removed stays: this is housekeeping, and never fails.
    """
    with suppress(OSError):
        for path in sorted(folder.iterdir()):
            if path.name.startswith(_STALE):
                _remove(path)  # Whoever removed it was killed.
            elif not path.name.startswith(".") and not path.is_symlink():
                with suppress(OSError):
                    _prune(path)


def _prune(path: Path) -> None:
    """Remove an entry of the cache that nobody holds and that was unused for long."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        # It fails while any process holds the thing.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        unused_s = time.time() - os.fstat(descriptor).st_mtime
        if unused_s > UNUSED_DAYS * _DAY_S and _is(path, descriptor):
            # It goes as a whole, so that nobody ever finds half of it.
            stale = path.with_name(f"{_STALE}{path.name}")
            path.rename(stale)
            _remove(stale)
    finally:
        os.close(descriptor)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
