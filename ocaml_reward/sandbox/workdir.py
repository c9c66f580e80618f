"""Folders that one jail run may write, and that are gone afterwards whatever it did."""

from __future__ import annotations

import atexit
import itertools
import os
import re
import shutil
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import MachineError
from .launcher import outside_ids

PREFIX = "ocaml-reward-work-"
"""How the folder of one process is called: this, its process id, its start time, a suffix."""

_NAME = re.compile(re.escape(PREFIX) + r"(?P<pid>\d+)-(?P<start>\d+)-")
_lock = threading.Lock()
_counter = itertools.count()
_own: dict[int, Path] = {}


@contextmanager
def workdir() -> Iterator[Path]:
    """Yield a fresh empty folder that jailed code may write, and remove it at the end.

    It belongs to the user that the jails run as on the host.  Raises MachineError when
    it cannot be made, a full disk included.
    """
    folder = _home() / str(next(_counter))
    try:
        folder.mkdir(mode=0o700)
        if os.geteuid() == 0:
            os.chown(folder, *outside_ids())
    except OSError as error:
        raise MachineError(f"cannot make a work folder: {error}") from error
    try:
        yield folder
    finally:
        remove_tree(folder)


def _home() -> Path:
    """Return this process's own folder, made on first use, when leftovers go as well."""
    pid = os.getpid()
    with _lock:
        if pid in _own:
            return _own[pid]
        base = Path(tempfile.gettempdir())
        sweep(base)
        start = _start_time(pid) or "0"
        try:
            home = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{pid}-{start}-", dir=base))
            # The jailed user must be able to pass, but not to list.
            home.chmod(0o711)
        except OSError as error:
            raise MachineError(f"cannot make a work folder: {error}") from error
        _own[pid] = home
        atexit.register(_remove_home, pid, home)
        return home


def _remove_home(pid: int, home: Path) -> None:
    # A forked child inherits this hook, but not the folder.
    if os.getpid() == pid:
        _own.pop(pid, None)
        remove_tree(home)


def sweep(base: Path) -> None:
    """Remove the folders in `base` of processes of ours that no longer run."""
    with suppress(OSError), os.scandir(base) as entries:
        for entry in entries:
            found = _NAME.match(entry.name)
            # Anybody may make such a name in /tmp: only folders of our own are ours.
            if (
                found
                and entry.is_dir(follow_symlinks=False)
                and entry.stat(follow_symlinks=False).st_uid == os.geteuid()
                and _start_time(int(found["pid"])) != found["start"]
            ):
                remove_tree(Path(entry.path))


def _start_time(pid: int) -> str | None:
    """Return when a process started, in ticks since boot; None when it does not run."""
    try:
        # The name in parentheses may hold anything, spaces and parentheses too.
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")
    except OSError:
        return None
    return fields[2].split()[19]


def remove_tree(folder: Path) -> None:
    """Remove `folder` with all that is in it; never follow a link out of it.

    Works on trees of any depth: each folder is emptied by moving its folders up beside
    it, so neither the stack nor the length of a path grows.  Missing is fine.
    """
    # What almost every run leaves is a few files.
    with suppress(OSError):
        _unlink_files(folder)
        folder.rmdir()
        return
    if not folder.exists():
        return
    try:
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        _flatten(top)
    finally:
        os.close(top)
    shutil.rmtree(folder, ignore_errors=True)


def _unlink_files(folder: Path) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            os.unlink(entry.path)  # noqa: PTH108 (an entry is no Path, and this is hot)


def _flatten(top: int) -> None:
    """Empty a folder, however deep it is nested."""
    names = (f".flat-{n}" for n in itertools.count())
    while True:
        with os.scandir(top) as entries:
            found = [(e.name, e.is_dir(follow_symlinks=False)) for e in entries]
        if not found:
            return
        for name, is_folder in found:
            if is_folder:
                _empty(top, name, names)
                os.rmdir(name, dir_fd=top)
            else:
                os.unlink(name, dir_fd=top)


def _empty(top: int, name: str, names: Iterator[str]) -> None:
    """Unlink the files of a folder and move its folders to `top`."""
    # An unprivileged owner may have shut himself out.
    os.chmod(name, stat.S_IRWXU, dir_fd=top)
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    inner = os.open(name, flags, dir_fd=top)
    try:
        with os.scandir(inner) as entries:
            found = [(e.name, e.is_dir(follow_symlinks=False)) for e in entries]
        for child, is_folder in found:
            if is_folder:
                # Moving a folder rewrites its "..", for which its owner needs write.
                os.chmod(child, stat.S_IRWXU, dir_fd=inner)
                os.rename(child, next(names), src_dir_fd=inner, dst_dir_fd=top)
            else:
                os.unlink(child, dir_fd=inner)
    finally:
        os.close(inner)
