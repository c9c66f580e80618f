"""The problems below a folder, each in one of its own whose kind is told by the files in it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ...errors import ProblemError
from ..lines import BadLine
from ..rows import Row
from .dmoj import DMOJ
from .exercism import EXERCISM
from .harbor import HARBOR
from .icpc import ICPC
from .kinds import Kind, is_inside
from .learn_ocaml import LEARN_OCAML

KINDS: Final = (LEARN_OCAML, EXERCISM, DMOJ, ICPC, HARBOR)
"""The kinds of folders that are known; the first that a folder is of counts."""
_BUILT: Final = frozenset({"_build", "node_modules"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A row, or why there is none; what is changed or lost of it; and which kind of folder has it."""

    row: Row | BadLine
    said: tuple[str, ...] = ()
    kind: str = ""


def folder_rows(folder: Path) -> Iterator[Found]:
    """Yield the problems of a folder and of those below it by name, as rows of a problem file.

    A folder that looks like one with a problem, and is of no kind that is known, is left out
    with that reason.  Of folders with the same name each is called by its path.
    """
    places = list(_places(folder))
    names = Counter(place.name for place, kind in places if kind)
    for place, kind in places:
        if kind is None:
            known = ", ".join(kind.name for kind in KINDS)
            message = f"looks like a problem's, but is of no kind that is known: {known}"
            yield Found(row=BadLine(file=str(place), line=0, message=message))
        else:
            is_alone = place == folder or names[place.name] == 1
            parts = place.relative_to(folder).parts
            name = place.resolve().name if is_alone else "-".join(parts)
            yield _taken(kind, place, name, root=folder)


def _places(folder: Path) -> Iterator[tuple[Path, Kind | None]]:
    """Yield the folders that hold a problem, and those that look like it."""
    for place, below, files in os.walk(folder):
        here = Path(place)
        marks = {kind.mark for kind in KINDS}.intersection(files)
        kinds = (kind for kind in KINDS if kind.mark in marks and _tells(kind, here))
        kind = next(kinds, None)
        if marks:
            yield here, kind
        below[:] = sorted(
            name
            for name in below
            if kind is None and name not in _BUILT and not name.startswith(".")
        )


def _tells(kind: Kind, folder: Path) -> bool:
    """Return whether a folder is of a kind; also if it cannot be read, which is said when it is."""
    try:
        return kind.tells(folder)
    except (ProblemError, OSError):
        return True


def _require_inside(folder: Path, root: Path) -> None:
    """Raise ProblemError for a link in a problem's folder that leads out of the `root`.

    Its text would stand in the problem.
    """
    for place, below, files in os.walk(folder):
        below[:] = sorted(name for name in below if name not in _BUILT and name != ".git")
        for path in (Path(place, name) for name in (*below, *sorted(files))):
            if path.is_symlink() and not is_inside(path, root):
                raise ProblemError(f"{path.relative_to(folder)} is a link to what is outside")


def _taken(kind: Kind, folder: Path, name: str, *, root: Path) -> Found:
    """Return the problem in a folder of this kind, or why there is none."""
    file = str(folder / kind.mark)
    try:
        _require_inside(folder, root)
        fields, said = kind.take(folder)
    except ProblemError as error:
        row: Row | BadLine = BadLine(file=file, line=0, message=str(error))
        return Found(row=row, kind=kind.name)
    except OSError as error:
        row = BadLine(file=file, line=0, message=f"unreadable: {error.strerror}")
        return Found(row=row, kind=kind.name)
    fields = {"id": name, **fields}
    row = Row(file=file, line=0, fields=fields, repaired=False)
    return Found(row=row, said=tuple(said), kind=kind.name)
