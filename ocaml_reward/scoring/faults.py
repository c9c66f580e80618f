"""Where the errors of some code are: their own text, and the definitions that hold them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from ..model import CODE_FILE, CheckReport, Diagnostic, DiagnosticKind
from .places import Place, Text

_EXPECTED: Final = "Expected declaration"
_ACTUAL: Final = "Actual declaration"
_NAME: Final = re.compile(r"(val|type)[ \t]+(?:\([ \t]*)?([^\s():]+)")
_TYPE: Final = re.compile(
    r"^[ \t]*(?:type|and)[ \t]+(?:'\w+[ \t]+)?([a-z_][\w']*)[ \t]*=", re.MULTILINE
)
# Longer types, and types of larger structures, are not looked at.
_LONGEST: Final = 400
_MOST: Final = 20


class Promise(NamedTuple):
    """A value or type that a signature asks for and a structure has as something else, or lacks.

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
    """Read what an error says of a structure and its signature, if both stand in the code."""
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
    """Find the types of the structure that, were they another, would make the values match."""
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
            # A type, and the same wherever it stands; a function would be another value.
            size = (len(actual) - sum(map(len, pieces))) // (len(pieces) - 1)
            wanted = actual[len(pieces[0]) :][:size]
            if size > 0 and "->" not in wanted and wanted.join(pieces) == actual:
                yield each.start(1)


ERRORS: Final = frozenset(
    (
        DiagnosticKind.ERROR,
        DiagnosticKind.WARNING_AS_ERROR,
        DiagnosticKind.ALERT_AS_ERROR,
    )
)


class Faults(NamedTuple):
    """The characters of what is wrong by itself, and one of each definition that holds an error."""

    text: list[Place]
    held: list[int]


def faults(
    report: CheckReport,
    code: str,
    text: Text,
    *,
    unparsed: Sequence[Place],
    definition: Callable[[int], tuple[Place, bool]],
    taken: Collection[str],
) -> Faults:
    """Find the errors of some code.

    Args:
        report: What is known of it.
        code: The code.
        text: The same, to find characters in.
        unparsed: Its items that do not parse.
        definition: Finds the characters of the innermost part at one, and whether checks
            need it and all of these pass.
        taken: The names that the tests take.

    Returns:
        What is wrong.
    """
    found = Faults([], [])
    for span, diagnostic in _errors(report, text, unparsed):
        asked = promise(diagnostic, text, code) if diagnostic else None
        if asked:
            _blame(found, asked, definition, taken)
            continue
        found.text.append(span)
        if _item_at(span[0], unparsed) is None:
            found.held.append(span[0])
    return found


def _item_at(character: int, items: Sequence[Place]) -> Place | None:
    """Find which of some items, in their order, a character is in."""
    before = bisect_right(items, character, key=lambda item: item[0])
    item = items[before - 1] if before else None
    return item if item and character < item[1] else None


def _blame(
    found: Faults,
    asked: Promise,
    definition: Callable[[int], tuple[Place, bool]],
    taken: Collection[str],
) -> None:
    """Say which is wrong of a signature and its structure.

    A type that makes the difference is.  Else it is what the signature asks for, if checks
    show that the definition does what it should, or nobody takes what is lacking; else the
    definition, or the words around those that are there.
    """
    if asked.types:
        found.text.append(definition(asked.types[0])[0])
    elif asked.actual is None and (
        asked.name is None
        or any(asked.name == each.rpartition(".")[2] for each in taken)
    ):
        found.held.append(asked.structure)
    elif asked.actual is None or definition(asked.actual)[1]:
        found.text.append(asked.expected)
    else:
        found.held.append(asked.actual)


def _errors(
    report: CheckReport, text: Text, unparsed: Sequence[Place]
) -> Iterator[tuple[Place, Diagnostic | None]]:
    """Yield the text of each error, in characters, and what says it.

    A parser may only notice behind an item that this does not parse: what it then points
    at, as the first word of the next item, is right by itself.
    """
    for each in report.diagnostics:
        if each.kind not in ERRORS or not each.is_of_code or each.span is None:
            continue
        span = text.span(each.span)
        if span is None or span[0] >= span[1]:
            continue
        item = _item_at(span[0], unparsed)
        if not unparsed or (item and item[0] < span[0]):
            yield span, each
    through = report.through_holes
    if unparsed and through:
        for error in through.errors:
            start, stop = text.characters(*error)
            if start < stop:
                yield (start, stop), None
