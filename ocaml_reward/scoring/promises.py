"""
Structures that break their signature: where the two disagree.

The compiler points at the whole structure, and says beside it which declaration was expected
and which it has found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ..model import CODE_FILE, Diagnostic
from .places import Place, Text

__all__ = ["Promise", "promise"]

_EXPECTED: Final = "Expected declaration"
_ACTUAL: Final = "Actual declaration"
_VALUE: Final = re.compile(r"val\s+\(?\s*([^\s():]+)")
# Of the values of one name; `val` has no other meaning in these words.
_VALUES: Final = re.compile(
    r"Values do not match:\s+val (.+?)\s+is not included in\s+val (.+)\Z", re.DOTALL
)
_TYPE: Final = re.compile(
    r"(?:^|\n)\s*(?:type|and)\s+(?:nonrec\s+)?(?:'\w+\s+)?([a-z_][\w']*)\s*="
)


class Promise(NamedTuple):
    """
    A value that a signature asks for and a structure has as something else, or lacks.

    Attributes:
        name: Of the value.
        structure: Where the structure begins, in characters.
        expected: The characters of what asks for the value.
        actual: Where the structure defines it; None where it does not.
        types: Where types of the structure have their names that would make it match, were
            they others.
    """

    name: str
    structure: int
    expected: Place
    actual: int | None
    types: tuple[int, ...]


def promise(diagnostic: Diagnostic, text: Text, code: str) -> Promise | None:
    """
    Read what an error says of a value of a structure and its signature, if both stand in the
    code.
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
    value = _VALUE.match(code, *expected)
    if value is None or not code.startswith("struct", structure[0]):
        return None
    if actual is None:
        return Promise(value[1], structure[0], expected, None, ())
    if not _within(actual, structure):
        return None
    types = tuple(_differing(diagnostic.message, code, structure))
    return Promise(value[1], structure[0], expected, actual[0], types)


def _within(inner: Place, outer: Place) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _differing(message: str, code: str, structure: Place) -> Iterator[int]:
    """
    Find the types of the structure that, were they another, would make the values match.
    """
    told = _VALUES.search(message)
    if told is None:
        return
    actual, expected = (" ".join(each.split()) for each in told.groups())
    for each in _TYPE.finditer(code, *structure):
        pieces = re.split(rf"(?<![\w'.]){re.escape(each[1])}(?![\w'.])", expected)
        if len(pieces) > 1:
            first, *others = map(re.escape, pieces)
            # A type, and the same wherever it stands; a function would be another value.
            wanted = first + r"((?:(?!->).)+)" + r"\1".join(others)
            if re.fullmatch(wanted, actual):
                yield each.start(1)
