"""Selects the helper files for the installed compiler version."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from .toolchain import Toolchain

# "typing_compat_503.ml" is used as "typing_compat.ml" from OCaml 5.3 on.
_FROM = re.compile(r"([a-z_]+)_(\d)(\d\d)\.ml")


def place_versions(toolchain: Toolchain, work: Path, *, warm: bool = True) -> None:
    """Copy the version-dependent sources in a folder to their final names.

    Of each, the newest version that is not newer than the compiler is used.  Without `warm` the
    helpers use nothing of the compiler's library from typing on.
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
    known = "known" if warm else "other"
    for name in ("unit_fault", "ticking_unit"):
        shutil.copy(work / f"{name}_{known}.ml", work / f"{name}.ml")
