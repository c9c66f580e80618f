"""Kinds of characters, and what becomes of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .words import Predicate, Transform


def _class(pattern: str, said: str) -> Predicate:
    """Return the predicate that a character matches a pattern."""
    return Predicate(
        ml=f"(match x with {pattern} -> true | _ -> false)",
        one=f"is {said}",
        many=f"are {said.removeprefix('a ').removeprefix('an ')}",
    )


CLASSES: Final[Mapping[str, Predicate]] = {
    "lower": Predicate(
        ml="x >= 'a' && x <= 'z'",
        one="is a lowercase letter (a to z)",
        many="are lowercase letters (a to z)",
    ),
    "upper": Predicate(
        ml="x >= 'A' && x <= 'Z'",
        one="is an uppercase letter (A to Z)",
        many="are uppercase letters (A to Z)",
    ),
    "digit": Predicate(
        ml="x >= '0' && x <= '9'",
        one="is a decimal digit",
        many="are decimal digits",
    ),
    "letter": Predicate(
        ml="(x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z')",
        one="is a letter (a to z, A to Z)",
        many="are letters (a to z, A to Z)",
    ),
    "vowel": Predicate(
        ml='String.contains "aeiouAEIOU" x',
        one="is a vowel (a, e, i, o or u, in either case)",
        many="are vowels (a, e, i, o or u, in either case)",
    ),
    "word": Predicate(
        ml="(x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || (x >= '0' && x <= '9')",
        one="is a letter (a to z, A to Z) or a decimal digit",
        many="are letters (a to z, A to Z) or decimal digits",
    ),
    "early": Predicate(
        ml="Char.lowercase_ascii x >= 'a' && Char.lowercase_ascii x <= 'm'",
        one="is a letter from a to m, in either case",
        many="are letters from a to m, in either case",
    ),
}
"""Conditions on a character."""

CHANGES: Final[Mapping[str, Transform]] = {
    "upper": Transform(ml="Char.uppercase_ascii x", its="its uppercase form"),
    "lower": Transform(ml="Char.lowercase_ascii x", its="its lowercase form"),
    "star": Transform(ml="(ignore x; '*')", its="a star `*`"),
    "swapped": Transform(
        ml="(if x >= 'a' && x <= 'z' then Char.uppercase_ascii x else Char.lowercase_ascii x)",
        its="itself in the other case",
    ),
    "next": Transform(
        ml="Char.chr (Char.code x + 1)", its="the character with the next higher code"
    ),
    "mirrored": Transform(
        ml="(if x >= 'a' && x <= 'z' then Char.chr (219 - Char.code x) else x)",
        its="the letter as far from z as it is from a (a becomes z, b becomes y), if it"
        " is a lowercase letter, and itself if not",
    ),
}
"""What becomes of a character."""

TEXTS: Final = (
    '""',
    '"a"',
    '"Hello World 42"',
    '"abc XYZ-019_mnz"',
    '"aAbBzZmMnN09 @[{/:"',
    '"eEiIoOuUyY 5"',
    '"   "',
)
"""Texts that have bounds of each kind in them."""
