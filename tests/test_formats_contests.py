"""
Problems of contests as their sets have them, and chats as sets for training have them.
"""

from __future__ import annotations

import json
from pathlib import Path

from ocaml_reward.formats import read_completions
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
    """
    Import a row.
    """
    path = folder / "rows.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    (found,) = import_problems(path)
    return found


def problem_of(found: Imported) -> Problem:
    """
    Return the problem that a row became.
    """
    assert not isinstance(found.found, BadLine), found.found.message
    return found.found.problem


def test_apps_and_taco(tmp_path: Path) -> None:
    """
    Both keep cases as the JSON text of two lists, and solutions in Python.
    """
    found = imported(tmp_path, APPS)
    problem = problem_of(found)

    assert ("7", APPS["question"], CASES) == (problem.id, problem.prompt, problem.tests)
    assert problem.reference is None
    assert ("its solutions are in Python, and lost",) == found.said


def test_cases_that_call_a_function_are_refused(tmp_path: Path) -> None:
    """
    Their values are Python's, and so is what they call.
    """
    cases = {"fn_name": "f", "inputs": [[3]], "outputs": [6]}
    found = imported(tmp_path, APPS | {"input_output": json.dumps(cases)}).found

    assert isinstance(found, BadLine)
    assert "fn_name" in found.message


def test_code_contests(tmp_path: Path) -> None:
    """
    Public cases may be shown, and are the tests where there are no others; what is lost is
    said.
    """
    found = imported(tmp_path, CONTESTS)
    problem = problem_of(found)
    alone = problem_of(imported(tmp_path, CONTESTS | {"generated_tests": None}))

    assert ("1_A. Twice", CONTESTS["description"]) == (problem.id, problem.prompt)
    assert (CASES[1:], CASES[:1]) == (problem.tests, problem.public_tests)
    assert (CASES[:1], ()) == (alone.tests, alone.public_tests)
    assert 3 == len(found.said)


def test_a_chat_is_a_prompt_and_a_completion(tmp_path: Path) -> None:
    """
    What was asked last is the prompt, what the assistant said last the completion.
    """
    row = {"id": "half", "messages": CHAT, "tests": "assert (half 8 = 4)"}
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    (line,) = read_completions(path)

    assert "Write half." == problem_of(imported(tmp_path, row)).prompt
    assert not isinstance(line, BadLine)
    assert line.problem is not None
    assert "let half x = x / 2" == line.completion.text
    assert "Write half." == line.problem.prompt
