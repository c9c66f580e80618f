"""A source of random draws that is the same on every machine and version of Python.

`Random.random` is the one method whose results Python promises to keep for a seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")

# One combination of choices in so many is kept for held-out sets, whatever the seed.
_HELD_OUT_ONE_IN = 5


class Draw:
    """Draws what a problem consists of, and remembers the choices that make it another one.

    `pick` is for what changes the program to be written, and is remembered; the other
    methods are for constants, wording and inputs.
    """

    def __init__(self, seed: str) -> None:
        """Start from a text."""
        self._random = Random(seed)  # noqa: S311 - nothing here is a secret
        self._choices: list[str] = []

    @property
    def choices(self) -> tuple[str, ...]:
        """What was picked so far, by name."""
        return tuple(self._choices)

    def pick(self, options: Mapping[str, Item]) -> Item:
        """Choose one of several by its name, and remember which."""
        name = self.choice(tuple(options))
        self._choices.append(name)
        return options[name]

    def pick_some(self, options: Mapping[str, Item], count: int) -> list[Item]:
        """Choose so many of several, in the order that they are written in.

        Args:
            options: What there is, by name.
            count: How many to take; at most as many as there are.

        Returns:
            The chosen ones.
        """
        names = tuple(options)
        places = sorted(self.sample(range(len(names)), count))
        self._choices.append("+".join(names[place] for place in places))
        return [options[names[place]] for place in places]

    def below(self, bound: int) -> int:
        """Draw a whole number from 0 to `bound` - 1."""
        return int(self._random.random() * bound)

    def between(self, low: int, high: int) -> int:
        """Draw a whole number, both bounds included.

        Args:
            low: The least one.
            high: The greatest one.

        Returns:
            The number.
        """
        return low + self.below(high - low + 1)

    def choice(self, options: Sequence[Item]) -> Item:
        """Choose one of several; nothing is remembered."""
        return options[self.below(len(options))]

    def sample(self, options: Sequence[Item], count: int) -> list[Item]:
        """Choose several, none twice, in a random order.

        Args:
            options: What there is.
            count: How many to take; at most as many as there are.

        Returns:
            The chosen ones.
        """
        left = list(options)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]


def is_held_out(family: str, choices: Sequence[str]) -> bool:
    """Tell whether a combination of choices belongs to held-out sets, and so to no other.

    Args:
        family: The family's name.
        choices: The names of what was picked.

    Returns:
        True for one combination in five, by its digest.
    """
    said = "\n".join((family, *choices)).encode()
    number = int.from_bytes(hashlib.sha256(said).digest()[:8], "big")
    return number % _HELD_OUT_ONE_IN == 0
