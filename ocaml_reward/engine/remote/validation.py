"""Whether a report that came over the network can be one of what was asked.

A report of another request, or of a server that is out of its mind, is not graded.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import FormatError
from ...model import CheckReport, Outcome, Stage
from .. import CheckRequest
from ..prepare.given_code import completed_code


def require_fit(report: CheckReport, request: CheckRequest) -> None:
    """Raise FormatError for a report that has not one result for each check, or whose numbers
    are out of range.
    """
    wrong = [why for why, holds in _laws(report, request) if not holds]
    if wrong:
        raise FormatError(f"report: {wrong[0]}")


def _laws(report: CheckReport, request: CheckRequest) -> Iterable[tuple[str, bool]]:
    """Yield what a report must fulfil, with the name of the field, and whether it does."""
    checks = request.tests.checks
    runs = report.stage is Stage.EXECUTABLE
    judged = runs and not report.forbidden and not report.cut
    places = [(each.index, each.line) for each in checks]
    found = [(each.index, each.line) for each in report.results]
    yield "not one result for each check", found == (places if judged else [])
    outcomes = {each.outcome for each in report.results}
    yield "a check that met a hole", Outcome.MET_HOLE not in outcomes
    errors = report.type_errors
    yield "type_errors", errors is None or errors >= 0
    yield "type_errors of code that types", not runs or errors == 0
    for name in ("typed_fraction", "parsed_share"):
        share = getattr(report, name)
        yield name, share is None or 0 <= share <= 1
    edges = [edge for start, stop, _ in report.put_in for edge in (start, stop)]
    yield "put_in", [0, *edges, len(request.code)] == sorted([0, *edges, len(request.code)])
    code = completed_code(request.code, report)
    length = len(code.encode("utf-8", "replace"))
    yield "unparsed", _are_places(report.unparsed, length)
    for part in report.parts or ():
        yield "parts", _are_places([part.span], length)
        yield "parts", all(0 <= need < len(report.parts or ()) for need in part.needs)
    yield "steps", report.steps is None or report.steps >= 0
    for each in report.results:
        yield "steps", each.steps is None or each.steps >= 0
    holes = report.through_holes
    for branches in (report.branches, holes.branches if holes else None):
        if branches is None:
            continue
        entered = [place for each in branches.entered for place in each or ()]
        yield "branches", _are_places(branches.spans, length)
        yield "branches", len(branches.entered) == len(checks)
        yield "branches", all(0 <= place < len(branches.spans) for place in entered)
    lines = code.count("\n") + 1
    for place in report.blame:
        yield "blame", 1 <= place.line <= place.end_line <= lines
        yield "blame", min(place.column, place.end_column) >= 0 <= place.weight <= 1
    if holes is not None:
        through = [(each.index, each.line) for each in holes.results]
        yield "through_holes", through in ([], places)
        yield "through_holes", _are_places(holes.errors, length)


def _are_places(spans: Iterable[tuple[int, int]], length: int) -> bool:
    """Tell whether all spans lie within this length."""
    return all(0 <= first <= last <= length for first, last in spans)
