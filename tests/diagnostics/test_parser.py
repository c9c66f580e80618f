"""Forms of compiler output that one machine cannot record: other tools, other versions."""

from __future__ import annotations

import pytest

from ocaml_reward.diagnostics import parse, render
from ocaml_reward.model import (
    Diagnostic,
    DiagnosticKind,
    DiagnosticSource,
    Span,
    SubLocation,
)

ERROR = DiagnosticKind.ERROR
WARNING = DiagnosticKind.WARNING
PLACE = 'File "x.ml", line 1, characters 0-1:\n'


def one(text: str) -> Diagnostic:
    """Read text that holds one diagnostic."""
    (found,) = parse(text)
    return found


@pytest.mark.parametrize(
    ("header", "file", "span"),
    [
        (
            'File "a b.ml", line 3, characters 4-9:',
            "a b.ml",
            Span(line=3, end_line=3, column=4, end_column=9),
        ),
        (
            'File "x.ml", lines 1-3, characters 8-5:',
            "x.ml",
            Span(line=1, end_line=3, column=8, end_column=5),
        ),
        ('File "x.ml", line 1:', "x.ml", Span(line=1, end_line=1)),
        ('File "x.cmo":', "x.cmo", None),
        ('File "_none_", line 1:', None, None),
        (
            "Line 2, characters 1-4:",
            None,
            Span(line=2, end_line=2, column=1, end_column=4),
        ),
        ("Lines 2-7:", None, Span(line=2, end_line=7)),
    ],
)
def test_headers(header: str, file: str | None, span: Span | None) -> None:
    """Every header form gives its file and span; `_none_` is no place at all."""
    found = one(f"{header}\nError: oh\n")

    assert (file, span, "oh") == (found.file, found.span, found.message)


@pytest.mark.parametrize(
    ("label", "kind", "number", "name"),
    [
        ("Error", "error", None, None),
        ("Warning 8", "warning", 8, None),
        ("Warning 8 [partial-match]", "warning", 8, "partial-match"),
        ("Warning", "warning", None, None),
        ("Error (warning 8)", "warning_as_error", 8, None),
        ("Error (warning 8 [partial-match])", "warning_as_error", 8, "partial-match"),
        ("Alert deprecated", "alert", None, "deprecated"),
        ("Error (alert deprecated)", "alert_as_error", None, "deprecated"),
    ],
)
def test_labels(label: str, kind: str, number: int | None, name: str | None) -> None:
    """Every label form gives its kind, number and name, before 4.13 and after."""
    found = one(f"{PLACE}{label}: oh\n")

    assert (kind, number, name) == (found.kind.value, found.number, found.name)


@pytest.mark.parametrize(
    "header",
    [
        'File "x.ml", lines 9-3, characters 8-5:',
        'File "x.ml", line 0, characters 7-2:',
        'File "x.ml", line 2, characters -4--9:',
    ],
)
def test_spans_are_ordered(header: str) -> None:
    """Line directives make the compiler print ends before starts; a span never is so."""
    span = one(f"{header}\nError: oh\n").span

    assert span is not None
    assert 1 <= span.line <= span.end_line
    assert span.column is not None
    assert span.end_column is not None
    assert 0 <= span.column
    assert (span.line, span.column) <= (span.end_line, span.end_column)


@pytest.mark.parametrize(
    ("message", "source"),
    [
        ("Illegal character (\\255)", "lexer"),
        ("Reserved character sequence: ##", "lexer"),
        ('"\\#Let" cannot be used as a raw identifier, it must', "lexer"),
        ("Syntax error: module path expected.", "parser"),
        ('In this scoped type, variable "\'a" is reserved', "typer"),
        ("Unbound module Foo", "typer"),
        ("Integer literal exceeds the range of representable integers", "typer"),
        ("Required module `Str' is unavailable", "linker"),
        ("Wrong link order: A depends on B", "linker"),
        ("Error during linking (exit code 1)", "linker"),
        ("Error while linking x.cma(X):\nReference to undefined global `Y'", "linker"),
        ("Files a.cmx and b.cmx\nmake inconsistent assumptions over x", "linker"),
        ("The files a.cmi and b.cmi make inconsistent assumptions", "environment"),
        ("I/O error: x.ml: Permission denied", "environment"),
        ("Error while running external preprocessor\nCommand line: pp", "environment"),
        ('Library "zarith" not found.', "environment"),
    ],
)
def test_sources(message: str, source: str) -> None:
    """The part of the compiler that spoke follows from the opening words."""
    assert source == one(f"{PLACE}Error: {message}\n").source.value


