"""Selects the helper files for the installed compiler version."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from .toolchain import Toolchain, locate

# compiler-libs APIs after type checking change in every release, so only tested versions are
# enabled.
_TRIED = {(4, 13), (4, 14), (5, 1), (5, 3), (5, 4), (5, 5)}
# "typing_compat_503.ml" is used as "typing_compat.ml" from OCaml 5.3 on.
_FROM = re.compile(r"([a-z_]+)_(\d)(\d\d)\.ml")


def warm_builds() -> bool:
    """Tell whether the warm engine supports this compiler and finds its library.

    Raises ToolchainError if the toolchain is missing.
    """
    return _is_known(locate())


def _is_known(toolchain: Toolchain) -> bool:
    return toolchain.number in _TRIED and _has_bytecomp(toolchain)


@cache
def _has_bytecomp(toolchain: Toolchain) -> bool:
    command = (toolchain.ocamlfind, "query", "-format", "%d", "compiler-libs.bytecomp")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return Path(done.stdout.strip() or "/", "ocamlbytecomp.cmxa").exists()


def place_versions(toolchain: Toolchain, work: Path) -> None:
    """Copy the version-dependent sources in a folder to their final names.

    Of each, the newest version that is not newer than the compiler is used.
    """
    chosen: dict[str, tuple[tuple[int, int], Path]] = {}
    for file in work.iterdir():
        if found := _FROM.fullmatch(file.name):
            start = int(found[2]), int(found[3])
            if start <= toolchain.number:
                name = f"{found[1]}.ml"
                chosen[name] = max((start, file), chosen.get(name, ((0, 0), file)))
    for name, (_, file) in chosen.items():
        shutil.copy(file, work / name)
    known = "known" if _is_known(toolchain) else "other"
    shutil.copy(work / f"unit_fault_{known}.ml", work / "unit_fault.ml")
