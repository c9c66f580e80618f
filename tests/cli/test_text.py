"""Untrusted text on its way to a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.explain.hints import hint_of
from cli.explain.listing import listing, shown_span
from cli.terminal.text import clean, columns, counted, one_line, shortened
from ocaml_reward.model import Span
from ocaml_reward.testing import diagnostic

ESCAPES = "\x1b]0;title\x07\r\b\x9b31m\u202e\u2066\u200b\x7f\ufeff"


@given(st.text())
def test_nothing_steers(text: str) -> None:
    """Clean text holds no control character but the tab and the line end, and can be
    encoded.
    """
    cleaned = clean(text + ESCAPES)

    assert not [c for c in cleaned if ord(c) < 32 and c not in "\t\n"]
    assert not set(ESCAPES[0] + "\x07\r\b\x9b\u202e\u2066\u200b\x7f\ufeff") & set(cleaned)
    assert cleaned.encode()


@given(st.text())
def test_clean_text_stays(text: str) -> None:
    assert clean(text) == clean(clean(text))


@given(st.text(), st.integers(min_value=1, max_value=200))
def test_shortened_text_fits(text: str, width: int) -> None:
    short = shortened(text, width)

    assert len(short) <= width
    assert "\n" not in short
    assert short == one_line(text) or short.endswith("…")


def test_columns_are_one_for_one() -> None:
    """Each character has its own place, a tab a wide one."""
    assert ["a", "    ", "\ufffd", "é"] == columns("a\t\x1bé")


@pytest.mark.parametrize(
    ("line", "start", "end", "expected"),
    [
        ("let x = 1", 4, 5, (4, 5)),
        ("é = x", 5, 6, (4, 5)),
        ("\tx", 1, 2, (4, 5)),
        ("字 x", 4, 5, (3, 4)),
        ("x", 5, 9, (1, 2)),
        ("x", 0, 0, (0, 1)),
    ],
)
def test_bytes_become_columns(line: str, start: int, end: int, expected: tuple[int, int]) -> None:
    """The compiler counts bytes, a terminal columns; places past the end are its end."""
    span = Span(line=1, end_line=1, column=start, end_column=end)

    assert expected == shown_span(line, span)


@given(
    st.text(max_size=300),
    st.text(max_size=300),
    st.integers(0, 12),
    st.tuples(st.integers(0, 400), st.integers(0, 400)),
    st.integers(40, 100),
)
def test_a_listing_is_total(
    code: str, message: str, line: int, between: tuple[int, int], width: int
) -> None:
    """Any code with any diagnostic gives lines of clean text."""
    found = diagnostic(message, line=line, columns=between)

    for text in listing(code, (found,), width=width):
        assert "\n" not in text.plain
        assert clean(text.plain) == text.plain


def test_numbers_of_things() -> None:
    assert ["0 lines", "1 line", "2 lines"] == [counted(n, "line") for n in range(3)]


@pytest.mark.parametrize(
    ("message", "module"),
    [
        ("Module `Str' is unavailable (required by `Solution')", "Str"),
        (
            "No implementation provided for the following modules:"
            '\n  "Unix" referenced from "Solution" (solution.cmo)',
            "Unix",
        ),
    ],
)
def test_hints_on_libraries(message: str, module: str) -> None:
    """What every compiler says of a module that is not linked yields its name."""
    hint = hint_of(diagnostic(message, source="linker"))

    assert f"{module} is not among the problem's libraries" == hint
    assert hint_of(diagnostic("Error while linking", source="linker")) is None
    assert hint_of(diagnostic(message)) is None
