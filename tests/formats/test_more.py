"""Completions in the files of EvalPlus, MultiPL-E, TRL, verifiers, ocamler-grpo and Agnostics."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ocaml_reward import FormatError, Problem
from ocaml_reward.formats import (
    BadLine,
    CompletionLine,
    Item,
    Joining,
    ProblemSet,
    load_problems,
    read_completions,
    write_problems,
)
from ocaml_reward.formats.files import FORMATS
from ocaml_reward.formats.parquet import write_parquet
from ocaml_reward.formats.results import RESULTS, write_results

HALF = "let half x = x / 2"


def texts(source: Path, form: str = "auto") -> list[tuple[str, str]]:
    """Read ids and texts; a bad line has its message."""
    return [
        ("bad", each.message)
        if isinstance(each, BadLine)
        else (each.problem_id, each.completion.text)
        for each in read_completions(source, form)
    ]


def evalplus(path: Path) -> Path:
    solution = {"task_id": "half", "solution": HALF, "base_status": "pass"}
    path /= "eval_results.json"
    path.write_text(json.dumps({"hash": "x", "eval": {"half": [solution, {}]}}))
    return path


def multipl_e(path: Path) -> Path:
    tests = "let assertions = assert (half 2 = 1)"
    program = f"let half x = x / 2\n{tests}"
    path /= "half.results.json"
    row = {"name": "half", "language": "ml", "prompt": "let half x =", "tests": tests}
    path.write_text(json.dumps({**row, "results": [{"program": program}]}))
    return path


def folder(path: Path) -> Path:
    for name, text in (("half/10.ml", "b"), ("half/2.ml", "a"), ("a/b/1.ml", "c")):
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    return path


def trl(path: Path) -> Path:
    path /= "completions_00001.parquet"
    chat = [{"role": "assistant", "content": HALF}]
    row = {
        "step": 1,
        "prompt": "Write half.\n\nEnd.",
        "completion": chat,
        "reward": 0.5,
    }
    write_parquet(path, [row, {**row, "prompt": "of something else"}])
    return path


def verifiers(path: Path) -> Path:
    path /= "results.jsonl"
    chat = [{"role": "assistant", "content": HALF}]
    row = {"example_id": 7, "prompt": chat, "completion": chat, "reward": 1.0}
    path.write_text(json.dumps({**row, "info": {}, "is_truncated": True}) + "\n")
    return path


def ocamler(path: Path) -> Path:
    path /= "completions.jsonl"
    row = {"id": "half", "problem_text": "Write half", "tests": "assert (half 2 = 1)"}
    row |= {"raw_completion": HALF, "failure_stage": "", "model": "m"}
    path.write_text(json.dumps(row) + "\n")
    return path


def agnostics(path: Path) -> Path:
    path /= "solutions.jsonl"
    row = {"question_id": "half", "solution": HALF, "reasoning": "think"}
    path.write_text(json.dumps(row) + "\n")
    return path


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (evalplus, [("half", HALF), ("bad", "eval: half: no solution")]),
        (multipl_e, [("half", " x / 2")]),
        (folder, [("a/b", "c"), ("half", "a"), ("half", "b")]),
        (trl, [("", HALF), ("", HALF)]),
        (verifiers, [("7", HALF)]),
        (ocamler, [("half", HALF)]),
        (agnostics, [("half", HALF)]),
    ],
)
def test_each_tool_is_read(
    write: Callable[[Path], Path], expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    """What each tool writes is found by its content."""
    assert expected == texts(write(tmp_path))


def test_a_prompt_stands_for_an_id(tmp_path: Path) -> None:
    """What a trainer logs without an id belongs to the one problem whose prompt it has; what
    has none, or several, is a bad line.
    """
    problems = {
        name: Problem(id=name, prompt=prompt, tests="assert true")
        for name, prompt in (("a", "Write  half."), ("b", "Write"), ("c", "Sum"))
    }
    bad: list[BadLine] = []
    joining = Joining(
        source=trl(tmp_path),
        problems=ProblemSet(file="p", problems=problems),
        report=bad.append,
        note=lambda _: None,
        check=lambda _: None,
    )
    found: list[Item] = list(joining)

    assert ["a"] == [each.line.problem_id for each in found]
    assert ["no problem id, and not one problem has this prompt"] == [each.message for each in bad]
    assert [2] == [each.line for each in bad]


def test_a_format_can_be_forced(tmp_path: Path) -> None:
    """A file whose name tells nothing is read as it is told, and parquet by its first bytes."""
    table = tmp_path / "some.data"
    table.write_text("problem_id\tcompletion\nhalf\tlet x = 1\n")
    rows = tmp_path / "other.data"
    write_parquet(rows, [{"problem_id": "half", "completion": HALF}])

    assert [("half", "let x = 1")] == texts(table, "tsv")
    assert [("half", HALF)] == texts(rows)
    with pytest.raises(FormatError, match="cannot read"):
        texts(table, "parquet")
    with pytest.raises(FormatError, match="not from a stream"):
        list(read_completions(io.BytesIO(b"PAR1"), "parquet"))


def test_problems_go_round(tmp_path: Path) -> None:
    """Problems are read again as they were written, as lines and as parquet."""
    corpus = Path(__file__).parents[2] / "test_corpus" / "problems.jsonl"
    problems = load_problems(corpus).problems
    lines, table = tmp_path / "p.jsonl", tmp_path / "p.parquet"
    for path in (lines, table):
        write_problems(path, problems.values())

    assert problems == load_problems(lines).problems
    assert problems == load_problems(table).problems


RECORD = {
    "problem_id": "a/b", "index": 0, "line": 1, "reward": 0.35, "verdict": "failed_tests",
    "credits": {"structural": 0.05, "type": 0.2, "compile": 0.1, "tests": 0.0},
    "penalties": [{"code": "prose"}], "type_errors": 0, "diagnostics": [],
    "forbidden": [], "tests": {"passed": 1, "total": 2, "failures": [{"check": 2}]},
    "fault": None, "engine": "warm", "sandbox": "nsjail", "toolchain": "ocaml 4.13.1",
    "scheme": "seed@1", "code": HALF,
}  # fmt: skip
PASSED = {**RECORD, "verdict": "passed", "index": 1}
FAULT = {**RECORD, "reward": None, "fault": {"kind": "x", "message": "no jail"}}


# Grades, test suites and Harbor's rewards hold no code.
@pytest.mark.parametrize(
    "kind", [each for each in RESULTS[1:] if each not in {"grades", "junit", "harbor"}]
)
def test_results_of_other_tools(kind: str, tmp_path: Path) -> None:
    """Records become the results of each tool, a fault none of them, and it is said what is
    lost; what holds code is read again as completions.
    """
    path = tmp_path / f"out.{kind}"
    said = write_results(path, [RECORD, PASSED, FAULT], kind)
    if kind == "multipl-e":
        path /= "a_b.results.json"
    form = kind if kind in FORMATS else "json"
    again = [each for each in read_completions(path, form) if isinstance(each, CompletionLine)]
    whole = path.read_bytes()

    assert "not there" in said
    assert {("a/b", HALF)} == {(e.problem_id, e.completion.text) for e in again}
    assert (2 if kind in {"evalplus", "multipl-e"} else 3) == len(again)
    if kind == "evalplus":
        assert {"base": {"pass@1": 0.5}} == json.loads(whole)["pass_at_k"]
    if kind == "multipl-e":
        results = json.loads(whole)["results"]
        assert ["AssertionError", "OK"] == [each["status"] for each in results]


def test_broken_parquet_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that breaks off, and a machine without pyarrow, give one line that says so."""
    path = tmp_path / "rows.parquet"
    write_parquet(path, [{"problem_id": "half", "completion": HALF}] * 9)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match=r"cannot read .*rows.parquet: \S") as broken:
        texts(path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FormatError, match="pip install pyarrow"):
        texts(path)

    assert "\n" not in str(broken.value)


def test_what_is_no_number_in_parquet_is_null(tmp_path: Path) -> None:
    """What pandas writes for a value that is missing can stand in a record, as null does."""
    path = tmp_path / "rows.parquet"
    row = {"problem_id": "half", "completion": HALF, "seen": [float("inf"), 1.5]}
    write_parquet(path, [row | {"score": score} for score in (0.5, float("nan"))])
    first, second = read_completions(path)

    assert isinstance(first, CompletionLine)
    assert isinstance(second, CompletionLine)
    assert {"seen": [None, 1.5], "score": 0.5} == dict(first.extra)
    assert {"seen": [None, 1.5]} == dict(second.extra)


def test_a_table_holds_no_formula_and_no_control_character(tmp_path: Path) -> None:
    """What a spreadsheet would compute, hide or show in another order is text in it."""
    code = "=HYPERLINK(1)\n\tlet x = \x1b[2J\u202e1"
    write_results(tmp_path / "a.csv", [{**PASSED, "code": code}], "csv")
    (found,) = csv.DictReader((tmp_path / "a.csv").read_text("utf-8").splitlines(keepends=True))

    assert "'=HYPERLINK(1)\n\tlet x = \\x1b[2J\\u202e1" == found["code"]
