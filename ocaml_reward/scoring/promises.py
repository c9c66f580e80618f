"""
Structures that break their signature: where the two disagree.

The compiler points at the whole structure, and says beside it which declaration was expected
and which it has found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from ..model import CODE_FILE, Diagnostic
from .places import Place, Text

__all__ = ["Promise", "promise"]

_EXPECTED: Final = "Expected declaration"
_ACTUAL: Final = "Actual declaration"
_NAME: Final = re.compile(r"(val|type)[ \t]+\(?[ \t]*([^\s():]+)")
_TYPE: Final = re.compile(
    r"^[ \t]*(?:type|and)[ \t]+(?:'\w+[ \t]+)?([a-z_][\w']*)[ \t]*=", re.MULTILINE
)
# Longer types, and types of larger structures, are not looked at.
_LONGEST: Final = 400
_MOST: Final = 20


class Promise(NamedTuple):
    """
    A value or type that a signature asks for and a structure has as something else, or lacks.

    Attributes:
        name: Of a value; a type has none.
        structure: Where the structure begins, in characters.
        expected: The characters of what asks for the value.
        actual: Where the structure defines it; None where it does not.
        types: Where types of the structure stand that would make it match, were they others.
    """

    name: str | None
    structure: int
    expected: Place
    actual: int | None
    types: tuple[int, ...]


def promise(diagnostic: Diagnostic, text: Text, code: str) -> Promise | None:
    """
    Read what an error says of a structure and its signature, if both stand in the code.
    """
    structure = text.span(diagnostic.span) if diagnostic.span else None
    places: Mapping[str, Place] = {
        each.message: place
        for each in diagnostic.sub
        if each.file == CODE_FILE and each.span and (place := text.span(each.span))
    }
    expected, actual = places.get(_EXPECTED), places.get(_ACTUAL)
    if structure is None or expected is None or _within(expected, structure):
        return None
    named = _NAME.match(code, *expected)
    if named is None or not code.startswith("struct", structure[0]):
        return None
    name = named[2] if named[1] == "val" else None
    if actual is None:
        return Promise(name, structure[0], expected, None, ())
    if not _within(actual, structure):
        return None
    types = (actual[0],) if name is None else _differing(diagnostic, code, structure)
    return Promise(name, structure[0], expected, actual[0], tuple(types))


def _within(inner: Place, outer: Place) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _differing(diagnostic: Diagnostic, code: str, structure: Place) -> Iterator[int]:
    """
    Find the types of the structure that, were they another, would make the values match.
    """
    told = diagnostic.message.rpartition("Values do not match:")[2].partition(
        "The type "
    )
    actual, _, expected = (
        " ".join(each.split()) for each in told[0].partition("is not included in")
    )
    if len(actual) + len(expected) > _LONGEST:
        return
    for each in islice(_TYPE.finditer(code, *structure), _MOST):
        pieces = re.split(rf"(?<![\w'.]){re.escape(each[1])}(?![\w'.])", expected)
        if len(pieces) > 1:
            first, *others = map(re.escape, pieces)
            # A type, and the same wherever it stands; a function would be another value.
            wanted = first + r"((?:(?!->).)+)" + r"\1".join(others)
            if re.fullmatch(wanted, actual):
                yield each.start(1)