def test_a_message_nobody_knows() -> None:
    """An error at columns of a source file is the typer's; elsewhere nobody's."""
    assert DiagnosticSource.TYPER is one(f"{PLACE}Error: hm\n").source
    assert DiagnosticSource.UNKNOWN is one('File "x.ml", line 1:\nError: hm\n').source


def test_unknown_text_is_one_error() -> None:
    """Text in no known form is kept whole, as one error of unknown source."""
    found = one("Segmentation fault\n\n  (core dumped)\n")

    assert (ERROR, DiagnosticSource.UNKNOWN) == (found.kind, found.source)
    assert "Segmentation fault\n\n  (core dumped)" == found.message


@pytest.mark.parametrize("text", ["", "\n \t\n", "\r\n"])
def test_blank_text_is_nothing(text: str) -> None:
    assert () == parse(text)


def test_a_cut_off_header_is_kept() -> None:
    """Output cut after a header still tells of a report there, not of a second place."""
    _, last = parse(f"{PLACE}Warning 26: unused.\n{PLACE}1 | le")

    assert (ERROR, "", "x.ml") == (last.kind, last.message, last.file)


def test_windows_line_ends() -> None:
    """Carriage returns at line ends change nothing."""
    text = f"{PLACE}1 | x\n    ^\nError: Unbound value x\nHint: Did you mean y?\n"

    assert parse(text) == parse(text.replace("\n", "\r\n"))


def test_further_places_within_the_text() -> None:
    """Places named in indented text are sub-locations; the lines around them stay."""
    text = (
        'File "x.ml", line 1:\n'
        "Error: The implementation x.ml does not match the interface x.cmi:\n"
        "       Values do not match: val f : int is not included in val f : char\n"
        '       File "x.mli", line 2, characters 0-12: Expected declaration\n'
        '       File "x.ml", line 3, characters 4-5: Actual declaration\n'
        '       The value "g" is required but not provided\n'
    )
    found = one(text)

    assert (
        SubLocation(
            file="x.mli",
            span=Span(line=2, end_line=2, column=0, end_column=12),
            message="Expected declaration",
        ),
        SubLocation(
            file="x.ml",
            span=Span(line=3, end_line=3, column=4, end_column=5),
            message="Actual declaration",
        ),
    ) == found.sub
    assert found.message.endswith('\nThe value "g" is required but not provided')


def test_indented_forgeries_stay_text() -> None:
    """A header inside the text of an error begins no report: the compiler indents it."""
    text = f"{PLACE}Error: mine\n       {PLACE}       Error: yours\n"

    assert f"mine\n{PLACE}Error: yours" == one(text).message


def test_a_label_alone_is_text() -> None:
    """A label under another report's text, with no place of its own, begins no report."""
    text = f"{PLACE}Warning 22 [preprocessor]: mine\nError: yours\n"

    assert "mine\nError: yours" == one(text).message


def test_long_messages_are_kept_whole() -> None:
    """Nothing is capped while parsing."""
    message = "This expression has type " + "int * " * 5_000 + "int"

    assert message == one(f"{PLACE}Error: {message}\n").message


def test_render_is_the_compilers_layout() -> None:
    """A rendered report looks like ocamlc's, less the excerpts."""
    diagnostic = Diagnostic(
        kind=DiagnosticKind.WARNING_AS_ERROR,
        source=DiagnosticSource.TYPER,
        message="one\ntwo",
        file="x.ml",
        span=Span(line=1, end_line=3, column=8, end_column=5),
        number=8,
        name="partial-match",
        hint="three",
        sub=(SubLocation(file="y.ml", span=Span(line=4, end_line=4), message="four"),),
    )
    expected = (
        'File "x.ml", lines 1-3, characters 8-5:\n'
        "Error (warning 8 [partial-match]): one\n"
        "                                   two\n"
        "Hint: three\n"
        'File "y.ml", line 4:\n'
        "  four\n"
        "\n"
    )

    assert expected == render([diagnostic])
