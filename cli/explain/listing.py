"""Formats code with line numbers, and each diagnostic below its line."""

from __future__ import annotations

import re
import textwrap
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from ocaml_reward import Mark, Region
from ocaml_reward.model import Diagnostic, DiagnosticKind, DiagnosticSource, Span
from ocaml_reward.reading.definitions import defined_names

from ..terminal.text import clean, columns, counted, one_line, shortened
from .hints import hint_of
from .regions import STYLES
from .sources import CheckSources

BAR: Final = "│"
# Of longer code only the surroundings of diagnostics are shown.
WHOLE_LINES: Final = 120
AROUND: Final = 3
# Of a longer line only the surroundings of carets are shown.
WHOLE_ROWS: Final = 20
WARNINGS: Final = {DiagnosticKind.WARNING, DiagnosticKind.ALERT}
# One real diagnostic was 26 kB long.
MESSAGE_CHARACTERS: Final = 1000
FLOWING_LINES: Final = 3
UNBOUND: Final = re.compile(r"Unbound (?:constructor|module|record field|type|value)")
NO_SOURCES: Final = CheckSources()


class Marked(NamedTuple):
    """A diagnostic with its columns in a line that is not wrapped, and the last row with carets."""

    diagnostic: Diagnostic
    low: int
    high: int
    last: int


def listing(
    code: str,
    diagnostics: tuple[Diagnostic, ...],
    *,
    width: int,
    sources: CheckSources = NO_SOURCES,
    regions: Sequence[Region] = (),
) -> Iterator[Text]:
    """Yield the lines of a listing, with right and wrong regions coloured.

    Diagnostics that belong to no line of the code come last.
    """
    lines = code.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    while lines and not lines[-1].strip():
        lines.pop()
    below: dict[int, list[Diagnostic]] = {}
    elsewhere: list[Diagnostic] = []
    for diagnostic in diagnostics:
        span = diagnostic.span
        if span and diagnostic.is_of_code and 1 <= span.line <= len(lines):
            below.setdefault(span.line, []).append(diagnostic)
        else:
            elsewhere.append(diagnostic)
    margin = len(str(len(lines))) + 2
    shown = numbers_to_show(len(lines), below)
    previous = 0
    for number in shown:
        if number > previous + 1:
            skipped = number - previous - 1
            yield omitted_line(skipped, margin)
        previous = number
        line = lines[number - 1]
        marks = styles_in(line, starts[number - 1], regions)
        yield from code_rows(number, line, marks, below.get(number, ()), margin=margin, width=width)
    if previous < len(lines):
        yield omitted_line(len(lines) - previous, margin)
    yield from other_diagnostics(elsewhere, width=width, sources=sources)
    if any(UNBOUND.match(diagnostic.message) for diagnostic in elsewhere):
        yield from definition_line(code, width=width)


def omitted_line(count: int, margin: int) -> Text:
    """Return the placeholder for omitted lines."""
    return Text(f"{'':{margin}} {BAR} … {counted(count, 'line')}", style="dim")


def numbers_to_show(count: int, marked: dict[int, list[Diagnostic]]) -> list[int]:
    """Return the lines to show: all, or for long code the start and those around marked lines."""
    if count <= WHOLE_LINES:
        return list(range(1, count + 1))
    near = {
        number
        for mark in (1, *marked)
        for number in range(mark - AROUND, mark + AROUND + 1)
        if 1 <= number <= count
    }
    return sorted(near)


def styles_in(line: str, start: int, regions: Sequence[Region]) -> Iterator[tuple[int, int, str]]:
    """Yield the styled spans of a line, each with its start, its end and its style."""
    places = list(accumulate(map(len, columns(line)), initial=0))
    for region in regions:
        low = max(region.start - start, 0)
        high = min(region.stop - start, len(line))
        if low < high and region.mark is not Mark.UNKNOWN:
            yield places[low], places[high], STYLES[region.mark]


