"""
What differs between versions of the compiler's own library, and which of them we know.
"""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

from .toolchain import Toolchain, locate

__all__ = ["place_versions", "warm_builds"]

# What lies behind typing changes with every version of the compiler's library: each is
# named once it was tried.
_BACKENDS = {
    (4, 13): "backend_413.ml", (4, 14): "backend_414.ml", (5, 1): "backend_501.ml",
    (5, 3): "backend_503.ml", (5, 4): "backend_503.ml", (5, 5): "backend_503.ml",
}  # fmt: skip
# The others change less; each serves from its version on.
_DRIVERS = {
    (5, 3): "driver_503.ml", (5, 1): "driver_501.ml", (4, 8): "driver_408.ml",
}  # fmt: skip
_COMPATS = {(5, 4): "compat_504.ml", (4, 8): "compat_408.ml"}
_FUNCTIONS = {(5, 2): "functions_502.ml", (4, 8): "functions_408.ml"}
_CONSTANTS = {(5, 3): "constants_503.ml", (4, 8): "constants_408.ml"}
_VIEWS = {
    (5, 4): "views_504.ml", (5, 2): "views_502.ml", (4, 14): "views_414.ml",
    (4, 8): "views_413.ml",
}  # fmt: skip
_SCOPES = {(5, 5): "scopes_505.ml", (4, 8): "scopes_408.ml"}


def warm_builds() -> bool:
    """
    Tell whether the warm engine knows this compiler and finds its library.

    Raises ToolchainError when the toolchain is missing.
    """
    return _has_backend(locate())


def _has_backend(toolchain: Toolchain) -> bool:
    return toolchain.number in _BACKENDS and _has_bytecomp(toolchain)


@cache
def _has_bytecomp(toolchain: Toolchain) -> bool:
    asked = (toolchain.ocamlfind, "query", "-format", "%d", "compiler-libs.bytecomp")
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return Path(done.stdout.strip() or "/", "ocamlbytecomp.cmxa").exists()


def place_versions(toolchain: Toolchain, work: Path) -> None:
    """
    Give each file that differs between compiler versions its name, in a folder of sources.
    """
    number = toolchain.number
    tables = {
        "compat.ml": _COMPATS,
        "functions.ml": _FUNCTIONS,
        "constants.ml": _CONSTANTS,
        "scopes.ml": _SCOPES,
        "driver.ml": _DRIVERS,
        "views.ml": _VIEWS,
    }
    if number in _BACKENDS:
        shutil.copy(work / _BACKENDS[number], work / "backend.ml")
    known = "known" if _has_backend(toolchain) else "other"
    shutil.copy(work / f"closing_{known}.ml", work / "closing.ml")
    for name, table in tables.items():
        chosen = next(file for at, file in table.items() if number >= at)
        shutil.copy(work / chosen, work / name)
