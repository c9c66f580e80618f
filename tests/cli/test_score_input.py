"""`score`: where completions and their tests come from."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from .conftest import CODE, TESTS, Invoke, records, row

Write = Callable[[str, Iterable[object]], Path]
ADD = {"id": "add", "tests": TESTS}


def test_problems_file(write: Write, invoke: Invoke) -> None:
    """Tests come from `--problems`, which goes before a line's own."""
    problems = write("p.jsonl", [ADD, {"id": "bad"}])
    path = write(
        "c.jsonl",
        [
            {"task_id": "add", "completion": CODE},
            row(tests="assert (other 1 = 1)"),
            {"task_id": "bad", "completion": CODE},
        ],
    )

    result = invoke("score", path, "--problems", problems)

    assert 1 == result.exit_code
    assert [2, 2] == [record["tests"]["total"] for record in records(result.stdout)]
    assert f"{problems}:2: problem 'bad': no tests" in result.stderr
    assert f"{path}:3: problem 'bad' cannot be used, see {problems}:2" in result.stderr
    assert "tests in the completions are not used" in result.stderr


def test_a_file_of_code_answers_the_only_problem(write: Write, invoke: Invoke) -> None:
    """It names none, so of several nobody knows which was meant."""
    path = write("answer.ml", [])
    path.write_text(CODE)
    one, two = write("1.jsonl", [ADD]), write("2.jsonl", [ADD, {**ADD, "id": "sum"}])
    result = invoke("score", path, "--problems", one)
    refused = invoke("score", path, "--problems", two)
    (record,) = records(result.stdout)

    assert 0 == result.exit_code
    assert ("add", CODE) == (record["problem_id"], record["code"])
    assert 2 == refused.exit_code
    assert "names no problem, and there are 2" in refused.stderr


def test_problems_beside_the_completions(write: Write, invoke: Invoke) -> None:
    """Lines without tests find problems.jsonl beside their file, and the run says so."""
    problems = write("problems.jsonl", [ADD])
    path = write("c.jsonl", [{"id": "add", "completion": CODE}])

    result = invoke("score", path)

    assert 0 == result.exit_code
    assert f"ocaml-reward: problems are read from {problems}" in result.stderr


def test_problems_of_a_training(write: Write, invoke: Invoke, tmp_path: Path) -> None:
    """Logs of rewards find the problems one folder up, and the folder is read as they are; problems
    that the training left out are not named.
    """
    dropped = {"id": "long", "part": "left out", "reason": "prompt length", "detail": "too long"}
    (tmp_path / "reward_logs").mkdir()
    problems = write("problems.jsonl", [{**ADD, "part": "training"}, dropped])
    path = write("reward_logs/completions.jsonl", [{"problem_id": "add", "completion": CODE}])

    scored = invoke("score", path)
    record = write("reward_logs/r_breakdown.jsonl", records(scored.stdout))

    assert 0 == scored.exit_code
    assert f"ocaml-reward: problems are read from {problems}" in scored.stderr
    (tmp_path / "config.json").write_text("{}")
    for file in (record, path, tmp_path):
        assert "assert (add 1 2 = 3)" in invoke("explain", file).stdout


def test_other_tests_for_the_same_problem(write: Write, invoke: Invoke) -> None:
    """Two lines that give one problem different tests cannot both be right."""
    path = write("c.jsonl", [row(), row(), row(tests="assert (add 1 1 = 2)")])

    result = invoke("score", path)

    assert 1 == result.exit_code
    assert f"{path}:3: problem 'add': other tests than on line 1" in result.stderr


def test_tests_without_a_check(write: Write, invoke: Invoke) -> None:
    """Tests that hold no check are no free credit: their completions are bad lines."""
    path = write("c.jsonl", [row(tests="let x = 1"), row(problem_id="b")])

    result = invoke("score", path)

    assert 1 == result.exit_code
    assert ["b"] == [record["problem_id"] for record in records(result.stdout)]
    assert "problem 'add': its tests hold no check" in result.stderr


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input(invoke: Invoke, *, packed: bool) -> None:
    """`-` is standard input, gzipped or not."""
    raw = f"{json.dumps(row())}\n".encode()

    result = invoke("score", "-", stdin=gzip.compress(raw) if packed else raw)

    assert 0 == result.exit_code
    assert 1 == len(records(result.stdout))


def test_chat_and_truncation(write: Write, invoke: Invoke) -> None:
    """Chat messages are the assistant's text, and a cut-off one is punished as a runaway."""
    chat = [{"role": "assistant", "content": f"```ocaml\n{CODE}\n```"}]
    path = write("c.jsonl", [row(chat), row(chat, finish_reason="length")])

    result = invoke("score", path, "--scheme", "concise")

    whole, cut = records(result.stdout)
    assert [] == whole["penalties"]
    assert ["runaway"] == [penalty["code"] for penalty in cut["penalties"]]


def test_a_folder(write: Write, invoke: Invoke, tmp_path: Path) -> None:
    """Records of a folder name their file, and problems.jsonl in it is found."""
    write("problems.jsonl", [ADD])
    write("b.json", [{"name": "add", "completions": [CODE]}])
    write("a.json", [{"name": "add", "completions": [CODE, CODE]}])

    result = invoke("score", tmp_path)

    assert 0 == result.exit_code
    assert [("a.json", 0), ("a.json", 1), ("b.json", 2)] == [
        (record["file"], record["index"]) for record in records(result.stdout)
    ]


def test_a_missing_file(invoke: Invoke, tmp_path: Path) -> None:
    """A file that is not there is one line, before anything is started or created."""
    output = tmp_path / "o.jsonl"

    result = invoke("score", tmp_path / "none.jsonl", "-o", output)

    assert 2 == result.exit_code
    assert f"cannot read {tmp_path}/none.jsonl: No such file" in result.stderr
    assert not output.exists()


def test_numbers_and_names_that_break_json(write: Write, invoke: Invoke) -> None:
    """Whatever stood in a line, its record is one line of strict JSON in UTF-8."""
    odd = '"x": [NaN, 1e999, "\\ud800\\u2028\\u0000"]'
    line = json.dumps(row(problem_id="\u2028/../\x7f"))[:-1] + f", {odd}}}"
    path = write("c.jsonl", [line])

    result = invoke("score", path)

    (record,) = records(result.stdout)
    assert "\u2028/../\x7f" == record["problem_id"]
    assert {"x": [None, None, "\ufffd\u2028\0"]} == record["input"]
    assert 1 == len(result.stdout.splitlines())
