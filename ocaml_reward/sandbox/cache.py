"""Where built things live: one folder per user, safe for several processes at once."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ..errors import MachineError
from .retention import hold, prune

_ELSEWHERE = "set OCAML_REWARD_CACHE to a folder of your own"


def cache_root() -> Path:
    """Return the cache folder, created if need be and readable by everybody.

    `$OCAML_REWARD_CACHE`, else /var/cache/ocaml-reward for root, else
    `$XDG_CACHE_HOME/ocaml-reward` or ~/.cache/ocaml-reward.  Raises MachineError when
    it cannot be created, or when somebody else could change what is in it.
    """
    root = _chosen()
    try:
        for folder in (*reversed(root.parents), root):
            # Not mkdir's own `parents`: those would follow the umask, whatever it is.
            if not folder.exists():
                folder.mkdir(mode=0o755, exist_ok=True)
        _refuse_foreign(root.resolve())
        _open_to_all(root)
    except OSError as error:
        reason = error.strerror or error
        raise MachineError(
            f"cannot create the cache folder {root}: {reason}; {_ELSEWHERE}"
        ) from error
    return root


def _chosen() -> Path:
    """Return the folder of the cache: from the environment, or by the user."""
    if chosen := os.environ.get("OCAML_REWARD_CACHE"):
        return Path(chosen).absolute()
    if os.geteuid() == 0:
        return Path("/var/cache/ocaml-reward")
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base).absolute() / "ocaml-reward"
    try:
        return Path.home() / ".cache" / "ocaml-reward"
    except RuntimeError as error:
        raise MachineError(f"no home folder for the cache: {_ELSEWHERE}") from error


def _refuse_foreign(root: Path) -> None:
    """Raise MachineError for a folder that another user owns or may write: its files are executed."""
    status = root.stat()
    if status.st_uid not in (0, os.geteuid()):
        raise MachineError(f"the cache folder {root} belongs to user {status.st_uid}: {_ELSEWHERE}")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise MachineError(
            f"others may write the cache folder {root}: chmod go-w it, or {_ELSEWHERE}"
        )
    for parent in root.parents:
        mode = parent.stat().st_mode
        # Who may rename the folder may put another in its place; a sticky bit, as /tmp
        # has it, allows that to its owner alone.
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            raise MachineError(
                f"everybody may write {parent}, above the cache folder: {_ELSEWHERE}"
            )


def _open_to_all(folder: Path) -> None:
    """Let everybody look into a folder of ours: a root caller's jailed user is nobody."""
    status = folder.stat()
    wanted = (stat.S_IMODE(status.st_mode) | 0o755) & ~0o022
    if status.st_uid == os.geteuid() and stat.S_IMODE(status.st_mode) != wanted:
        folder.chmod(wanted)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on the file `path`, created if need be, against all processes
    and threads.  A killed holder releases it.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def build_once(target: Path, build: Callable[[Path], None]) -> Path:
    """Return `target`, made by `build(scratch folder)` first if it does not exist yet.

    `build` makes the thing as `scratch/<name of target>`; it appears at `target` whole
    or not at all, and only one process builds at a time.  It stays while this process
    runs; what nobody used for 30 days goes when its neighbour is built.  Raises
    MachineError when the folder cannot be written.
    """
    if hold(target):
        return target
    with _building(target):
        # Held at once, or another process could find it unused.
        while not hold(target):
            _build(target, build)
            prune(target.parent)
    return target


@contextmanager
def _building(target: Path) -> Iterator[None]:
    """Hold the lock under which `target` is built."""
    folder = target.parent
    with ExitStack() as stack:
        try:
            folder.mkdir(mode=0o755, parents=True, exist_ok=True)
            _open_to_all(folder)
            stack.enter_context(locked(folder / f".{target.name}.lock"))
        except OSError as error:
            reason = error.strerror or error
            raise MachineError(
                f"cannot write the cache folder {folder}: {reason}; {_ELSEWHERE}"
            ) from error
        yield


def _build(target: Path, build: Callable[[Path], None]) -> None:
    """Build in a scratch folder, and move the result to `target` as a whole."""
    prefix = f".build-{target.name}-"
    # Whoever held this lock before and was killed left its scratch folder.
    for leftover in target.parent.glob(prefix + "*"):
        shutil.rmtree(leftover, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=prefix) as scratch:
        # A jail's mount source lies below: nobody must be able to pass.
        Path(scratch).chmod(0o755)
        build(Path(scratch))
        made = Path(scratch) / target.name
        if made.is_dir():
            # Whatever the umask, nobody else may put anything in.
            made.chmod(0o755)
        made.rename(target)