def code_rows(
    number: int,
    line: str,
    marks: Iterable[tuple[int, int, str]] = (),
    diagnostics: Sequence[Diagnostic] = (),
    *,
    margin: int,
    width: int,
) -> Iterator[Text]:
    """Yield a line of code, wrapped at the width, with its diagnostics.

    Carets stand below each row that a diagnostic is about, its message below the last one.
    """
    room = max(width - margin - 3, 10)
    rows = wrapped_rows(line, room)
    pieces = styled_pieces(line, marks, rows)
    starts = [displayed(line)[1][at] for at in rows]
    carets = marked_rows(line, diagnostics, starts)
    previous = -1
    for row in rows_to_show(len(rows), carets):
        if row > previous + 1:
            yield omitted_row(rows[row] - rows[previous + 1], margin)
        previous = row
        yield code_row(number if row == 0 else None, pieces[row], margin)
        for each in carets.get(row, ()):
            begin = max(each.low, starts[row])
            end = min((each.high, *starts[row + 1 : row + 2]))
            # The end of a line that fills its row has no column of its own.
            before = min(begin - starts[row], room - 1)
            found = " " * before + "^" * min(max(end - begin, 1), room - before)
            yield gutter(found, margin, style_of(each.diagnostic))
            if row == each.last:
                yield from gutters(each.diagnostic, room, margin)
    if previous < len(rows) - 1:
        yield omitted_row(len(line.rstrip()) - rows[previous + 1], margin)
    for diagnostic in diagnostics:
        if diagnostic.span is None or diagnostic.span.column is None:
            yield from gutters(diagnostic, room, margin)


def marked_rows(
    line: str, diagnostics: Sequence[Diagnostic], starts: Sequence[int]
) -> dict[int, list[Marked]]:
    """Return the diagnostics with carets in each row; of a long line in their first and last."""
    found: dict[int, list[Marked]] = {}
    for diagnostic in diagnostics:
        if diagnostic.span is None or diagnostic.span.column is None:
            continue
        low, high = shown_span(line, diagnostic.span)
        first, last = bisect(starts, low) - 1, bisect(starts, high - 1) - 1
        for row in range(first, last + 1) if len(starts) <= WHOLE_ROWS else {first, last}:
            found.setdefault(row, []).append(Marked(diagnostic, low, high, last))
    return found


