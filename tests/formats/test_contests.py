"""Problems of contests as their sets have them, and chats as sets for training have them."""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from pathlib import Path

from ocaml_reward.engine.judge.outputs import fault_of
from ocaml_reward.formats import problem_fields, read_completions
from ocaml_reward.formats.importing import Imported, import_problems
from ocaml_reward.formats.lines import BadLine
from ocaml_reward.model import Problem, StdioCase

CASES = (StdioCase(stdin="3\n", stdout="6\n"), StdioCase(stdin="4\n", stdout="8\n"))
APPS = {
    "problem_id": 7,
    "question": "Read n and print 2n.",
    "solutions": '["print(2 * int(input()))"]',
    "input_output": '{"inputs": ["3\\n", "4\\n"], "outputs": ["6\\n", "8\\n"]}',
    "difficulty": "interview",
}
CONTESTS = {
    "name": "1_A. Twice",
    "description": "Read n and print 2n.",
    "public_tests": {"input": ["3\n"], "output": ["6\n"]},
    "private_tests": {"input": [], "output": []},
    "generated_tests": {"input": ["4\n"], "output": ["8\n"]},
    "solutions": {"language": [3], "solution": ["print(2 * int(input()))"]},
    "time_limit": {"seconds": 2, "nanos": 0},
}
CHAT = [
    {"role": "system", "content": "You write OCaml."},
    {"role": "user", "content": "Write half."},
    {"role": "assistant", "content": "let half x = x / 2"},
]


def imported(folder: Path, row: object) -> Imported:
    """Import a row."""
    path = folder / "rows.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    (found,) = import_problems(path)
    return found


def problem_of(found: Imported) -> Problem:
    """Return the problem that a row became."""
    assert not isinstance(found.found, BadLine), found.found.message
    return found.found.problem


def test_apps_and_taco(tmp_path: Path) -> None:
    """Both keep cases as the JSON text of two lists, and solutions in Python."""
    found = imported(tmp_path, APPS)
    problem = problem_of(found)

    assert ("7", APPS["question"], CASES) == (problem.id, problem.prompt, problem.tests)
    assert problem.reference is None
    assert "its solutions are in Python, and lost" == found.said[0]


def test_cases_that_call_a_function_are_refused(tmp_path: Path) -> None:
    cases = {"fn_name": "f", "inputs": [[3]], "outputs": [6]}
    found = imported(tmp_path, APPS | {"input_output": json.dumps(cases)}).found

    assert isinstance(found, BadLine)
    assert "fn_name" in found.message


def test_code_contests(tmp_path: Path) -> None:
    """Public cases may be shown, and are the tests where there are no others; what is lost is
    said.
    """
    found = imported(tmp_path, CONTESTS)
    problem = problem_of(found)
    alone = problem_of(imported(tmp_path, CONTESTS | {"generated_tests": None}))

    assert ("1_A. Twice", CONTESTS["description"]) == (problem.id, problem.prompt)
    assert (CASES[1:], CASES[:1]) == (problem.tests, problem.public_tests)
    assert (CASES[:1], ()) == (alone.tests, alone.public_tests)
    assert [
        "its solutions are lost",
        "its outputs are compared, where several may be right",
        "outputs are compared as CodeContests does it: word by word, without capitals",
        "it has its own limit of time, as 100 million steps a second",
    ] == list(found.said)
    assert {"check_cpu_s": 20.0, "check_steps": 200_000_000, "stack_mb": 64} == dict(problem.budget)


def test_a_chat_is_a_prompt_and_a_completion(tmp_path: Path) -> None:
    """What was asked last is the prompt, what the assistant said last the completion."""
    row = {"id": "half", "messages": CHAT, "tests": "assert (half 8 = 4)"}
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    (line,) = read_completions(path)

    assert "Write half." == problem_of(imported(tmp_path, row)).prompt
    assert not isinstance(line, BadLine)
    assert line.problem is not None
    assert "let half x = x / 2" == line.completion.text
    assert "Write half." == line.problem.prompt


def pickled(cases: object) -> str:
    """Write cases as LiveCodeBench does its private ones."""
    packed = zlib.compress(pickle.dumps(json.dumps(cases)))
    return base64.b64encode(packed).decode()


LIVE = {"question_id": "q", "question_content": "Read n and print 2n."}
STDIN = [{"input": "3\n", "output": "6\n", "testtype": "stdin"}]
MORE = [{"input": "4", "output": "8", "testtype": "stdin"}]
XCODE = {
    "src_uid": "x1", "prob_desc_description": "Read n.", "prob_desc_input_spec": "A number.",
    "prob_desc_time_limit": "2 seconds", "prob_desc_memory_limit": "512 megabytes",
    "prob_desc_input_from": "standard input", "prob_desc_output_to": "standard output",
    "hidden_unit_tests": json.dumps([{"input": "3\r\n", "output": ["6", "7\r\n"]}]),
}  # fmt: skip


def test_private_cases_are_read_and_not_unpickled(tmp_path: Path) -> None:
    """They are the tests, and the public ones may be shown; what is no pickled text is lost."""
    row = LIVE | {"public_test_cases": json.dumps(STDIN)}
    problem = problem_of(imported(tmp_path, row | {"private_test_cases": pickled(MORE)}))
    code = base64.b64encode(zlib.compress(pickle.dumps(print))).decode()
    lost = imported(tmp_path, row | {"private_test_cases": code})

    assert (CASES[1:], CASES[:1]) == (problem.tests, problem.public_tests)
    assert CASES[:1] == problem_of(lost).tests
    assert "its private tests cannot be read" in lost.said


def test_xcodeeval_takes_any_of_several_outputs(tmp_path: Path) -> None:
    """Its lists are no lines; the alternatives are written, and read again."""
    found = imported(tmp_path, XCODE)
    problem = problem_of(found)
    again = problem_of(imported(tmp_path, problem_fields(problem)))

    assert (StdioCase(stdin="3\n", stdout="6", alternatives=("7",)),) == problem.tests
    assert ("x1", "Read n.\n\nInput\nA number.") == (problem.id, problem.prompt)
    assert 512 == dict(problem.budget)["memory_mb"]
    assert problem == again
    assert [None, None] == [fault_of(text, problem.tests[0], None) for text in "67"]
    assert "line 1: expected '6', got '8'" == fault_of("8", problem.tests[0], None)
