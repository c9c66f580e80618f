"""What cases/reading.jsonl says of completions: the code that is read out of each, and where it stands.

A line with `about` begins a group.  Each other line has a completion (`text`), its problem's `prompt`,
the names that the tests use (`uses`; ["f"] if left out) and the modules that may be the code's file
(`files`), and expects the `code`, `how` it was found, whether the scheme's marker is at its `end`, and
whether it is `empty`, as comments are.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ocaml_reward.reading.extraction import Extraction, extract

MARKER = "(* END *)"
CASES = Path(__file__).parents[1] / "cases" / "reading.jsonl"
GIVEN = {"text", "prompt", "uses", "files"}
LINES = enumerate(CASES.read_text(encoding="utf-8").split("\n"), start=1)
ROWS = [(f"line {n}", json.loads(line)) for n, line in LINES if line[:2] == "  "]


def read(row: dict[str, Any]) -> Extraction:
    return extract(
        row["text"],
        prompt=row.get("prompt", ""),
        uses=tuple(row.get("uses", ["f"])),
        files=tuple(row.get("files", ())),
        end_marker=MARKER,
    )


@pytest.mark.parametrize("row", [row for _, row in ROWS], ids=[at for at, _ in ROWS])
def test_case(row: dict[str, Any]) -> None:
    found = read(row)
    flags = {"end": found.end_marker_present, "empty": not found.has_code}
    said = {key: True for key, flag in flags.items() if flag}

    assert {key: row[key] for key in row.keys() - GIVEN} == {
        "code": found.code,
        "how": found.how,
        **said,
    }


@pytest.mark.parametrize("row", [row for _, row in ROWS], ids=[at for at, _ in ROWS])
def test_each_letter_stands_where_it_was_written(row: dict[str, Any]) -> None:
    """Also out of JSON, where other characters may be written as several; and in order."""
    found = read(row)
    code, origins = found.code, found.origins()
    places = [origins.places(at, at + 1) for at in range(len(code))]
    flat = [place for each in places for place in each]

    assert sorted(flat) == flat
    assert [] == [
        (char, row["text"][slice(*place)])
        for char, found_at in zip(code, places, strict=True)
        for place in found_at
        if char.isalpha() and row["text"][slice(*place)] != char
    ]


def test_the_account_of_the_rest() -> None:
    """Blocks, prose and the number of markers are kept for the penalties."""
    code = f"let f x = x\n{MARKER}"
    text = f"Hi\n```ocaml\n{code}\n```\nthen\n```sh\nls\n```\n{MARKER}"
    extraction = extract(text, uses=("f",), end_marker=MARKER)

    assert (code,) == extraction.fenced_blocks
    assert f"Hi\n\nthen\n\n{MARKER}" == extraction.prose
    assert 2 == extraction.end_markers


@pytest.mark.parametrize(
    ("text", "marker", "present"),
    [("x\n(* . *)\n", "(* . *)", True), (f"x\n{MARKER}", None, False)],
)
def test_the_marker_is_the_schemes(text: str, marker: str, *, present: bool) -> None:
    """A scheme without one looks for none."""
    extraction = extract(text, end_marker=marker)

    assert present is extraction.end_marker_present
    assert int(present) == extraction.end_markers
