"""The read-only root that jails see: a cached copy of just the files a job needs."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from ..errors import MachineError
from .cache import build_once
from .native import launcher

INIT = "/.jail/launch"
"""Where the launcher lies in every root: bubblewrap's jail starts with it."""

# Where a jail mounts what it is given, and where it may write.
_EMPTY = ("task", "tmp")
_LIBRARY = re.compile(r"(?<!\S)(/\S+) \(0x[0-9a-f]+\)")


def build_rootfs(cache: Path, files: Mapping[str, Path]) -> Path:
    """Build a root for jails, once; a second call with unchanged files only looks at them.

    Shared libraries and the loader that its programs need come along, and /task and /tmp are
    there, empty.  Roots of one cache share their files, as each would take 50 MB and every
    choice of libraries has one: some hundred of them filled a disk.

    Args:
        cache: The folder that roots are kept in.
        files: Host files by their absolute path inside the root.

    Returns:
        The root's folder, below `cache`.

    Raises:
        MachineError: A file cannot be copied.
    """
    wanted = {**files, INIT: launcher()}
    try:
        target = cache / "rootfs" / _key(wanted)
        shared = cache / "files"
        return build_once(target, lambda scratch: _build(scratch / target.name, wanted, shared))
    except OSError as error:
        raise MachineError(f"cannot build the jail's root: {error}") from error


def _key(files: Mapping[str, Path]) -> str:
    """Return a digest of these files, by what stands for their content."""
    digest = hashlib.sha256(repr(_EMPTY).encode())
    for inside, host in sorted(files.items()):
        digest.update(repr((inside, *_identity(host))).encode())
    return digest.hexdigest()[:20]


def _identity(host: Path) -> tuple[str, int, int, int]:
    """Return what stands for a file's content: its path, size, time and mode."""
    status = os.stat(host)  # noqa: PTH116 (Path.stat costs a third more, 300 times)
    return str(host), status.st_size, status.st_mtime_ns, status.st_mode


def _build(root: Path, files: Mapping[str, Path], shared: Path) -> None:
    """Fill a root folder with these files and the libraries that they load."""
    root.mkdir()
    shared.mkdir(mode=0o755, exist_ok=True)
    for inside, host in files.items():
        _copy(host, root, inside, shared)
    for host in files.values():
        for library in _libraries(host):
            if not (root / library.lstrip("/")).exists():
                _copy(Path(library), root, library, shared)
    for empty in _EMPTY:
        (root / empty).mkdir(exist_ok=True)
    for folder, _, _ in os.walk(root):
        Path(folder).chmod(0o755)
    (root / "tmp").chmod(0o1777)


def _copy(host: Path, root: Path, inside: str, shared: Path) -> None:
    """Copy a file into a root folder, or link it to the copy that another root has."""
    relative = Path(inside.lstrip("/"))
    if not inside.startswith("/") or ".." in relative.parts:
        raise MachineError(f"not an absolute path inside the jail: {inside}")
    target = root / relative
    target.parent.mkdir(parents=True, exist_ok=True)
    copy = shared / hashlib.sha256(repr(_identity(host)).encode()).hexdigest()[:20]
    # Where it has too many links, or there are none here, a copy of its own is as good.
    with suppress(OSError):
        target.hardlink_to(copy)
        return
    shutil.copyfile(host, target)
    # Readable by all, and executable only if it was: never its owner, setuid or time.
    target.chmod(0o755 if os.access(host, os.X_OK) else 0o644)
    with suppress(OSError):
        copy.hardlink_to(target)


def _libraries(program: Path) -> Iterator[str]:
    """Yield the absolute paths that a dynamic program loads, its loader included."""
    with program.open("rb") as file:
        if file.read(4) != b"\x7fELF":
            return
    # Only ever our own toolchain: ldd may run what it looks at.
    done = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        yield from _LIBRARY.findall(done.stdout)
