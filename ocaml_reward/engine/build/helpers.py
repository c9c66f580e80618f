"""Builds the engine's helpers and the jails' roots, once, with the installed toolchain."""

from __future__ import annotations

import hashlib
import os
import subprocess
from functools import cache
from pathlib import Path

from ...errors import ProblemError
from ...sandbox import build_rootfs, cache_root
from ...sandbox.cache import build_once
from .choice import choice, known_choice
from .sources import build_helpers, engine_key, link_command, source_texts
from .toolchain import Toolchain, locate, packages, stubs

# Interfaces that break type safety.  Without them the code cannot name their contents at all; the
# scan only gives a better message.
UNSAFE = ("stdlib__Obj.", "stdlib__Marshal.", "stdlib__Callback.")
# Libraries in the standard library's folder that a problem has to list to use them.
ABSENT = ("unix", "threads")


def engine_folder() -> Path:
    """Return the folder with the built helpers, building them on first use (5 s of CPU time).

    Raises ToolchainError when the toolchain is missing or refuses our sources.
    """
    return _engine_folder(locate(), warm=choice().warm)


def engine_path() -> Path:
    """Return the path of the built helpers, without building them.

    Raises ToolchainError when the toolchain is missing.
    """
    toolchain = locate()
    return cache_root() / "engine" / engine_key(toolchain, source_texts(), warm=choice().warm)


def is_built() -> bool:
    """Return whether an engine can be started without building, or testing, anything first.

    Raises ToolchainError when the toolchain is missing.
    """
    return known_choice() is not None and engine_path().exists()


@cache
def _engine_folder(toolchain: Toolchain, *, warm: bool) -> Path:
    """Return the folder of the built engine; build it if there is none."""
    texts = source_texts()
    key = engine_key(toolchain, texts, warm=warm)

    def build(scratch: Path) -> None:
        target = scratch / key
        target.mkdir()
        work = scratch / "sources"
        work.mkdir()
        build_helpers(toolchain, texts, work, target, warm=warm)

    return build_once(cache_root() / "engine" / key, build)


@cache
def runner(libraries: tuple[str, ...] = ()) -> Path:
    """Return the runner (a fork server) with `libraries` linked; build it on first use.

    Raises ToolchainError, or ProblemError for a library that cannot be linked.
    """
    engine = engine_folder()
    if not libraries:
        return engine / "runner"
    toolchain, found = locate(), packages(libraries)
    archives = [str(each) for p in found for each in p.archives]
    include = [part for p in found for part in ("-I", str(p.folder))]
    folders = dict.fromkeys(str(path.parent) for path in stubs(libraries))
    digest = hashlib.sha256("\0".join((engine.name, *archives)).encode())
    for archive in archives:
        digest.update(Path(archive).read_bytes())

    def build(scratch: Path) -> None:
        command = link_command(toolchain, engine, *include, *archives)
        done = subprocess.run(
            [*command, "-o", scratch / digest.hexdigest()[:16]],
            env={**os.environ, "CAML_LD_LIBRARY_PATH": ":".join(folders)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            reason = " ".join((done.stderr or done.stdout).split())[-300:]
            raise ProblemError(f"libraries {', '.join(libraries)} cannot be linked: {reason}")

    return build_once(cache_root() / "runner" / digest.hexdigest()[:16], build)


@cache
def rootfs(libraries: tuple[str, ...] = (), *, allow_unsafe: bool = False) -> Path:
    """Return the read-only root of a jail that can compile and run code with `libraries`.

    With `allow_unsafe` it has the interfaces that break type safety.

    Raises ToolchainError or ProblemError (an unknown library).
    """
    toolchain = locate()
    found = {str(toolchain.ocamlc): toolchain.ocamlc}
    for path in engine_folder().iterdir():
        found[f"/engine/{path.name}"] = path
    found["/engine/runner"] = runner(libraries)
    hidden = ABSENT if allow_unsafe else (*ABSENT, *UNSAFE)
    found.update(_library_files(toolchain.stdlib, hidden))
    for package in packages(libraries):
        if package.use == "linked":
            found.update({str(path): path for path in package.archives})
            continue
        # A package in the standard library's folder (str on Debian) is there already, except its C
        # stubs; if it is hidden by default, add it now.
        found.update(
            _library_files(package.folder, hidden if package.folder == toolchain.stdlib else ())
        )
        if package.folder == toolchain.stdlib:
            wanted = (package.folder / f"{package.name}.cmi", *package.archives)
            found.update({str(f): f for f in wanted if f.exists()})
    found.update({str(path): path for path in stubs(libraries)})
    return build_rootfs(cache_root(), found)


def _library_files(folder: Path, hidden: tuple[str, ...]) -> dict[str, Path]:
    """Return the library's files that ocamlc reads, by their paths in the jail."""
    return {
        str(path): path
        for path in sorted(folder.iterdir())
        if (
            path.suffix in (".cmi", ".cmo", ".cma")
            or path.name in ("camlheader", "runtime-launch-info", "ld.conf")
        )
        and not path.name.startswith(hidden)
    }
