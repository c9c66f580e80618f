"""Whatever a file of completions or problems holds: each line is read, or is named with a reason."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ocaml_reward import FormatError
from ocaml_reward.formats import (
    BadLine,
    CompletionLine,
    ProblemLine,
    lines,
    problem_lines,
    read_completions,
    read_problems,
    tables,
)
from ocaml_reward.formats.importing import import_problems

SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
KEYS = (
    *("id", "tests", "prompt", "completion", "eval", "results", "hash", "name"),
    *("program", "choices", "response", "body", "content", "completions"),
    *("traces", "nodes", "task", "data", "calls", "message", "agent", "sampled"),
    *("input", "output", "inputs", "outputs", "fn_name", "libraries", "budget"),
    *("forbidden", "required", "modules"),
    *(
        "reference",
        "signature",
        "given",
        "question_content",
        "private_test_cases",
        "language",
    ),
    *("description", "official_tests", "verification_info", "reward_model"),
    *("ground_truth", "extra_info", "test", "code", "stdin", "stdout", "memory_mb"),
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=12,
)
# Near enough to be problems that most are read, and some are not.
NEAR = st.fixed_dictionaries(
    {
        "id": st.text(max_size=3) | st.integers(),
        "tests": VALUES | st.just("assert true"),
    },
    optional=dict.fromkeys(KEYS[2:], VALUES),
)

Lines = Iterable[CompletionLine | ProblemLine | BadLine]
READERS: tuple[Callable[[io.BytesIO | Path], Lines], ...] = (
    read_completions,
    read_problems,
    lambda source: (each.found for each in import_problems(source)),
)


def numbered(source: bytes | Path) -> Iterator[set[int]]:
    """Yield for each reader the numbers of the lines that it gave something for; a bad line has
    a reason, in one line.
    """
    for read in READERS:
        found = list(read(io.BytesIO(source) if isinstance(source, bytes) else source))
        for each in found:
            assert not isinstance(each, BadLine) or each.message.strip()
            assert not isinstance(each, BadLine) or 1 == len(str(each).splitlines())
        yield {each.line for each in found}


@SETTINGS
@given(
    rows=st.lists(VALUES | NEAR, max_size=4),
    cut=st.integers(0, 40),
    noise=st.binary(max_size=8),
)
@example(rows=[{"id": "a\nb", "tests": ""}], cut=0, noise=b"")
def test_no_line_is_lost(rows: list[object], cut: int, noise: bytes) -> None:
    """Of lines, also where a file breaks off."""
    text = "\n".join(json.dumps(each) for each in rows).encode() + noise
    content = text[: max(len(text) - cut, 0)]
    whole = {
        number
        for number, line in enumerate(content.split(b"\n"), 1)
        if line.strip() and not content.startswith((b"\xff\xfe", b"\xfe\xff", b"\x1f\x8b"))
    }
    for found in numbered(content):
        assert whole <= found


@SETTINGS
@given(rows=st.lists(VALUES | NEAR, max_size=4), cut=st.integers(0, 40))
@example(rows=[{"id": "", "tests": "", "language": "\r\x1b[2J\u2028"}], cut=0)
def test_no_item_of_a_document_is_lost(rows: list[object], cut: int) -> None:
    """Of one JSON document each item; of one that breaks off the file itself."""
    text = json.dumps(rows)
    kept = text[: len(text) - cut] if cut else text
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.json"
        path.write_text(kept)
        for found in numbered(path):
            assert cut or set(range(1, len(rows) + 1)) <= found
            assert found or not kept or not rows


@SETTINGS
@given(
    rows=st.lists(st.lists(st.text(max_size=9) | VALUES.map(json.dumps), min_size=3, max_size=4)),
    cut=st.integers(0, 9),
)
def test_no_row_of_a_table_is_lost(rows: list[list[str]], cut: int) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["id", "tests", "completion", "budget"])
    starts = set()
    for row in rows:
        if any(row):
            starts.add(len(out.getvalue().splitlines()) + 1)
        writer.writerow(row)
    content = out.getvalue().encode("utf-8", "replace")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        path.write_bytes(content[: len(content) - cut])
        try:
            found = list(numbered(path))
        except FormatError as error:
            # Only a header that breaks off can name two columns alike.
            found, message = [], str(error)
            assert len(message.splitlines()) == 1
    assert cut or [len(starts)] * len(READERS) == list(map(len, found))


@pytest.mark.parametrize(
    "first",
    ["[" * 100_000, '{"id": ' + "9" * 5000 + "}", '{"id": "' + "x" * 2**21],
    ids=["deep", "number", "long"],
)
def test_a_gigantic_line_costs_itself(first: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is too long, too deep, or a number without end is named, and the next is read."""
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 2**20)
    good = json.dumps({"id": "a", "tests": "assert true", "completion": "x"})
    for read in READERS:
        bad, found = read(io.BytesIO(f"{first}\n{good}\n".encode()))

        assert isinstance(bad, BadLine)
        assert (1, 2) == (bad.line, found.line)
        assert not isinstance(found, BadLine)


def test_a_gigantic_line_of_a_table_costs_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines behind it keep their numbers, and it is not held."""
    monkeypatch.setattr(tables, "MAX_LINE_BYTES", 2**20)
    path = tmp_path / "rows.csv"
    path.write_text(f"id,tests,completion\na,{'x' * 2**21},y\nb,assert true,z\n")
    for read in READERS:
        bad, found = read(path)

        assert isinstance(bad, BadLine)
        assert "not CSV: a line is longer than 1 MiB" == bad.message
        assert (2, 3) == (bad.line, found.line)


@SETTINGS
@given(row=NEAR)
def test_a_problem_that_is_read_is_written_as_it_was(row: dict[str, Any]) -> None:
    for line in read_problems(io.BytesIO(json.dumps(row).encode())):
        if isinstance(line, ProblemLine):
            written = problem_lines([line.problem]).encode()
            (again,) = read_problems(io.BytesIO(written))

            assert isinstance(again, ProblemLine)
            assert line.problem == again.problem
