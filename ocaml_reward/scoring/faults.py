"""
Where the errors of some code are: their own text, and the definitions that hold them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, NamedTuple

from ..model import CheckReport, Diagnostic, DiagnosticKind
from .places import Place, Text
from .promises import Promise, promise

__all__ = ["ERRORS", "Faults", "faults"]

ERRORS: Final = frozenset(
    (
        DiagnosticKind.ERROR,
        DiagnosticKind.WARNING_AS_ERROR,
        DiagnosticKind.ALERT_AS_ERROR,
    )
)


class Faults(NamedTuple):
    """
    The characters of what is wrong by itself, and one of each definition that holds an error.
    """

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
    """
    Find the errors of some code.

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
        if not any(start <= span[0] < stop for start, stop in unparsed):
            found.held.append(span[0])
    return found


def _blame(
    found: Faults,
    asked: Promise,
    definition: Callable[[int], tuple[Place, bool]],
    taken: Collection[str],
) -> None:
    """
    Say which is wrong of a signature and its structure.

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
    """
    Yield the text of each error, in characters, and what says it.

    A parser may only notice behind an item that this does not parse: what it then points
    at, as the first word of the next item, is right by itself.
    """
    for each in report.diagnostics:
        if each.kind not in ERRORS or not each.is_of_code or each.span is None:
            continue
        span = text.span(each.span)
        if span is None or span[0] >= span[1]:
            continue
        if not unparsed or any(first < span[0] < last for first, last in unparsed):
            yield span, each
    through = report.through_holes
    if unparsed and through:
        for error in through.errors:
            start, stop = text.characters(*error)
            if start < stop:
                yield (start, stop), None