def wrapped_rows(line: str, room: int) -> list[int]:
    """Return the characters of a line at which its rows start.

    A row is at most `room` columns wide, and ends after a blank if its second half has one.
    """
    places = displayed(line)[1]
    rows, blank = [0], 0
    for at, char in enumerate(line.rstrip()):
        start = places[rows[-1]]
        if places[at + 1] - start > room and at > rows[-1]:
            rows.append(blank if places[blank] - start > room // 2 else at)
        if char.isspace():
            blank = at + 1
    return rows


def styled_pieces(
    line: str, marks: Iterable[tuple[int, int, str]], rows: Sequence[int]
) -> list[Text]:
    """Return the rows of a line as they are shown, with their styles."""
    cells = columns(line.rstrip())
    code = Text("".join(cells), style="default not dim")
    for start, stop, style in marks:
        code.stylize(style, start, stop)
    places = list(accumulate(map(len, cells), initial=0))
    return list(code.divide([places[at] for at in rows[1:]]))


def rows_to_show(count: int, marked: Iterable[int]) -> list[int]:
    """Return the rows of a line to show: all, or of many the first and those around carets."""
    if count <= WHOLE_ROWS:
        return list(range(count))
    near = {row for mark in marked for row in (mark - 1, mark, mark + 1) if 0 <= row < count}
    return sorted({0, *near})


def omitted_row(count: int, margin: int) -> Text:
    """Return the placeholder for omitted characters of a line."""
    return Text(f"{'':{margin}} {BAR} … {counted(count, 'character')}", style="dim")


def code_row(number: int | None, code: Text, margin: int) -> Text:
    """Format a row of a line; only the first one has the line's number."""
    text = Text(f"{number or '':>{margin}} {BAR} ", style="dim")
    text.append_text(code)
    text.rstrip()
    return text


def shown_span(line: str, span: Span) -> tuple[int, int]:
    """Convert a span in bytes to terminal columns, up to the end of its first line."""
    raw = line.encode(errors="replace")
    whole = len(raw)
    start = min(span.column or 0, whole)
    end = whole if span.end_line > span.line else min(span.end_column or 0, whole)
    before = raw[:start].decode(errors="ignore")
    inside = raw[start : max(end, start)].decode(errors="ignore")
    places = displayed(line)[1]
    first = places[len(before)]
    return first, max(places[len(before) + len(inside)], first + 1)


@lru_cache(maxsize=1)
def displayed(line: str) -> tuple[str, list[int]]:
    """Return the displayed text of a line, and the column after each prefix of it.

    The result is cached, because many diagnostics may be about one line of megabytes.
    """
    cells = columns(line)
    shown = "".join(cells[: len(line.rstrip())])
    return shown, list(accumulate(map(cell_len, cells), initial=0))


def other_diagnostics(
    diagnostics: list[Diagnostic], *, width: int, sources: CheckSources
) -> Iterator[Text]:
    """Yield the diagnostics of the tests and of the linker, which belong to no line of the code.

    A line of the tests is shown once, after the first diagnostic about it.
    """
    shown: set[int] = set()
    for diagnostic in diagnostics:
        where = location_of(diagnostic)
        lines = message_lines(diagnostic, width - 4, where=where)
        for number, part in enumerate(lines):
            yield Text(f"{'  ' if number else ''}  {part}", style=style_of(diagnostic))
        line = diagnostic.span.line if diagnostic.span else 0
        if not where.startswith("tests.ml") or line in shown:
            continue
        shown.add(line)
        yield from line_of_tests(sources.line(line), width=width)


def line_of_tests(line: str, *, width: int) -> Iterator[Text]:
    """Yield a line of the tests, wrapped."""
    for part in wrapped(line[:MESSAGE_CHARACTERS], max(width - 6, 20)):
        yield Text(f"      {part}", style="dim")


def location_of(diagnostic: Diagnostic) -> str:
    """Return file and line of a diagnostic, except the linker's, which names an innocent file."""
    if not diagnostic.file or diagnostic.source is DiagnosticSource.LINKER:
        return ""
    name = one_line(PurePosixPath(diagnostic.file).name)
    return f"{name}, line {diagnostic.span.line}: " if diagnostic.span else f"{name}: "


def definition_line(code: str, *, width: int) -> Iterator[Text]:
    """Yield the top-level names of the code, for tests that use another name."""
    names = ", ".join(sorted(defined_names(code))) or "nothing"
    text = f"the code defines {names}"
    yield Text(f"  {shortened(text, max(width - 2, 20))}", style="dim")


def gutters(diagnostic: Diagnostic, room: int, margin: int) -> Iterator[Text]:
    """Yield the message of a diagnostic to the right of the bar."""
    for part in message_lines(diagnostic, room):
        yield gutter(part, margin, style_of(diagnostic))


def gutter(content: str, margin: int, style: str) -> Text:
    """Format text to the right of the bar, without a line number."""
    text = Text(f"{'':{margin}} {BAR} ", style="dim")
    return text.append(content, style=f"{style} not dim")


def message_lines(diagnostic: Diagnostic, room: int, *, where: str = "") -> list[str]:
    """Wrap the message of a diagnostic, its hint and its related locations."""
    kind = diagnostic.kind.value.replace("_", " ")
    name = diagnostic.name or diagnostic.source.value
    if diagnostic.number is not None:
        name = f"{diagnostic.number} {name}"
    parts = [f"{where}{kind} ({name}): {diagnostic.message[:MESSAGE_CHARACTERS]}"]
    if diagnostic.span and diagnostic.span.end_line > diagnostic.span.line:
        parts.append(f"up to line {diagnostic.span.end_line}")
    parts += [
        f"{one_line(sub.file)}"
        + (f", line {sub.span.line}" if sub.span else "")
        + f": {sub.message[:MESSAGE_CHARACTERS]}"
        for sub in diagnostic.sub
    ]
    if hint := hint_of(diagnostic):
        parts.append(f"hint: {hint[:MESSAGE_CHARACTERS]}")
    return [line for text in parts for line in wrapped(text, max(room, 20))]


def wrapped(text: str, room: int) -> list[str]:
    """Wrap a message; a long one keeps the line breaks of the compiler."""
    flowing = one_line(text)
    if len(flowing) <= FLOWING_LINES * room:
        return textwrap.wrap(flowing, room)
    return [part for line in clean(text).split("\n") for part in textwrap.wrap(line, room)]


def style_of(diagnostic: Diagnostic) -> str:
    """Return the style of a diagnostic's kind."""
    return "yellow" if diagnostic.kind in WARNINGS else "red"
