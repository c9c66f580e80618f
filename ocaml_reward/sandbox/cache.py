"""
Where built things live: one folder per user, safe for several processes at once.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import MachineError

__all__ = ["build_once", "cache_root", "locked"]


def cache_root() -> Path:
    """
    Return the cache folder, created if need be and readable by everybody.

    `$OCAML_REWARD_CACHE`, else /var/cache/ocaml-reward for root, else
    `$XDG_CACHE_HOME/ocaml-reward` or ~/.cache/ocaml-reward.  Raises MachineError when
    it cannot be created or written.
    """
    if chosen := os.environ.get("OCAML_REWARD_CACHE"):
        root = Path(chosen).absolute()
    elif os.geteuid() == 0:
        root = Path("/var/cache/ocaml-reward")
    else:
        base = os.environ.get("XDG_CACHE_HOME")
        root = (Path(base) if base else Path.home() / ".cache") / "ocaml-reward"
    try:
        root.mkdir(parents=True, exist_ok=True)
        # The jailed user of a root caller is nobody: it must be able to look in,
        # whatever the umask; and nobody else may ever write what we will execute.
        if root.stat().st_uid == os.geteuid():
            root.chmod(0o755)
    except OSError as error:
        raise MachineError(f"cannot create the cache folder {root}: {error}") from error
    if not os.access(root, os.W_OK):
        raise MachineError(
            f"cannot write the cache folder {root}: set OCAML_REWARD_CACHE"
        )
    return root


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """
    Hold an exclusive lock on the file `path`, created if need be, against all processes
    and threads.  A killed holder releases it.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def build_once(target: Path, build: Callable[[Path], None]) -> Path:
    """
    Return `target`, made by `build(scratch folder)` first if it does not exist yet.

    `build` makes the thing as `scratch/<name of target>`; it appears at `target` whole
    or not at all, and only one process builds at a time.
    """
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with locked(target.parent / f".{target.name}.lock"):
        if target.exists():
            return target
        prefix = f".build-{target.name}-"
        # Whoever held this lock before and was killed left its scratch folder.
        for leftover in target.parent.glob(prefix + "*"):
            shutil.rmtree(leftover, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=prefix) as scratch:
            # A jail's mount source lies below: nobody must be able to pass.
            Path(scratch).chmod(0o755)
            build(Path(scratch))
            (Path(scratch) / target.name).rename(target)
    return target
