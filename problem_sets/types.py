"""The types that problems declare, and literals to call with."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from ocaml_reward.engine.prepare.interfaces import read_types
from ocaml_reward.model.types import Constructed, Tuple, Type

from .drawing import Draw


@dataclass(frozen=True, kw_only=True, slots=True)
class Variant:
    """A variant type that a problem declares: constructors with the types they take."""

    name: str
    constructors: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def text(self) -> str:
        """Return the declaration of the type in OCaml."""
        cases = [
            name + (f" of {' * '.join(taken)}" if taken else "")
            for name, taken in self.constructors
        ]
        if len(" | ".join(cases)) <= 60:
            return f"type {self.name} = {' | '.join(cases)}"
        return "\n".join((f"type {self.name} =", *(f"  | {each}" for each in cases)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """A record type that a problem declares: fields with their types."""

    name: str
    fields: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """Return the declaration of the type in OCaml."""
        fields = "; ".join(f"{name} : {kind}" for name, kind in self.fields)
        return f"type {self.name} = {{ {fields} }}"


def literal(draw: Draw, kind: str, size: int) -> str:
    """Draw a value and write it as OCaml.

    Args:
        draw: Where it comes from.
        kind: A type without arrows, in which words of `SAMPLERS` narrow what is drawn.
        size: How long lists and texts are, about.

    Returns:
        An expression that needs no brackets as an argument.
    """
    return _literal(draw, _type(kind), size)


@cache
def _type(kind: str) -> Type:
    """Return the type that a family has written, so that its text needs no jail."""
    (found,) = read_types([kind], "none")
    return found


def _literal(draw: Draw, kind: Type, size: int) -> str:
    """Return a drawn value of a type as OCaml text."""
    match kind:
        case Tuple(items):
            return f"({', '.join(_literal(draw, each, size) for each in items)})"
        case Constructed("list" | "array" as name, (item,)):
            elements = "; ".join(
                # What lies in a list is a bit shorter than the list.
                _bare(_literal(draw, item, draw.between(0, max(size - 1, 1))))
                for _ in range(size)
            )
            return f"[{elements}]" if name == "list" else f"[|{elements}|]"
        case Constructed("option", (item,)):
            return "None" if draw.below(4) == 0 else f"(Some {_literal(draw, item, size)})"
        case Constructed(name):
            return SAMPLERS[name](draw, size)
    raise ValueError(f"nothing draws values of {kind}")


def _bare(text: str) -> str:
    """Return a negative number without its parentheses."""
    return text[1:-1] if re.fullmatch(r"\(-[\d.]+\)", text) else text


def signed(number: int) -> str:
    """Return a number, in parentheses if it is negative."""
    return f"({number})" if number < 0 else str(number)


def _text(alphabet: str) -> Callable[[Draw, int], str]:
    """Return a sampler of strings of these characters."""

    def drawn(draw: Draw, size: int) -> str:
        return '"' + "".join(draw.choice(alphabet) for _ in range(size)) + '"'

    return drawn


def _words(draw: Draw, size: int) -> str:
    """Return a drawn string of words."""
    drawn = [draw.choice(_WORDS) for _ in range(size)]
    return '"' + " ".join(drawn) + '"'


_WORDS = (
    *("a", "an", "ant", "bee", "Cat", "civic", "Dog", "eel", "elk", "Emu", "fox"),
    *("gnu", "hen", "Ibis", "kayak", "level", "moth", "Newt", "noon", "owl", "ox"),
    *("r2", "Rat", "swan", "toad", "x1y", "Yak", "zebra"),
)


def _quarters(draw: Draw, size: int) -> str:
    """Return a drawn float whose sums and products are exact in binary."""
    del size
    # Sums and products of a few quarters are exact in binary.
    number = draw.between(-24, 32) / 4
    text = f"{number:g}"
    text = text if "." in text else f"{text}."
    return f"({text})" if number < 0 else text


SAMPLERS: Final[Mapping[str, Callable[[Draw, int], str]]] = {
    "int": lambda draw, _: signed(draw.between(-9, 12) if draw.below(3) else draw.between(-40, 60)),
    "small": lambda draw, _: signed(draw.between(-4, 5)),
    "nat": lambda draw, _: str(draw.between(0, 12)),
    "few": lambda draw, _: str(draw.between(0, 4)),
    "count": lambda draw, _: str(draw.between(1, 9)),
    "large": lambda draw, _: str(
        draw.between(0, 99) if draw.below(2) else draw.between(100, 99_999)
    ),
    "float": _quarters,
    "bool": lambda draw, _: draw.choice(("true", "false")),
    "char": lambda draw, _: f"'{draw.choice('abcxyzABC019 -')}'",
    "string": _text("aabbcdeexyzAABEXZ0123579 -_"),
    "letters": _text("aabbccdexyzAB"),
    "lower": _text("aaabbcde"),
    "bits": _text("01"),
    "digits": _text("0123456789"),
    "words": _words,
    "word": lambda draw, _: f'"{draw.choice(_WORDS)}"',
    "name": lambda draw, _: f'"{draw.choice(("ann", "bob", "cy", "dot", "eve"))}"',
}
"""What is drawn for each basic type, and under narrower names for some of its values."""
