"""
A completion with its code in fenced blocks, where it came as JSON or among prose.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .code_in_prose import from_prose
from .editing import Edit, edited, origins_of
from .json_answers import from_json
from .origins import Origins, kept

__all__ = ["Unwrapped", "unwrapped"]

# The arguments of a call are JSON in a string of JSON.
_STEPS: tuple[Callable[[str], list[Edit]], ...] = (from_json, from_json, from_prose)


class Unwrapped(NamedTuple):
    """
    The text, and the edits of each step that made some, with the text before it.
    """

    text: str
    steps: tuple[tuple[str, list[Edit]], ...]

    def origins(self) -> Origins:
        """
        Tell where its characters stand in the text that it was made of.
        """
        found = kept([(0, len(self.text))])
        for before, edits in reversed(self.steps):
            found = found.after(origins_of(before, edits))
        return found


def unwrapped(text: str) -> Unwrapped:
    """
    Put fences around code in the strings of JSON, and around code among prose.
    """
    steps: list[tuple[str, list[Edit]]] = []
    for step in _STEPS:
        if edits := step(text):
            steps.append((text, edits))
            text = edited(text, edits)
    return Unwrapped(text, tuple(steps))
