"""Files of completions, in every shape that is read, and everything that can be wrong."""

from __future__ import annotations

import io
import json

import pytest

from ocaml_reward import Completion, Problem
from ocaml_reward.formats import (
    BadLine,
    CompletionLine,
    read_completions,
)

CHAT = [
    {"role": "user", "content": "Write f"},
    {"role": "assistant", "content": "draft"},
    {"role": "user", "content": "again"},
    {"role": "assistant", "content": [{"type": "text", "text": "let f"}, " = 1"]},
    {"role": "assistant", "content": "(* END *)"},
]


def read(content: str | bytes) -> list[CompletionLine | BadLine]:
    """Read completions from a stream."""
    raw = content.encode() if isinstance(content, str) else content
    return list(read_completions(io.BytesIO(raw)))


def read_row(row: object) -> list[CompletionLine | BadLine]:
    """Read the completions of one JSON line."""
    return read(json.dumps(row) + "\n")


def messages(items: list[CompletionLine | BadLine]) -> list[str]:
    """Return the bad lines as a user sees them."""
    return [str(item) for item in items if isinstance(item, BadLine)]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"problem_id": "a", "completion": "x"}, Completion(text="x")),
        ({"task_id": "a", "solution": "x"}, Completion(text="x")),
        ({"id": "a", "raw_completion": "x"}, Completion(text="x")),
        ({"id": "a", "problem": "b", "generation": "x"}, Completion(text="x")),
        ({"problem": "a", "response": "x"}, Completion(text="x")),
        ({"example_id": "a", "completion": ""}, Completion(text="")),
        (
            {"id": "a", "output": "x", "finish_reason": "length"},
            Completion(text="x", truncated=True),
        ),
        (
            {"id": "a", "code": "x", "stop_reason": "end_turn"},
            Completion(text="x", truncated=False),
        ),
        (
            {"id": "a", "code": "x", "finish_reason": "stop", "stop_reason": 128009},
            Completion(text="x", truncated=False),
        ),
        (
            {"id": "a", "completion": "x", "is_truncated": 1},
            Completion(text="x", truncated=True),
        ),
        (
            {"id": "a", "completion": "x", "finish_reason": "content_filter"},
            Completion(text="x"),
        ),
        ({"id": "a", "completion": CHAT}, Completion(text="let f = 1\n(* END *)")),
        (
            {"id": "a", "completion": [{"role": "assistant", "content": None}]},
            Completion(text=""),
        ),
        (
            {"id": "a", "completion": {"role": "assistant", "content": "x"}},
            Completion(text="x"),
        ),
        (
            {
                "id": "batch_1",
                "custom_id": "a",
                "error": None,
                "response": {
                    "status_code": 200,
                    "body": {
                        "choices": [
                            {"message": {"content": "x"}, "finish_reason": "length"}
                        ]
                    },
                },
            },
            Completion(text="x", truncated=True),
        ),
        ({"id": "a", "choices": [{"text": "x"}]}, Completion(text="x")),
    ],
)
def test_shapes(row: dict[str, object], expected: Completion) -> None:
    """Every shape that samplers write reads as the same kind of value."""
    (line,) = read_row(row)

    assert isinstance(line, CompletionLine), line
    assert "a" == line.problem_id
    assert expected == line.completion


def test_several_completions_of_a_line() -> None:
    """MultiPL-E's list and an API's choices are one completion each, by position."""
    multi = read_row(
        {"name": "a", "prompt": "p", "tests": "t", "completions": ["x", "y"], "n": 2}
    )
    choices = read_row(
        {
            "problem_id": "a",
            "choices": [
                {"message": {"role": "assistant", "content": "x"}},
                {"message": {"role": "assistant", "content": "y"}},
            ],
        }
    )

    expected = CompletionLine(
        file="-",
        line=1,
        position=1,
        problem_id="a",
        completion=Completion(text="y"),
        problem=Problem(id="a", prompt="p", tests="t"),
        prompt="p",
        extra={"n": 2},
    )
    assert expected == multi[1]
    assert [(0, "x"), (1, "y")] == [
        (line.position, line.completion.text)
        for line in choices
        if isinstance(line, CompletionLine)
    ]


def test_extra_fields_are_carried() -> None:
    """Fields that nothing reads are kept, and fields of the problem are not among them."""
    (line,) = read_row(
        {"id": "a", "completion": "x", "tests": "t", "model": "m", "usage": {"n": 1}}
    )

    assert isinstance(line, CompletionLine)
    assert {"model": "m", "usage": {"n": 1}} == line.extra


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"id": "a"}, "no completion (one of completion, raw_completion, "),
        ({"completion": "x"}, "no problem id (one of problem_id, task_id, "),
        ({"id": None, "completion": "x"}, "no problem id"),
        ({"id": "a", "completion": 3}, "completion: expected text or a list of chat"),
        ({"id": "a", "completion": ["x"]}, "completion: expected text or a list of"),
        (
            {"id": "a", "completion": [{"role": "user", "content": "x"}]},
            "completion: no message is the assistant's",
        ),
        ({"id": "a", "completions": []}, "completions: the list is empty"),
        (
            {"id": "a", "completion": "x", "truncated": "yes"},
            "truncated: expected true",
        ),
        (
            {"custom_id": "a", "response": None, "error": {"code": "x"}},
            "the API answered with an error: {'code': 'x'}",
        ),
        (
            {"custom_id": "a", "response": {"status_code": 500, "body": {}}},
            "the API answered with status 500",
        ),
        ({"id": "a", "choices": []}, "choices: the list is empty"),
        (
            {"id": "a", "completion": "x", "tests": [{"input": ""}]},
            "problem 'a': tests: case 1 has no output",
        ),
        ("x", "expected a JSON object, found text"),
    ],
)
def test_bad_lines(row: object, expected: str) -> None:
    """A line without a usable completion is data that names what it lacks."""
    (message,) = messages(read_row(row))

    assert message.startswith(f"-:1: {expected}")


@pytest.mark.parametrize("id_", ["HumanEval/0", "-x", "../x", "x" * 300, "a\0b", "é"])
def test_any_text_is_an_id(id_: str) -> None:
    """An id is a name, never a path or an option."""
    (item,) = read_row({"id": id_, "completion": "x"})

    assert isinstance(item, CompletionLine)
    assert id_ == item.problem_id


@pytest.mark.parametrize(("id_", "expected"), [(7, "7"), (7.0, "7")])
def test_numbers_are_ids(id_: object, expected: str) -> None:
    """A number as an id is its digits."""
    (item,) = read_row({"id": id_, "completion": "x"})

    assert isinstance(item, CompletionLine)
    assert expected == item.problem_id
