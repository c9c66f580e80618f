"""Marks the regions of the code that a report shows to be right, wrong or unknown.

A check needs definitions by name, and their dependencies as the parser finds them. A definition is
wrong if only failing checks need it, or if it is the only one that some failing check needs; it is
right if only passing checks need it. If the code's own top level does not finish, checks show
nothing about other definitions. In ill-typed code the text of the errors and the definitions that
hold them are wrong; the rest is judged by the checks that ran without reaching a hole.
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
from .error_spans import ERRORS, error_spans
from .needs import Needed, PartIndex
from .painting import Painted, merged, over
from .places import Layout, Place, Text, layout

# Items that compute nothing.
_DECLARES: Final = re.compile(r"(?:type|exception|module|open|include|external)\b")
_WORD: Final = re.compile(r"[A-Za-z_][\w']*")
# The line number at the end of our messages about forbidden features.
_LINE: Final = re.compile(r"\(line (\d+)\)$")


def located(
    report: CheckReport | None,
    code: str,
    checks: Sequence[Check],
    *,
    uses: Sequence[str] = (),
    origins: SourceMap | None = None,
) -> tuple[Region, ...]:
    """Return the marked regions of the code, in order, without overlap or surrounding blanks.

    `checks` are the problem's checks, `uses` the names that they use; `origins` maps the code back
    to the completion. Text that is in no part, such as a comment between two definitions, is in no
    region. The function is deterministic.
    """
    if report is None:
        return ()
    text = Text(code)
    through = report.through_holes
    index = PartIndex(report.parts or (through and through.parts) or ())
    results = through.results if through else report.results
    recorded = through.branches if through else report.branches
    spans = [text.characters(*part.span) for part in index.parts]
    halted = through.halted if through else report.halted
    computing = _computing(spans, code)
    needed = Needed.of(results, index, checks, uses, computing, halted=halted)
    taken = {*uses, *(name for check in checks for name in check.needs or ())}
    unparsed = list(_unparsed(report, text))
    parts = layout(spans)

    def definition(character: int) -> tuple[Place, bool]:
        """Return the innermost part at a character, and whether only passing checks need it."""
        found = parts.at(character)
        if found is None:
            return (character, character), False
        return (found.start, found.stop), needed.ground(found.part) is Ground.PASSING

    wrong = error_spans(report, code, text, unparsed=unparsed, definition=definition, taken=taken)
    misfits = _misfits(report, index, checks)
    painted = _definitions(wrong.held, misfits, parts, index, needed)
    painted = by_branches(
        painted,
        results=results,
        recorded=recorded,
        needed=needed,
        text=text,
        errors=wrong.text,
    )
    lost = _lost(unparsed, index, taken, code)
    tops = [
        *(
            Painted(*span, Ground.UNPARSED, None, names)
            for span, names in zip(unparsed, lost, strict=True)
        ),
        *(Painted(*span, Ground.FORBIDDEN, None) for span in _forbidden(report, text)),
        *(Painted(*span, Ground.ERROR, None) for span in wrong.text),
    ]
    found = (_region(each, index, needed, text, origins) for each in merged(over(painted, tops)))
    return tuple(
        region
        for region in found
        # Code given by the problem has no place in the completion.
        if region.start < region.stop and (origins is None or region.places)
    )


def _region(
    painted: Painted,
    index: PartIndex,
    needed: Needed,
    text: Text,
    origins: SourceMap | None,
) -> Region:
    """Return the region of a painted piece."""
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
        names=painted.lost if part is None else index.names[part],
        passed=passed,
        failed=failed,
        places=origins.places(start, stop) if origins else (),
    )


def _computing(spans: Iterable[Place], code: str) -> set[int]:
    """Return the parts that may compute a wrong value."""
    return {
        place
        for place, (start, stop) in enumerate(spans)
        if start < stop and not _DECLARES.match(code, start)
    }


def _definitions(
    held: Sequence[int],
    misfits: set[int],
    found: Layout,
    index: PartIndex,
    needed: Needed,
) -> list[Painted]:
    """Mark whole parts: by errors in them, by tests that do not type with them, or by the checks
    that need them.
    """
    holding: set[int] = set()
    for segment in filter(None, map(found.at, held)):
        for place in _holders(segment.part, found, index):
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


def _holders(part: int, found: Layout, index: PartIndex) -> Iterator[int]:
    """Yield the enclosing parts, innermost first, up to the first with a name.

    The words around the definitions of a module do not hold the errors in the definitions.
    """
    for place in found.outwards(part):
        yield place
        if index.names[place]:
            return


def _unparsed(report: CheckReport, text: Text) -> Iterator[tuple[int, int]]:
    """Yield the items that do not parse; they are not parts."""
    done = 0
    for span in sorted(report.unparsed):
        start, stop = text.characters(*span)
        if (start := max(start, done)) < stop:
            yield start, stop
            done = stop


def _lost(
    unparsed: Iterable[Place], index: PartIndex, taken: Iterable[str], code: str
) -> Iterator[tuple[str, ...]]:
    """Yield for each unparsable item the name that it should define.

    This is the first word in it that the tests use and that nothing else defines, with its module
    path.
    """
    missing = {
        name.rpartition(".")[2]: name
        for name in sorted(map(index.local_name, taken), key=lambda name: (name.count("."), name))
        if index.definition(name) is None
    }
    for start, stop in unparsed:
        words = _WORD.findall(code, start, stop)
        word = next((word for word in words if word in missing), None)
        yield () if word is None else (missing.pop(word),)


def _misfits(report: CheckReport, index: PartIndex, checks: Sequence[Check]) -> set[int]:
    """Return the definitions that the tests do not type with.

    This is the name used by the check with the error, if it uses exactly one.
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
            found.add(index.definition(*taken))
    return {place for place in found if place is not None}


def _begins_in(inner: Span, outer: Span) -> bool:
    """Tell whether a span begins in another."""
    start = inner.line, inner.column or 0
    first = outer.line, outer.column or 0
    return first <= start < (outer.end_line, outer.end_column or 0)


def _forbidden(report: CheckReport, text: Text) -> Iterator[tuple[int, int]]:
    """Yield the lines with forbidden features."""
    for each in report.forbidden:
        if found := _LINE.search(each):
            yield text.of_line(int(found[1]))
