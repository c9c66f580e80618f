"""Laws of `parse` and `render` that hold for every input."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocaml_reward.diagnostics import parse, render
from ocaml_reward.diagnostics.classify import classify
from ocaml_reward.diagnostics.lines import is_excerpt, read_hint, read_place
from ocaml_reward.model import (
    Diagnostic,
    DiagnosticKind,
    DiagnosticSource,
    Span,
    SubLocation,
)

SETTINGS = settings(max_examples=100, deadline=None)

PLACE = 'File "x.ml", line 1, characters 0-1:\n'

# What a line cannot hold: its end.
CHARACTERS = st.characters(exclude_characters="\n\r")
PHRASES = st.sampled_from(
    [
        "Error: a",
        "Warning 8: b",
        "Alert deprecated: c",
        "Syntax error",
        "Illegal character (\\000)",
        "ocamlfind: d",
        "/usr/bin/ld: e",
        "collect2: error: f",
        "Fatal error: g",
        "make: *** h",
        "Entering directory 'i'",
        "(cd _build/default && j)",
        "^^^",
        "...",
        "    indented",
    ]
)
LINES = st.one_of(st.text(CHARACTERS, max_size=12), PHRASES)


def is_plain(line: str) -> bool:
    """Tell lines that `parse` leaves in a message from hints and named places."""
    return read_hint(line) is None and read_place(line.lstrip(" \t")) is None


def paragraphs(first: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Make text as a report can hold it.

    Not representable: blanks at the ends of lines or of the text, and further lines
    that read as a hint or as a place, for those leave the message.
    """
    rest = st.lists(LINES.map(str.rstrip).filter(is_plain), max_size=4)
    return st.builds(
        lambda head, tail: "\n".join([head, *tail]).strip(), first.map(str.strip), rest
    )


# Text stripped of a blank first line begins with another that must be plain too, which
# further lines always are.
MESSAGES = paragraphs(LINES)
INNER = LINES.filter(lambda line: bool(line.strip()) and is_plain(line.strip()))
HINTS = st.none() | paragraphs(INNER)
SUB_MESSAGES = paragraphs(INNER.filter(lambda line: not is_excerpt(line.strip())))

