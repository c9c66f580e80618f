"""What a kind of folder is: how it is told, and how a problem is read from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...errors import ProblemError

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


def text_of(path: Path) -> str:
    """Return a file's text, "" where there is none."""
    return path.read_text("utf-8", "replace") if path.is_file() else ""


def wanted_text(path: Path) -> str:
    """Return a file's text; raises ProblemError where there is none."""
    if not path.is_file():
        raise ProblemError(f"no {path.name}")
    return text_of(path)
