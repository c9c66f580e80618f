"""Difficulties of problems, for a training that begins with the easy ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..config.value import ConfigError
from .rows import Entry

WORDS: Final = {
    "beginner": 0.0,
    "trivial": 0.0,
    "easy": 1.0,
    "simple": 1.0,
    "medium": 2.0,
    "intermediate": 2.0,
    "moderate": 2.0,
    "hard": 3.0,
    "difficult": 3.0,
    "advanced": 4.0,
    "expert": 4.0,
}
"""Words for difficulties, from easy to hard."""


def hardness(entries: Sequence[Entry]) -> dict[str, float]:
    """Return the rank of each problem by id.

    The rank is that of its row's difficulty, a word or a number; if no row has one, the length of
    the reference. Raises ConfigError for a difficulty that cannot be compared with the others.
    """
    usable = [entry for entry in entries if entry.problem is not None]
    if any(entry.difficulty for entry in usable):
        return {entry.id: _named(entry) for entry in usable}
    if not all(entry.problem and entry.problem.reference for entry in usable):
        raise ConfigError(
            "dataset.order: easy_first needs a difficulty in each row, or else a reference"
        )
    return {
        entry.id: float(len(entry.problem.reference or ""))
        for entry in usable
        if entry.problem is not None
    }


def _named(entry: Entry) -> float:
    level = entry.difficulty or ""
    if level in WORDS:
        return WORDS[level]
    try:
        return float(level)
    except ValueError:
        raise ConfigError(
            f"dataset.order: problem {entry.id!r}: difficulty {level or 'not given'!r} is"
            f" neither a number nor one of {', '.join(WORDS)}"
        ) from None
