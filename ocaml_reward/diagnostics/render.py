"""Diagnostics back into text, in one normal form that `parse` reads back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..model import Diagnostic, DiagnosticKind, Span, SubLocation


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """Write a report as ocamlc 4.13 lays it out, without excerpts of the source.

    `parse` reads it back unchanged, `source` included because that follows from the
    message.  An empty line ends each diagnostic, so that reports can be put together.
    """
    return "".join(f"{line}\n" for each in diagnostics for line in _diagnostic(each))


def _diagnostic(diagnostic: Diagnostic) -> Iterator[str]:
    """Yield the lines of a diagnostic, as ocamlc prints it."""
    yield _place(diagnostic.file, diagnostic.span)
    label = f"{_kind(diagnostic)}: "
    yield from _indented(label, diagnostic.message)
    if diagnostic.hint is not None:
        yield from _indented("Hint: ", diagnostic.hint)
    for sub in diagnostic.sub:
        yield from _sub(sub)
    yield ""


def _sub(sub: SubLocation) -> Iterator[str]:
    """Yield the lines of a sub-message."""
    yield _place(sub.file or None, sub.span)
    yield from _indented("  ", sub.message)


def _place(file: str | None, span: Span | None) -> str:
    """Return the line with file, lines and characters that precedes a message."""
    if file is None and span is None:
        return 'File "_none_", line 1:'
    parts = [] if file is None else [f'File "{file}"']
    if span is not None:
        lines = "line" if span.line == span.end_line else "lines"
        parts.append(f"{lines} {_range(span.line, span.end_line)}")
        if span.column is not None and span.end_column is not None:
            parts.append(f"characters {span.column}-{span.end_column}")
    text = ", ".join(parts)
    return f"{text[0].upper()}{text[1:]}:"


def _range(line: int, end_line: int) -> str:
    """Return the text of a range of lines: "3" or "3-5"."""
    return str(line) if line == end_line else f"{line}-{end_line}"


def _kind(diagnostic: Diagnostic) -> str:
    """Return the label of a message: "Error", "Warning 8 [partial-match]" and the like."""
    kind, name = diagnostic.kind, diagnostic.name
    is_alert = kind in {DiagnosticKind.ALERT, DiagnosticKind.ALERT_AS_ERROR}
    parts = ["alert" if is_alert else "warning"]
    if diagnostic.number is not None:
        parts.append(str(diagnostic.number))
    if name is not None:
        parts.append(name if is_alert else f"[{name}]")
    words = " ".join(parts)
    if kind is DiagnosticKind.ERROR:
        return "Error"
    if kind in {DiagnosticKind.WARNING_AS_ERROR, DiagnosticKind.ALERT_AS_ERROR}:
        return f"Error ({words})"
    return f"{words[0].upper()}{words[1:]}"


def _indented(label: str, text: str) -> Iterator[str]:
    """Yield the lines of a text after a label, aligned."""
    first, *rest = text.split("\n")
    yield label + first
    margin = " " * len(label)
    yield from (margin + line if line else "" for line in rest)
