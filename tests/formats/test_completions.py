"""Files of completions, in every shape that is read, and everything that can be wrong."""

from __future__ import annotations

import io
import json

from ocaml_reward import Completion, Problem
from ocaml_reward.formats import (
    BadLine,
    CompletionLine,
    read_completions,
)


def read(content: str | bytes) -> list[CompletionLine | BadLine]:
    """Read completions from a stream."""
    raw = content.encode() if isinstance(content, str) else content
    return list(read_completions(io.BytesIO(raw)))


def read_row(row: object) -> list[CompletionLine | BadLine]:
    """Read the completions of one JSON line."""
    return read(json.dumps(row) + "\n")


def test_several_completions_of_a_line() -> None:
    """MultiPL-E's list and an API's choices are one completion each, by position."""
    multi = read_row({"name": "a", "prompt": "p", "tests": "t", "completions": ["x", "y"], "n": 2})
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
