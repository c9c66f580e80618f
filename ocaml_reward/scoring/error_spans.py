"""Finds the errors in ill-typed or unparsable code: their text, and the definitions
that hold them.
"""

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
# Longer types, and types beyond this number in one structure, are not examined.
_LONGEST: Final = 400
_MOST: Final = 20


class Mismatch(NamedTuple):
    """A value or type that a signature requires and a structure lacks or defines differently.

    Attributes:
        name: Name of the value; None for a type.
        structure: Offset where the structure begins, in characters.
        expected: Span of the signature item.
        actual: Offset of the structure's definition; None if it is missing.
        types: Offsets of types in the structure that, if changed, would make the value match.
    """

    name: str | None
    structure: int
    expected: Place
    actual: int | None
    types: tuple[int, ...]


def read_mismatch(diagnostic: Diagnostic, text: Text, code: str) -> Mismatch | None:
    """Return the mismatch that an error reports, if signature and structure are both in
    the code.
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
        return Mismatch(name, structure[0], expected, None, ())
    if not _within(actual, structure):
        return None
    types = (actual[0],) if name is None else _differing(diagnostic, code, structure)
    return Mismatch(name, structure[0], expected, actual[0], tuple(types))


def _within(inner: Place, outer: Place) -> bool:
    """Tell whether a place lies in another."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _differing(diagnostic: Diagnostic, code: str, structure: Place) -> Iterator[int]:
    """Yield the types of the structure that, if changed, would make the values match."""
    sentence = diagnostic.message.rpartition("Values do not match:")[2].partition("The type ")
    actual, _, expected = (
        " ".join(each.split()) for each in sentence[0].partition("is not included in")
    )
    if len(actual) + len(expected) > _LONGEST:
        return
    for each in islice(_TYPE.finditer(code, *structure), _MOST):
        pieces = re.split(rf"(?<![\w'.]){re.escape(each[1])}(?![\w'.])", expected)
        if len(pieces) > 1:
            # The replacement must be one type, the same in every place, and not a function type.
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


class ErrorSpans(NamedTuple):
    """Spans that are wrong by themselves, and one offset in each definition that holds an error."""

    text: list[Place]
    held: list[int]


def error_spans(
    report: CheckReport,
    code: str,
    text: Text,
    *,
    unparsed: Sequence[Place],
    definition: Callable[[int], tuple[Place, bool]],
    taken: Collection[str],
) -> ErrorSpans:
    """Find the errors of some code.

    Args:
        report: The engine's report.
        code: The code.
        text: The same code, to convert offsets.
        unparsed: The items that do not parse.
        definition: Returns the span of the innermost part at an offset, and whether checks need
            that part and all of them pass.
        taken: The names that the tests use.
    """
    found = ErrorSpans([], [])
    for span, diagnostic in _errors(report, text, unparsed):
        mismatch = read_mismatch(diagnostic, text, code) if diagnostic else None
        if mismatch:
            _blame(found, mismatch, definition, taken)
            continue
        found.text.append(span)
        if _item_at(span[0], unparsed) is None:
            found.held.append(span[0])
    return found


def _item_at(character: int, items: Sequence[Place]) -> Place | None:
    """Return the item that contains a character; `items` are sorted."""
    before = bisect_right(items, character, key=lambda item: item[0])
    item = items[before - 1] if before else None
    return item if item and character < item[1] else None


def _blame(
    found: ErrorSpans,
    mismatch: Mismatch,
    definition: Callable[[int], tuple[Place, bool]],
    taken: Collection[str],
) -> None:
    """Decide whether the signature or the structure is wrong.

    A type that makes the difference is wrong. Otherwise the signature item is wrong if checks show
    that the definition is right, or if the tests do not use the missing item; else the definition
    is wrong, or the words around the structure if it is missing.
    """
    if mismatch.types:
        found.text.append(definition(mismatch.types[0])[0])
    elif mismatch.actual is None and (
        mismatch.name is None or any(mismatch.name == each.rpartition(".")[2] for each in taken)
    ):
        found.held.append(mismatch.structure)
    elif mismatch.actual is None or definition(mismatch.actual)[1]:
        found.text.append(mismatch.expected)
    else:
        found.held.append(mismatch.actual)


def _errors(
    report: CheckReport, text: Text, unparsed: Sequence[Place]
) -> Iterator[tuple[Place, Diagnostic | None]]:
    """Yield the span of each error in characters, with its diagnostic.

    The parser may notice an unparsable item only after its end. The word it then reports, such as
    the first word of the next item, is not wrong and is skipped.
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
