"""Builds the sandbox's small C programs into the cache: `launch`, and the self-check's `probe`."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path

from ..errors import ToolchainError
from .cache import build_once, cache_root


def launcher() -> Path:
    """Return the program that starts every jail; see launch.c."""
    return native("launch")


@cache
def native(name: str) -> Path:
    """Return the compiled `name`.c of this package, built on first use.

    Raises ToolchainError when there is no C compiler or it fails.
    """
    source = (files(__package__) / f"{name}.c").read_bytes()
    digest = hashlib.sha256(source).hexdigest()[:16]

    def build(scratch: Path) -> None:
        _compile(source, scratch / f"{name}-{digest}")

    return build_once(cache_root() / "native" / f"{name}-{digest}", build)


def _compile(source: bytes, output: Path) -> None:
    """Compile a C program, statically if possible."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise ToolchainError("no C compiler: install gcc")
    command = [compiler, "-O2", "-x", "c", "-o", str(output)]
    # Static starts faster; a machine without libc.a gets a dynamic program instead.
    for extra in (["-static"], []):
        done = subprocess.run(
            [*command, *extra, "-"], input=source, capture_output=True, check=False
        )
        if done.returncode == 0:
            output.chmod(0o755)
            return
    reason = done.stderr.decode(errors="replace").strip().splitlines()
    raise ToolchainError(f"{compiler} cannot build a helper: {reason[-1:]}")
