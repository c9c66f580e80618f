"""Files of problems, in every shape that is read."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

from ocaml_reward import FormatError, Problem, ProblemError, StdioCase
from ocaml_reward.formats import BadLine, ProblemLine, load_problems, read_problems


def write(folder: Path, name: str, content: str | bytes) -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_csv(tmp_path: Path) -> None:
    """A CSV cell may hold several lines, a JSON list of cases, or names of libraries."""
    rows = (
        "\ufeffid,prompt,tests,libraries\r\n"
        '"a","one\ntwo","assert (f ""x"" = 1)",\r\n'
        '"b",p,"[{""input"": ""1"", ""output"": ""2""}]","str, unix"\r\n'
        '"c",p,,\r\n'
        '"d",p,t,,too many\r\n'
    )

    lines = list(read_problems(write(tmp_path, "p.csv", rows)))

    assert [
        ProblemLine(
            file=str(tmp_path / "p.csv"),
            line=2,
            problem=Problem(id="a", prompt="one\ntwo", tests='assert (f "x" = 1)'),
        ),
        ProblemLine(
            file=str(tmp_path / "p.csv"),
            line=4,
            problem=Problem(
                id="b",
                prompt="p",
                tests=(StdioCase(stdin="1", stdout="2"),),
                libraries=("str", "unix"),
            ),
        ),
    ] == lines[:2]
    assert [
        f"{tmp_path}/p.csv:5: problem 'c': no tests (one of tests, test, test_list, test_cases);"
        ' "untested": true grades without',
        f"{tmp_path}/p.csv:6: 5 cells, but the header has 4",
    ] == [str(line) for line in lines[2:]]


@pytest.mark.parametrize("cell", ["budget", "comparison", "libraries"])
def test_deep_nesting_in_a_cell_is_refused(cell: str) -> None:
    """As in a row, where it costs one problem and not the file."""
    rows = [{"id": "a", "tests": "t", cell: "[" * 100_000}, {"id": "b", "tests": "t"}]
    lines = list(read_problems(io.BytesIO("\n".join(map(json.dumps, rows)).encode())))

    assert [BadLine, ProblemLine] == list(map(type, lines))
    assert f"{cell}: not a JSON " in str(lines[0])


def test_csv_column_twice(tmp_path: Path) -> None:
    """A header that names two columns alike is refused, as either could be meant."""
    path = write(tmp_path, "p.csv", "id,tests,tests\n")

    with pytest.raises(FormatError, match="two columns are named tests"):
        list(read_problems(path))


def test_json_document_and_gzip(tmp_path: Path) -> None:
    """A list in a `.json` file and gzipped lines give the same problems."""
    rows = [{"id": "a", "tests": "t"}, {"id": "b", "tests": "u"}]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    document = write(tmp_path, "p.json", json.dumps(rows, indent=2))
    zipped = write(tmp_path, "p.jsonl.gz", gzip.compress(lines.encode()))

    expected = load_problems(document).problems
    assert ["a", "b"] == list(expected)
    assert expected == load_problems(zipped).problems


def test_duplicate_ids(tmp_path: Path) -> None:
    """An id that stands twice is reported with both lines; if the two differ, neither is
    used.
    """
    path = write(
        tmp_path,
        "p.jsonl",
        '{"id": "a", "tests": "t"}\n{"id": "b", "tests": "t"}\n'
        '{"id": "a", "tests": "t"}\n{"id": "b", "tests": "u"}\n',
    )

    problems = load_problems(path)

    assert [
        f"{path}:3: problem 'a' again; it is defined on line 1 already",
        f"{path}:4: problem 'b' again; it is defined on line 2 already, with other content",
    ] == [str(bad) for bad in problems.bad]
    assert Problem(id="a", tests="t") == problems.get("a")
    with pytest.raises(ProblemError, match=r"'b' cannot be used, see .*p.jsonl:4"):
        problems.get("b")
    with pytest.raises(ProblemError, match=r"problem 'c' is not in .*p\.jsonl"):
        problems.get("c")


def test_missing_file(tmp_path: Path) -> None:
    """A file that cannot be opened is one line that names it."""
    with pytest.raises(FormatError, match=r"cannot read .*none\.jsonl: No such file"):
        load_problems(tmp_path / "none.jsonl")


def test_a_set_of_problems_is_a_collection(tmp_path: Path) -> None:
    """It yields its problems in the order of the file, and counts them."""
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "a", "tests": "x"}\n{"id": "b", "tests": "y"}\n{"id": "c"}\n')
    problems = load_problems(path)

    assert ["a", "b"] == [each.id for each in problems]
    assert 2 == len(problems)
