"""Decides whether the warm engine is used with the installed compiler, and says why.

The APIs of the compiler's library after type checking change in every release.  With the versions
in TRIED the whole corpus and all attacks were graded by both engines.  With any other version the
warm engine is used only if it builds and grades known programs as the stock engine does
(agreement.py).  That takes about half a minute, once; the result is kept beside the built engine.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from threading import Event
from typing import Final, NamedTuple

from ...errors import MachineError, ToolchainError
from ...sandbox import cache_root
from ...sandbox.cache import build_once
from .sources import engine_key, source_texts, sources_digest
from .toolchain import Toolchain, locate

TRIED: Final = frozenset({(4, 13), (4, 14), (5, 1), (5, 3), (5, 4), (5, 5)})
"""The versions that need no test."""
IN_TEST: Final = Event()
"""Whether this process is the one that tests the warm engine, and so has it in any case."""

# The test has found a difference.
_DIFFERS: Final = 1
_TEST_S: Final = 900


class Choice(NamedTuple):
    """Whether the warm engine is used, and the reason, in one line."""

    warm: bool
    why: str


def choice() -> Choice:
    """Return the choice for the installed compiler, testing the warm engine if that is needed.

    Raises ToolchainError if the toolchain is missing.
    """
    return _choice(locate())


def known_choice() -> Choice | None:
    """Return the choice for the installed compiler, or None if it needs a test.

    Raises ToolchainError if the toolchain is missing.
    """
    toolchain = locate()
    return _known(toolchain) or _kept(toolchain, _kept_at(toolchain))


@cache
def _choice(toolchain: Toolchain) -> Choice:
    if known := _known(toolchain):
        return known
    path = _kept_at(toolchain)
    try:
        build_once(path, lambda scratch: _test(scratch / path.name))
    except MachineError as error:
        return Choice(warm=False, why=f"its test was not finished: {error}")
    return _kept(toolchain, path) or Choice(warm=False, why=f"{path} cannot be read")


def _known(toolchain: Toolchain) -> Choice | None:
    if not _has_bytecomp(toolchain):
        return Choice(warm=False, why="compiler-libs.bytecomp is not installed")
    if toolchain.number in TRIED or IN_TEST.is_set():
        return Choice(warm=True, why=f"it was tried with {toolchain.label}")
    return None


@cache
def _has_bytecomp(toolchain: Toolchain) -> bool:
    command = (toolchain.ocamlfind, "query", "-format", "%d", "compiler-libs.bytecomp")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return Path(done.stdout.strip() or "/", "ocamlbytecomp.cmxa").exists()


def _kept_at(toolchain: Toolchain) -> Path:
    key = engine_key(toolchain, source_texts(), warm=True)
    return cache_root() / "agreement" / f"{key}-{sources_digest()}"


def _kept(toolchain: Toolchain, path: Path) -> Choice | None:
    try:
        difference = path.read_text(encoding="utf-8")
    except OSError:
        return None
    if difference:
        return Choice(warm=False, why=f"{difference} ({path} has this)")
    why = f"both engines grade the known programs right with {toolchain.label}"
    return Choice(warm=True, why=why)


def _test(result: Path) -> None:
    """Write the first difference, or nothing, to a file.

    The test runs in a process of its own, in which the warm engine is in use.

    Raises MachineError if the machine failed.
    """
    package, _, _ = __name__.partition(".")
    paths = [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", f"{package}.engine.engines.agreement"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=_TEST_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise ToolchainError(f"it took more than {_TEST_S} s") from None
    if done.returncode not in (0, _DIFFERS) or bool(done.returncode) != bool(done.stdout):
        lines = (done.stderr or done.stdout).split("\n")
        raise ToolchainError(" ".join([f"exit {done.returncode}", *lines[-3:]]).strip())
    result.write_text(done.stdout.strip(), encoding="utf-8")
