"""Where in the code a report is about: which parts are right or wrong, and which nobody knows
anything of.

A check leads to the definitions that it needs, by their names and by what these need in
turn, as the parser tells it.  A definition that only failing checks need is wrong, and so is
one that is all that some failing check needs; one that only passing checks need is right.  Where the
code's own top level does not come to its end no check tells of anything else.
Of code that does not type, the errors' own text and the definitions that hold them are
wrong; of the rest is known what checks tell that ran through its holes and met none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..model import (
    Check,
    CheckReport,
    Ground,
    Region,
    Span,
    Stage,
)
from ..reading.source_map import SourceMap
from .branches import by_branches
from .faults import ERRORS, faults
from .needs import Book, Needed
from .painting import Painted, merged, over
from .places import Layout, Place, Text, layout

# Text that computes nothing by itself.
_DECLARES: Final = re.compile(r"(?:type|exception|module|open|include|external)\b")
_WORD: Final = re.compile(r"[A-Za-z_][\w']*")
# Our own words on what is forbidden, each with its line.
_LINE: Final = re.compile(r"\(line (\d+)\)$")


def located(
    report: CheckReport | None,
    code: str,
    checks: Sequence[Check],
    *,
    uses: Sequence[str] = (),
    origins: SourceMap | None = None,
) -> tuple[Region, ...]:
    """Tell what a report says of the parts of the code, in their order; no two overlap, and
    none begins or ends with a blank.

    `checks` are the problem's, `uses` the names that they take from the code; `origins` say
    where the code stands in the completion.  Text that is in no part, as a comment between
    two definitions, is in no region.  The same arguments give the same regions.
    """
    if report is None:
        return ()
    text = Text(code)
    through = report.through_holes
    book = Book(report.parts or (through and through.parts) or ())
    results = through.results if through else report.results
    told = through.branches if through else report.branches
    spans = [text.characters(*part.span) for part in book.parts]
    halted = through.halted if through else report.halted
    computing = _computing(spans, code)
    needed = Needed.of(results, book, checks, uses, computing, halted=halted)
    taken = {*uses, *(name for check in checks for name in check.needs or ())}
    unparsed = list(_unparsed(report, text))
    parts = layout(spans)

    def definition(character: int) -> tuple[Place, bool]:
        """Find the innermost part at a character, and whether only checks that pass need it."""
        found = parts.at(character)
        if found is None:
            return (character, character), False
        return (found.start, found.stop), needed.ground(found.part) is Ground.PASSING

    wrong = faults(
        report, code, text, unparsed=unparsed, definition=definition, taken=taken
    )
    misfits = _misfits(report, book, checks)
    painted = _definitions(wrong.held, misfits, parts, book, needed)
    painted = by_branches(
        painted,
        results=results,
        told=told,
        needed=needed,
        text=text,
        errors=wrong.text,
    )
    lost = _lost(unparsed, book, taken, code)
    tops = [
        *(
            Painted(*span, Ground.UNPARSED, None, names)
            for span, names in zip(unparsed, lost, strict=True)
        ),
        *(Painted(*span, Ground.FORBIDDEN, None) for span in _forbidden(report, text)),
        *(Painted(*span, Ground.ERROR, None) for span in wrong.text),
    ]
    found = (
        _region(each, book, needed, text, origins)
        for each in merged(over(painted, tops))
    )
    return tuple(
        region
        for region in found
        # What the problem gives stands in no place.
        if region.start < region.stop and (origins is None or region.places)
    )


def _region(
    painted: Painted,
    book: Book,
    needed: Needed,
    text: Text,
    origins: SourceMap | None,
) -> Region:
    start, stop = text.trimmed(painted.start, painted.stop)
    part = painted.part
    passed = failed = 0
    if painted.entered:
        passed, failed = painted.entered
    elif part is not None:
        passed, failed = needed.passed[part], needed.failed[part]
    return Region(
        start=start,
        stop=stop,
        line=text.line(start),
        end_line=text.line(max(start, stop - 1)),
        ground=painted.ground,
        names=painted.lost if part is None else book.names[part],
        passed=passed,
        failed=failed,
        places=origins.places(start, stop) if origins else (),
    )


def _computing(spans: Iterable[Place], code: str) -> set[int]:
    """Find the parts whose text may compute something wrong."""
    return {
        place
        for place, (start, stop) in enumerate(spans)
        if start < stop and not _DECLARES.match(code, start)
    }


def _definitions(
    held: Sequence[int],
    misfits: set[int],
    found: Layout,
    book: Book,
    needed: Needed,
) -> list[Painted]:
    """Mark each part as a whole: by the errors in it, by the tests that do not type with it,
    by the checks that need it.
    """
    holding: set[int] = set()
    for segment in filter(None, map(found.at, held)):
        for place in _holders(segment.part, found, book):
            if place in holding:
                break
            holding.add(place)
    painted = []
    for start, stop, part in found.segments:
        if part in holding:
            ground = Ground.HOLDS_ERROR
        elif part in misfits:
            ground = Ground.MISFIT
        else:
            ground = needed.ground(part)
        painted.append(Painted(start, stop, ground, part))
    return painted


def _holders(part: int, found: Layout, book: Book) -> Iterator[int]:
    """Yield the parts around a place, the innermost first, up to one with a name: the words
    around the definitions of a module do not hold the errors in them.
    """
    for place in found.outwards(part):
        yield place
        if book.names[place]:
            return


def _unparsed(report: CheckReport, text: Text) -> Iterator[tuple[int, int]]:
    """Find the items that do not parse, which are no parts."""
    done = 0
    for span in sorted(report.unparsed):
        start, stop = text.characters(*span)
        if (start := max(start, done)) < stop:
            yield start, stop
            done = stop


def _lost(
    unparsed: Iterable[Place], book: Book, taken: Iterable[str], code: str
) -> Iterator[tuple[str, ...]]:
    """Yield for each item that does not parse what it was to define: the first of its words
    that the tests take, in a module by its path, and nothing defines.
    """
    missing = {
        name.rpartition(".")[2]: name
        for name in sorted(
            map(book.own, taken), key=lambda name: (name.count("."), name)
        )
        if book.definition(name) is None
    }
    for start, stop in unparsed:
        words = _WORD.findall(code, start, stop)
        word = next((word for word in words if word in missing), None)
        yield () if word is None else (missing.pop(word),)


def _misfits(report: CheckReport, book: Book, checks: Sequence[Check]) -> set[int]:
    """Find the definitions that the tests do not type with: what the check with the error
    takes, if that is one name.
    """
    if report.stage is not Stage.INTERFACE_ERROR:
        return set()
    found = set()
    for each in report.diagnostics:
        if each.span is None or each.is_of_code or each.kind not in ERRORS:
            continue
        taken = {
            name
            for check in checks
            if check.span and _begins_in(each.span, check.span)
            for name in check.needs or ()
        }
        if len(taken) == 1:
            found.add(book.definition(*taken))
    return {place for place in found if place is not None}


def _begins_in(inner: Span, outer: Span) -> bool:
    start = inner.line, inner.column or 0
    first = outer.line, outer.column or 0
    return first <= start < (outer.end_line, outer.end_column or 0)


def _forbidden(report: CheckReport, text: Text) -> Iterator[tuple[int, int]]:
    for each in report.forbidden:
        if found := _LINE.search(each):
            yield text.of_line(int(found[1]))