FILES = st.text(st.characters(exclude_characters='\n\r"'), min_size=1, max_size=8).filter(
    lambda name: name != "_none_"
) | st.sampled_from(["dune", "x.ml", "x.cmo"])
NUMBERS = st.integers(0, 999_999_999)
NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,20}", fullmatch=True)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    """Make a span in order, with both columns or none; numbers have nine digits at most."""
    line, end_line = sorted([draw(NUMBERS) or 1, draw(NUMBERS) or 1])
    if draw(st.booleans()):
        return Span(line=line, end_line=end_line)
    column, end_column = draw(NUMBERS), draw(NUMBERS)
    if line == end_line:
        column, end_column = sorted([column, end_column])
    return Span(line=line, end_line=end_line, column=column, end_column=end_column)


# A sub-location has a file name, or the compiler's word for none, or only lines.
SUBS = st.one_of(
    st.builds(SubLocation, file=FILES, span=st.none() | spans(), message=SUB_MESSAGES),
    st.builds(SubLocation, file=st.just("_none_"), span=st.none(), message=SUB_MESSAGES),
    st.builds(SubLocation, file=st.just(""), span=spans(), message=SUB_MESSAGES),
)


@st.composite
def diagnostics(draw: st.DrawFn) -> Diagnostic:
    """Make a diagnostic; its source is what its message says, as it is not printed."""
    kind = draw(st.sampled_from(DiagnosticKind))
    is_alert = kind in {DiagnosticKind.ALERT, DiagnosticKind.ALERT_AS_ERROR}
    is_error = kind is DiagnosticKind.ERROR
    number = None if is_alert or is_error else draw(st.none() | NUMBERS)
    name = None if is_error else draw(NAMES if is_alert else st.none() | NAMES)
    message = draw(MESSAGES)
    file, span = draw(st.none() | FILES), draw(st.none() | spans())
    return Diagnostic(
        kind=kind,
        source=classify(kind=kind, number=number, message=message, file=file, span=span),
        message=message,
        file=file,
        span=span,
        number=number,
        name=name,
        hint=draw(HINTS),
        sub=tuple(draw(st.lists(SUBS, max_size=2))),
    )


REPORTS = st.lists(diagnostics(), max_size=4).map(tuple)
SHORT_REPORTS = st.lists(diagnostics(), max_size=2).map(tuple)

# Compiler output taken apart and put together wrongly.
SOUP = st.lists(
    st.sampled_from(
        [
            PLACE.strip(),
            'File "x.ml", lines 3-2, characters 9-1:',
            'File "_none_", line 1:',
            "Line 3, characters 1-2:",
            '       File "y.mli", line 2: Expected declaration',
            '       File "y.mli", line 2:',
            "         Expected declaration",
            "12 | let x",
            " 9 | let y",
            "   | ",
            "     ^^^^",
            "Error:",
            "Error: ",
            "Error:    far",
            "Error (warning 8 [partial-match]): w",
            "Warning: v",
            "Hint: Did you mean x?",
            "  Hint: y",
            "Hint:",
            "",
            "   ",
            "       continued",
            "         deeper",
            "\t",
            "ocaml: x",
            "x.o(.text+0x1): undefined reference to `y'",
        ]
    )
    | LINES,
    max_size=12,
).map("\n".join)


class TestParse:
    """Any text gives a tuple of sound diagnostics."""

    @given(text=st.one_of(st.text(), SOUP))
    @example(text="\ud800\0\x1b[")
    @SETTINGS
    def test_is_total(self, text: str) -> None:
        """Nothing raises, and only blank or framing text may give nothing."""
        found = parse(text)

        assert isinstance(found, tuple)
        assert all(isinstance(each, Diagnostic) for each in found)

    @given(text=SOUP)
    @SETTINGS
    def test_spans_are_ordered(self, text: str) -> None:
        """Lines count from 1, columns from 0, and no span ends before it starts."""
        for each in parse(text):
            for span in (each.span, *(sub.span for sub in each.sub)):
                assert span is None or 1 <= span.line <= span.end_line
                assert span is None or (span.column is None) == (span.end_column is None)
                if span is not None and span.line == span.end_line:
                    assert 0 <= (span.column or 0) <= (span.end_column or 0)

    @given(text=st.text(st.characters(exclude_characters='"(:[\n\r'), min_size=1))
    @SETTINGS
    def test_unknown_text_is_one_unknown_error(self, text: str) -> None:
        """Text in no known form is one error of unknown source; blank text is nothing."""
        found = [(each.kind, each.source) for each in parse(text)]
        expected = [(DiagnosticKind.ERROR, DiagnosticSource.UNKNOWN)]

        assert (expected if text.strip() else []) == found


class TestRender:
    """A rendered report is read back as it was."""

    @given(report=REPORTS)
    @SETTINGS
    def test_round_trip(self, report: tuple[Diagnostic, ...]) -> None:
        """Parsing what was rendered gives the same values."""
        assert report == parse(render(report))

    @given(first=SHORT_REPORTS, second=SHORT_REPORTS)
    @SETTINGS
    def test_reports_can_be_put_together(
        self, first: tuple[Diagnostic, ...], second: tuple[Diagnostic, ...]
    ) -> None:
        """Two reports, one after the other, read as their diagnostics one after another."""
        assert first + second == parse(render(first) + render(second))

    @given(text=SOUP)
    @example(text=f'{PLACE}{PLACE}    File "y.ml":\n    File "y.ml":\n0')
    @SETTINGS
    def test_what_was_read_is_representable(self, text: str) -> None:
        """Whatever came out of any text survives being written and read again."""
        found = parse(text)

        assert found == parse(render(found))


@pytest.mark.parametrize(
    "text",
    [
        "a" * 5_000_000,
        "\0" * 5_000_000,
        "\x1b[" + "0" * 5_000_000,
        "\x1b[" * 1_000_000,
        'File "x.ml", line ' + "9" * 5_000_000 + ":",
        'File "' * 800_000,
        f"{PLACE}1 | \n" + " " * 5_000_000 + "x",
        "a-" * 2_500_000,
        "a/" * 2_500_000,
        " " * 5_000_000 + "1 | x",
        "x.o(.text+0x" * 400_000,
        PLACE * 20_000,
        f"{PLACE}Error: x\n" + f"{PLACE}  y\n" * 20_000,
        f"{PLACE}Error: x\n" + "Hint: y\n" * 50_000,
        "(cd " + "_build/" * 700_000,
        "      ocamlc " + "objs/" * 1_000_000 + " x",
    ],
    ids=range(16),
)
def test_time_is_linear(text: str) -> None:
    """Megabytes made to confuse are read in seconds; one quadratic step takes hours."""
    start = time.process_time()
    parse(text)

    assert time.process_time() - start < 10
