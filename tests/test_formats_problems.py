"""Files of problems, in every shape that is read."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ocaml_reward import FormatError, Problem, ProblemError, StdioCase
from ocaml_reward.formats import BadLine, ProblemLine, load_problems, read_problems

CASES = (StdioCase(stdin="1 2\n", stdout="3\n"), StdioCase(stdin="", stdout="0\n"))
CASE_LIST = [{"input": "1 2\n", "output": "3\n"}, {"output": "0\n"}]


def write(folder: Path, name: str, content: str | bytes) -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def only_problem(path: Path) -> Problem:
    """Read a file that holds one problem."""
    (line,) = read_problems(path)
    assert isinstance(line, ProblemLine), line
    return line.problem


def only_message(path: Path) -> str:
    """Read a file that holds one bad line."""
    (line,) = read_problems(path)
    assert isinstance(line, BadLine), line
    return line.message


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            {"id": "a", "prompt": "p", "tests": "assert true"},
            Problem(id="a", prompt="p", tests="assert true"),
        ),
        (
            {"task_id": "HumanEval/0", "question": "q", "test": "assert true"},
            Problem(id="HumanEval/0", prompt="q", tests="assert true"),
        ),
        (
            {"id": 7, "problem": "p", "tests": "t", "solution": "let f = 1"},
            Problem(id="7", prompt="p", tests="t", reference="let f = 1"),
        ),
        (
            {"name": "n", "test_list": ["assert a", "assert b;;"]},
            Problem(id="n", tests="assert a ;;\nassert b;;"),
        ),
        (
            {"id": "a", "tests": "t", "signature": "val f : int", "libraries": ["str"]},
            Problem(id="a", tests="t", signature="val f : int", libraries=("str",)),
        ),
        (
            {"id": "a", "tests": "t", "given": "type t = A"},
            Problem(id="a", tests="t", given="type t = A"),
        ),
        (
            {"id": "a", "tests": "t", "budget": {"memory_mb": 512, "stack_mb": None}},
            Problem(id="a", tests="t", budget=(("memory_mb", 512),)),
        ),
        (
            {"id": "a", "tests": "t", "budget": '{"check_cpu_s": 2.5}'},
            Problem(id="a", tests="t", budget=(("check_cpu_s", 2.5),)),
        ),
        (
            {"id": "a", "tests": "t", "prompt": [{"role": "user", "content": "hi"}]},
            Problem(id="a", tests="t", prompt="hi"),
        ),
        ({"id": "a", "tests": CASE_LIST}, Problem(id="a", tests=CASES)),
        ({"id": "a", "tests": json.dumps(CASE_LIST)}, Problem(id="a", tests=CASES)),
        (
            {"id": "a", "tests": {"inputs": ["1 2\n", ""], "outputs": ["3\n", "0\n"]}},
            Problem(id="a", tests=CASES),
        ),
        (
            {
                "id": "a",
                "test": [
                    {"input": {"stdin": "1 2\n"}, "output": {"stdout": "3\n"}},
                    {"stdin": "", "stdout": "0\n"},
                ],
            },
            Problem(id="a", tests=CASES),
        ),
    ],
)
def test_shapes(tmp_path: Path, row: dict[str, object], expected: Problem) -> None:
    """Every field name and shape of tests in use reads as the same kind of value."""
    path = write(tmp_path, "p.jsonl", json.dumps(row))

    assert expected == only_problem(path)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"id": "a"}, "problem 'a': no tests"),
        ({"id": "a", "tests": " \n"}, "problem 'a': no tests"),
        ({"id": "a", "tests": []}, "problem 'a': no tests"),
        (
            {"id": "a", "tests": [{"input": "1"}]},
            "problem 'a': tests: case 1 has no output",
        ),
        (
            {"id": "a", "tests": {"inputs": ["1"], "outputs": []}},
            "problem 'a': tests: 1 inputs but 0 outputs",
        ),
        (
            {"id": "a", "tests": "t", "libraries": ["-pp evil"]},
            "problem 'a': libraries: '-pp evil' is not a package name",
        ),
        (
            {"id": "a", "tests": "t", "budget": {"memory_mb": 0.5}},
            "problem 'a': budget: memory_mb: expected a whole number above 0",
        ),
        (
            {"id": "a", "tests": "t", "budget": {"check_cpu_s": -1}},
            "problem 'a': budget: check_cpu_s: expected a number above 0",
        ),
        (
            {"id": "a", "tests": "t", "budget": "much"},
            "problem 'a': budget: not a JSON object",
        ),
        (
            {"tests": "t"},
            "no problem id (one of id, problem_id, task_id, name, question_id)",
        ),
        ({"id": "", "tests": "t"}, "id: the problem id is empty"),
        ({"id": True, "tests": "t"}, "id: expected an id, found true or false"),
        (
            {"id": "a", "tests": "t", "signature": 3},
            "problem 'a': signature: expected text, found a number",
        ),
        ([1], "expected a JSON object, found a list"),
    ],
)
def test_bad_problems(tmp_path: Path, row: object, expected: str) -> None:
    """A problem that cannot be used is data that says why, never a problem without tests."""
    path = write(tmp_path, "p.jsonl", json.dumps(row))

    assert expected == only_message(path)


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
        f"{tmp_path}/p.csv:5: problem 'c': no tests",
        f"{tmp_path}/p.csv:6: 5 cells, but the header has 4",
    ] == [str(line) for line in lines[2:]]


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
        f"{path}:4: problem 'b' again; it is defined on line 2 already, with other"
        " content",
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
