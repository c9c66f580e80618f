"""What a kind of folder is: how it is told, and how a problem is read from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ...errors import ProblemError

MOST_BYTES: Final = 16_000_000
"""How much of a file is read: far above what the data of a problem is, and a bound on what a sparse
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


def bytes_of(path: Path) -> bytes:
    """Return what is in a file; raises ProblemError for what is no regular file, or too large."""
    if not path.is_file():
        raise ProblemError(f"{path.name}: no regular file")
    with path.open("rb") as file:
        return within(file.read(MOST_BYTES + 1), path.name)


def within(data: bytes, name: str) -> bytes:
    """Return the data of a file; raises ProblemError if they are too many."""
    if len(data) > MOST_BYTES:
        raise ProblemError(f"{name}: more than {MOST_BYTES:,} bytes")
    return data


def exact_text(data: bytes, name: str) -> str:
    """Return data as text; raises ProblemError for what is none."""
    try:
        return _with_newlines(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise ProblemError(f"{name}: not UTF-8") from None


def _with_newlines(text: str) -> str:
    """Return a text with newlines as line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def text_of(path: Path) -> str:
    """Return a file's text, "" where there is none."""
    return _with_newlines(bytes_of(path).decode("utf-8", "replace")) if path.is_file() else ""


def wanted_text(path: Path) -> str:
    """Return a file's text; raises ProblemError where there is none."""
    if not path.is_file():
        raise ProblemError(f"no {path.name}")
    return text_of(path)
