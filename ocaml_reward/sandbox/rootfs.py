"""The read-only root that jails see: a cached copy of just the files a job needs."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
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
    there, empty.

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
        return build_once(target, lambda scratch: _build(scratch / target.name, wanted))
    except OSError as error:
        raise MachineError(f"cannot build the jail's root: {error}") from error


def _key(files: Mapping[str, Path]) -> str:
    """Return a digest of these files; their time and size stand for their content."""
    digest = hashlib.sha256(repr(_EMPTY).encode())
    for inside, host in sorted(files.items()):
        status = os.stat(host)  # noqa: PTH116 (Path.stat costs a third more, 300 times)
        identity = (
            inside,
            str(host),
            status.st_size,
            status.st_mtime_ns,
            status.st_mode,
        )
        digest.update(repr(identity).encode())
    return digest.hexdigest()[:20]


def _build(root: Path, files: Mapping[str, Path]) -> None:
    """Fill a root folder with these files and the libraries that they load."""
    root.mkdir()
    for inside, host in files.items():
        _copy(host, root, inside)
    for host in files.values():
        for library in _libraries(host):
            if not (root / library.lstrip("/")).exists():
                _copy(Path(library), root, library)
    for empty in _EMPTY:
        (root / empty).mkdir(exist_ok=True)
    for folder, _, _ in os.walk(root):
        Path(folder).chmod(0o755)
    (root / "tmp").chmod(0o1777)


def _copy(host: Path, root: Path, inside: str) -> None:
    """Copy a file into a root folder."""
    relative = Path(inside.lstrip("/"))
    if not inside.startswith("/") or ".." in relative.parts:
        raise MachineError(f"not an absolute path inside the jail: {inside}")
    target = root / relative
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(host, target)
    # Readable by all, and executable only if it was: never its owner, setuid or time.
    target.chmod(0o755 if os.access(host, os.X_OK) else 0o644)


def _libraries(program: Path) -> Iterator[str]:
    """Yield the absolute paths that a dynamic program loads, its loader included."""
    with program.open("rb") as file:
        if file.read(4) != b"\x7fELF":
            return
    # Only ever our own toolchain: ldd may run what it looks at.
    done = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        yield from _LIBRARY.findall(done.stdout)
