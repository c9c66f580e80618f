"""What differs between versions of the compiler's own library, and which of them we know."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from .toolchain import Toolchain, locate

# What lies behind typing changes with every version of the compiler's library: each is
# named once it was tried.
_TRIED = {(4, 13), (4, 14), (5, 1), (5, 3), (5, 4), (5, 5)}
# "typing_compat_503.ml": what "typing_compat" is from OCaml 5.3 on.
_FROM = re.compile(r"([a-z_]+)_(\d)(\d\d)\.ml")


def warm_builds() -> bool:
    """Tell whether the warm engine knows this compiler and finds its library.

    Raises ToolchainError when the toolchain is missing.
    """
    return _is_known(locate())


def _is_known(toolchain: Toolchain) -> bool:
    return toolchain.number in _TRIED and _has_bytecomp(toolchain)


@cache
def _has_bytecomp(toolchain: Toolchain) -> bool:
    asked = (toolchain.ocamlfind, "query", "-format", "%d", "compiler-libs.bytecomp")
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return Path(done.stdout.strip() or "/", "ocamlbytecomp.cmxa").exists()


def place_versions(toolchain: Toolchain, work: Path) -> None:
    """Give each file that differs between compiler versions its name, in a folder of sources:
    the latest that is not newer than the compiler.
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
