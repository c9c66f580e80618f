"""Diagnostics as JSON: a flat object each, and its strict reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import FormatError
from ..model import Diagnostic, DiagnosticKind, DiagnosticSource, Span, SubLocation
from ..strict import Fields, integer, list_of, optional, string, table, word_of

_KIND = word_of(DiagnosticKind)
_NUMBER = optional(integer())
_PLACE = optional(integer(low=0))
_SOURCE = word_of(DiagnosticSource)
_TABLES = list_of(table)
_TEXT = optional(string)


def diagnostic_to_dict(diagnostic: Diagnostic) -> dict[str, Any]:
    """Turn a diagnostic into a flat object; positions it lacks are null."""
    return {
        "kind": diagnostic.kind.value,
        "source": diagnostic.source.value,
        "file": diagnostic.file,
        **_span_to_dict(diagnostic.span),
        "message": diagnostic.message,
        "number": diagnostic.number,
        "name": diagnostic.name,
        "hint": diagnostic.hint,
        "sub": [
            {"file": sub.file, **_span_to_dict(sub.span), "message": sub.message}
            for sub in diagnostic.sub
        ],
    }


def diagnostic_from_dict(data: Mapping[str, Any]) -> Diagnostic:
    """Read a diagnostic back.  Raises FormatError with the path of what is wrong."""
    return read_diagnostic(Fields(data, error=FormatError))


def read_diagnostic(fields: Fields) -> Diagnostic:
    """Read a diagnostic inside a larger record."""
    diagnostic = Diagnostic(
        kind=fields.read("kind", _KIND),
        source=fields.read("source", _SOURCE),
        file=fields.read("file", _TEXT),
        span=_read_span(fields),
        message=fields.read("message", string),
        number=fields.read("number", _NUMBER),
        name=fields.read("name", _TEXT),
        hint=fields.read("hint", _TEXT),
        sub=tuple(map(_read_sub, fields.read("sub", _TABLES))),
    )
    fields.close()
    return diagnostic


def _span_to_dict(span: Span | None) -> dict[str, int | None]:
    if span is None:
        return dict.fromkeys(("line", "column", "end_line", "end_column"))
    return {
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _read_span(fields: Fields) -> Span | None:
    line = fields.read("line", _PLACE)
    column = fields.read("column", _PLACE)
    end_line = fields.read("end_line", _PLACE)
    end_column = fields.read("end_column", _PLACE)
    if line is None or end_line is None:
        if (line, column, end_line, end_column) != (None,) * 4:
            fields.fail("line", "a position needs both line and end_line")
        return None
    return Span(line=line, end_line=end_line, column=column, end_column=end_column)


def _read_sub(fields: Fields) -> SubLocation:
    sub = SubLocation(
        file=fields.read("file", string),
        span=_read_span(fields),
        message=fields.read("message", string),
    )
    fields.close()
    return sub
