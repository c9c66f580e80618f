"""Problems of contests as their sets have them, and chats as sets for training have them."""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from pathlib import Path
from typing import Any

import pytest

from ocaml_reward.engine.outputs import fault_of
from ocaml_reward.formats import problem_fields, read_completions
from ocaml_reward.formats.importing import Imported, import_problems
from ocaml_reward.formats.lines import BadLine
from ocaml_reward.model import Comparison, Problem, StdioCase

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
    """Their values are Python's, and so is what they call."""
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
        "it has its own limit of time, times 5 for bytecode",
    ] == list(found.said)
    assert {"check_cpu_s": 10.0, "check_unmeasured_s": 10.0, "stack_mb": 64} == dict(
        problem.budget
    )


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
CALLS = [{"input": "[3]", "output": "6", "testtype": "functional"}]
XCODE = {
    "src_uid": "x1", "prob_desc_description": "Read n.", "prob_desc_input_spec": "A number.",
    "prob_desc_time_limit": "2 seconds", "prob_desc_memory_limit": "512 megabytes",
    "prob_desc_input_from": "standard input", "prob_desc_output_to": "standard output",
    "hidden_unit_tests": json.dumps([{"input": "3\r\n", "output": ["6", "7\r\n"]}]),
}  # fmt: skip


def test_private_cases_are_read_and_not_unpickled(tmp_path: Path) -> None:
    """They are the tests, and the public ones may be shown; what is no pickled text is lost."""
    row = LIVE | {"public_test_cases": json.dumps(STDIN)}
    problem = problem_of(
        imported(tmp_path, row | {"private_test_cases": pickled(MORE)})
    )
    code = base64.b64encode(zlib.compress(pickle.dumps(print))).decode()
    lost = imported(tmp_path, row | {"private_test_cases": code})

    assert (CASES[1:], CASES[:1]) == (problem.tests, problem.public_tests)
    assert CASES[:1] == problem_of(lost).tests
    assert "its private tests cannot be read" in lost.said


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (LIVE | {"public_test_cases": json.dumps(CALLS)}, "calls a function"),
        (LIVE | {"public_test_cases": json.dumps(STDIN), "private_test_cases": pickled(CALLS)}, "calls a function"),
        (LIVE | {"public_test_cases": CALLS, "metadata": '{"func_name": "twice"}'}, "func_name"),
        ({"id": "a", "tests": [{"func_name": "f", "input": "3", "output": "6"}]}, "func_name"),
        ({"id": "a", "tests": {"func_name": "f", "inputs": ["3"], "outputs": ["6"]}}, "func_name"),
        (XCODE | {"prob_desc_input_from": "input.txt"}, "input.txt"),
        (XCODE | {"hidden_unit_tests": [{"input": "3", "output": []}]}, "has no output"),
        (CONTESTS | {"input_file": "in.txt"}, "files"),
        ({"id": "a", "description": "d", "interaction_format": "i", "examples": STDIN}, "interactive"),
    ],
)  # fmt: skip
def test_what_no_program_can_pass_is_left_out(
    tmp_path: Path, row: dict[str, Any], why: str
) -> None:
    """With the reason."""
    found = imported(tmp_path, row).found

    assert isinstance(found, BadLine)
    assert why in found.message


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


@pytest.mark.parametrize(
    ("row", "compared"),
    [
        (APPS, {}),
        (APPS | {"input_output": {"inputs": ["3"], "outputs": ["6.5"]}}, {"absolute": 1e-8, "relative": 1e-5}),
        (CONTESTS, {"case_sensitive": False}),
        (CONTESTS | {"public_tests": {"input": ["1"], "output": ["0.5 1"]}, "generated_tests": None},
         {"case_sensitive": False, "absolute": 1e-5}),
        (LIVE | {"public_test_cases": [{"input": "3", "output": "6.0"}]}, {"absolute": 0.0}),
        (XCODE | {"hidden_unit_tests": [{"input": "3", "output": ["6", "6.0"]}]}, {"absolute": 1e-12}),
        (APPS | {"comparison": {"space_change_sensitive": True}}, {"space_change_sensitive": True}),
        ({"id": "a", "tests": STDIN}, {}),
    ],
)  # fmt: skip
def test_outputs_are_compared_as_each_set_does_it(
    tmp_path: Path, row: dict[str, Any], compared: dict[str, Any]
) -> None:
    """With a tolerance only where an expected number is not whole, and where the row says nothing."""
    found = imported(tmp_path, row)

    assert (Comparison(**compared) if compared else None) == problem_of(
        found
    ).comparison
    assert any(each.startswith("outputs are compared") for each in found.said)


@pytest.mark.parametrize(
    ("fields", "budget"),
    [
        ({"time_limit": 2.0, "memory_limit": 256.0}, (10, 256)),
        ({"time_limit": "1.5 seconds", "memory_limit": "512.0 megabytes"}, (7.5, 512)),
        ({"time_limit": {"seconds": 1, "nanos": 500_000_000}, "memory_limit_bytes": 256_000_000}, (7.5, 256)),
        ({"time_limit": 1000, "memory_limit": 262144}, (5, 263)),
        ({"time_limit_ms": 20_000, "memory_limit_mb": 64}, (100, 128)),
        ({"time_limit": "250 ms", "memory_limit": "1 GiB"}, (1.25, 1000)),
        ({"time_limit": "unlimited", "memory_limit": None}, (None, None)),
        ({"time_limit": 10**400, "memory_limit": True}, (None, None)),
        ({"time_limit": -1, "memory_limit": "-5 mb"}, (None, None)),
        ({"time_limit": {"seconds": "x"}, "memory_limit": float("nan")}, (None, None)),
    ],
)  # fmt: skip
def test_limits_of_a_row_are_its_budget(
    tmp_path: Path, fields: dict[str, Any], budget: tuple[float | None, int | None]
) -> None:
    """In whatever unit; what nobody can have meant is none."""
    found = dict(problem_of(imported(tmp_path, APPS | fields)).budget)

    assert budget == (found.get("check_unmeasured_s"), found.get("memory_mb"))
    assert found.get("check_cpu_s") == found.get("check_unmeasured_s")
