"""What a word of a vocabulary is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..drawing import Draw


@dataclass(frozen=True, kw_only=True, slots=True)
class Predicate:
    """A condition on `x`: in OCaml, of one thing ("is even") and of several ("are even")."""

    ml: str
    one: str
    many: str

    @property
    def fun(self) -> str:
        """Return its OCaml code as a function."""
        return f"(fun x -> {self.ml})"


@dataclass(frozen=True, kw_only=True, slots=True)
class Transform:
    """What becomes of `x`: in OCaml, and in English after "replaced by" ("its square")."""

    ml: str
    its: str

    @property
    def fun(self) -> str:
        """Return its OCaml code as a function."""
        return f"(fun x -> {self.ml})"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reduction:
    """What a list comes to: the function in OCaml, its type, in English before "of" ("the
    sum"), what it is of nothing, and a word for names.
    """

    ml: str
    type: str
    of: str
    empty: str
    word: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """An order of a list: a function in OCaml, "" for none, and in English."""

    ml: str
    said: str


Words = Mapping[str, Callable[[Draw], Predicate]]
"""Conditions by name; some draw a constant of their own."""


def drawn(draw: Draw, words: Words) -> Predicate:
    """Pick a condition, and draw its constant.

    Args:
        draw: Where both come from.
        words: The conditions.

    Returns:
        The condition.
    """
    return draw.pick(words)(draw)
