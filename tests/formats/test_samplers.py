"""Completions as samplers write them: transformers, vLLM, lm-eval and OpenAI's batches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ocaml_reward import (
    FormatError,
    InputError,
    Problem,
    StdioCase,
    load_problems,
    problem_from_row,
)
from ocaml_reward.formats import BadLine, CompletionLine, Item, Joining, read_completions

A, B = "let f x = x", "let f x = 0"
CHAT = [{"role": "user", "content": "f?"}, {"role": "assistant", "content": A}]
BATCH = {
    "id": "batch_req_1",
    "custom_id": "p",
    "response": {"status_code": 200, "request_id": "r", "body": {}},
    "error": None,
}
MESSAGE = {"type": "message", "content": [{"type": "output_text", "text": A}]}


def batch(body: dict[str, Any]) -> dict[str, Any]:
    """Return a line of a batch's output file."""
    return BATCH | {"response": {"status_code": 200, "request_id": "r", "body": body}}


def read(row: dict[str, Any], folder: Path) -> list[CompletionLine]:
    path = folder / "samples.jsonl"
    path.write_text(json.dumps(row) + "\n")
    found = list(read_completions(path))
    assert all(isinstance(each, CompletionLine) for each in found), found
    return [each for each in found if isinstance(each, CompletionLine)]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"id": "p", "text": A}, [(A, None)]),
        ({"id": "p", "text": A, "outputs": [B, A]}, [(B, None), (A, None)]),
        ({"id": "p", "generated_text": A}, [(A, None)]),
        ({"id": "p", "generated_text": CHAT}, [(A, None)]),
        ({"id": "p", "predictions": [A, B]}, [(A, None), (B, None)]),
        ({"id": "p", "predictions": A}, [(A, None)]),
        (
            {
                "problem_id": "p", "request_id": "0", "prompt": "f?",
                "outputs": [
                    {"index": 0, "text": A, "token_ids": [1], "finish_reason": "length"},
                    {"index": 1, "text": B, "token_ids": [1], "finish_reason": "stop"},
                ],
            },
            [(A, True), (B, False)],
        ),
        (
            {"doc_id": 7, "doc": {"task_id": "p", "prompt": "f?"}, "target": "",
             "resps": [["raw", "raw"]], "filtered_resps": [[A, B]], "filter": "none"},
            [(A, None), (B, None)],
        ),
        ({"doc_id": 7, "doc": {"id": "p"}, "filtered_resps": [A]}, [(A, None)]),
        ({"doc_id": 7, "doc": {"id": "p"}, "resps": [[A], [B]]}, [(A, None), (B, None)]),
        (
            batch({"choices": [{"message": {"content": A}, "finish_reason": "stop"}]}),
            [(A, False)],
        ),
        (batch({"choices": [{"text": A, "finish_reason": "length"}]}), [(A, True)]),
        (batch({"output": [{"type": "reasoning"}, MESSAGE]}), [(A, False)]),
        (
            batch(
                {
                    "output": [MESSAGE],
                    "incomplete_details": {"reason": "max_output_tokens"},
                }
            ),
            [(A, True)],
        ),
        (
            {"id": "p", "candidates": [
                {"content": {"parts": [{"text": A}]}, "finishReason": "MAX_TOKENS"},
                {"content": {"parts": [{"text": B}]}, "finishReason": "STOP"},
            ]},
            [(A, True), (B, False)],
        ),
        (
            {"id": "p", "finish_reason": "length", "responses": [
                {"choices": [{"message": {"content": A}}, {"text": B, "finish_reason": "stop"}]},
                {"role": "assistant", "content": [{"text": B}], "stop_reason": "end_turn"},
            ]},
            [(A, True), (B, False), (B, False)],
        ),
    ],
)  # fmt: skip
def test_samples(
    tmp_path: Path, row: dict[str, Any], expected: list[tuple[str, bool | None]]
) -> None:
    found = read(row, tmp_path)

    assert expected == [(each.completion.text, each.completion.truncated) for each in found]
    assert {"p"} == {each.problem_id for each in found}


def joined(generations: object, ids: str, folder: Path) -> tuple[list[Item], list[BadLine]]:
    """Return what comes of generations with these problems, in that order."""
    (folder / "generations.json").write_text(json.dumps(generations))
    problems = folder / "problems.jsonl"
    problems.write_text("".join(f'{{"id": "{each}", "tests": "assert true"}}\n' for each in ids))
    bad: list[BadLine] = []
    joining = Joining(
        source=folder / "generations.json",
        problems=load_problems(problems),
        report=bad.append,
        note=lambda _: None,
        check=lambda _: None,
    )
    return list(joining), bad


def test_lists_without_ids_are_of_the_problems_in_their_order(tmp_path: Path) -> None:
    items, bad = joined([[A, B], [B]], "pq", tmp_path)

    assert [] == bad
    assert [("p", A, 0), ("p", B, 1), ("q", B, 0)] == [
        (each.problem.id, each.line.completion.text, each.index) for each in items
    ]


@pytest.mark.parametrize("ids", ["p", "pqr", "pp"])
def test_lists_for_other_problems_are_nobodys(tmp_path: Path, ids: str) -> None:
    items, bad = joined([[A], [B]], ids, tmp_path)

    assert [] == items
    assert "2 lists, one for each problem in the order of --problems" in bad[-1].message


def test_a_sample_of_a_problem_without_an_id_has_its_number(tmp_path: Path) -> None:
    (found,) = read({"doc_id": 7, "doc": {"question": "f?"}, "filtered_resps": [A]}, tmp_path)

    assert "7" == found.problem_id


@pytest.mark.parametrize(
    "tests",
    [
        [{"input": "1", "output": "2"}],
        json.dumps([{"input": "1", "output": "2"}]),
        {"inputs": ["1"], "outputs": ["2"]},
        json.dumps({"inputs": ["1"], "outputs": ["2"]}),
        [StdioCase(stdin="1", stdout="2")],
    ],
)
def test_a_row_is_a_problem(tests: object) -> None:
    """Also one of a data set's own columns, and cases that are read already."""
    found = problem_from_row({"task_id": "p", "prompt": "Add 1.", "tests": tests})

    cases = (StdioCase(stdin="1", stdout="2"),)
    assert Problem(id="p", prompt="Add 1.", tests=cases) == found
    assert found == Problem(id="p", prompt="Add 1.", tests=list(cases))  # type: ignore[arg-type]


def test_a_row_that_is_none_says_why() -> None:
    with pytest.raises(FormatError, match="no problem id"):
        problem_from_row({"tests": "let () = assert (f 1 = 1)"})
    with pytest.raises(InputError, match="problem 'p': no tests"):
        problem_from_row({"id": "p"})


def test_tests_of_another_form_are_refused_at_once() -> None:
    with pytest.raises(TypeError, match="problem_from_row reads other forms"):
        Problem(id="p", tests=[{"input": "1", "output": "2"}])  # type: ignore[arg-type]


def test_problems_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "problems.jsonl"
    path.write_text(json.dumps({"id": "p", "tests": "let () = assert (f 1 = 1)"}))

    assert ["p"] == list(load_problems(path).problems)
