"""What a kind of folder is: how it is told, and how a problem is read from it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO, Final

from ...errors import ProblemError

MOST_BYTES: Final = 16_000_000
"""Maximum size of a file: far above what the data of a problem is, and a bound on what a sparse
file or a small archive unpacks to.
"""

Taken = tuple[dict[str, object], list[str]]
"""The fields of a problem, and what is changed or lost of it, in words."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """A kind of folder that holds one problem.

    Attributes:
        name: Whose kind it is.
        mark: The file that such a folder has, by which it is named.
        tells: Whether a folder with that file is one.
        take: Reads it; raises ProblemError with the reason where it cannot be graded.
    """

    name: str
    mark: str
    tells: Callable[[Path], bool]
    take: Callable[[Path], Taken]


def read_text(file: IO[bytes], name: str, *, errors: str = "strict") -> str:
    """Return the text of an open file, with newlines as line ends, and close it.

    Raises ProblemError for what is no text, or too much.
    """
    with file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ProblemError(f"{name}: more than {MOST_BYTES:,} bytes")
    try:
        return TextIOWrapper(BytesIO(data), "utf-8", errors).read()
    except UnicodeDecodeError:
        raise ProblemError(f"{name}: not UTF-8") from None


def text_of(path: Path, *, errors: str = "replace") -> str:
    """Return a regular file's text, "" where there is none."""
    return read_text(path.open("rb"), path.name, errors=errors) if path.is_file() else ""


def wanted_text(path: Path, *, errors: str = "replace") -> str:
    """Return a regular file's text; raises ProblemError where there is none."""
    if not path.is_file():
        raise ProblemError(f"no {path.name}")
    return text_of(path, errors=errors)


def is_inside(path: Path, folder: Path) -> bool:
    """Return whether a path leads to what is in a folder, with all links followed."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
