"""
Files of completions, in every shape that is read, and everything that can be wrong.
"""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

from ocaml_reward import Completion, FormatError, Problem
from ocaml_reward.formats import (
    BadLine,
    CompletionLine,
    count_lines,
    lines,
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
    """
    Read completions from a stream.
    """
    raw = content.encode() if isinstance(content, str) else content
    return list(read_completions(io.BytesIO(raw)))


def read_row(row: object) -> list[CompletionLine | BadLine]:
    """
    Read the completions of one JSON line.
    """
    return read(json.dumps(row) + "\n")


def messages(items: list[CompletionLine | BadLine]) -> list[str]:
    """
    Return the bad lines as a user sees them.
    """
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
    """
    Every shape that samplers write reads as the same kind of value.
    """
    (line,) = read_row(row)

    assert isinstance(line, CompletionLine), line
    assert "a" == line.problem_id
    assert expected == line.completion


def test_several_completions_of_a_line() -> None:
    """
    MultiPL-E's list and an API's choices are one completion each, by position.
    """
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
    """
    Fields that nothing reads are kept, and fields of the problem are not among them.
    """
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
        ({"id": "a", "choices": []}, "choices: expected a list of answers"),
        (
            {"id": "a", "completion": "x", "tests": [{"input": ""}]},
            "problem 'a': tests: case 1 has no output",
        ),
        ("x", "expected a JSON object, found text"),
    ],
)
def test_bad_lines(row: object, expected: str) -> None:
    """
    A line without a usable completion is data that names what it lacks.
    """
    (message,) = messages(read_row(row))

    assert message.startswith(f"-:1: {expected}")


def test_a_bad_line_costs_no_other() -> None:
    """
    Broken JSON, a blank line, CRLF and a byte-order mark leave the other lines alone.
    """
    items = read(
        b'\xef\xbb\xbf{"id": "a", "completion": "x"}\r\n\r\n'
        b'{"id": "a", "completion": \r\n'
        b'{"id": "a", "completion": "y"}'
    )

    assert [(1, "x"), (4, "y")] == [
        (item.line, item.completion.text)
        for item in items
        if isinstance(item, CompletionLine)
    ]
    assert ["-:3: not JSON: Expecting value at column 27"] == messages(items)


def test_text_that_cannot_be_written_again_is_repaired() -> None:
    """
    Bytes that are not UTF-8 and unpaired surrogates become U+FFFD; a NUL stays.
    """
    items = read(
        b'{"id": "a", "completion": "\xff"}\n'
        b'{"id": "a", "completion": "\\ud800", "x": {"\\udfff": NaN}}\n'
        b'{"id": "a", "completion": "\\u0000"}\n'
    )

    assert [
        ("\ufffd", True, {}),
        ("\ufffd", False, {"x": {"\ufffd": None}}),
        ("\0", False, {}),
    ] == [
        (item.completion.text, item.repaired, item.extra)
        for item in items
        if isinstance(item, CompletionLine)
    ]


@pytest.mark.parametrize("id_", ["HumanEval/0", "-x", "../x", "x" * 300, "a\0b", "é"])
def test_any_text_is_an_id(id_: str) -> None:
    """
    An id is a name, never a path or an option.
    """
    (item,) = read_row({"id": id_, "completion": "x"})

    assert isinstance(item, CompletionLine)
    assert id_ == item.problem_id


@pytest.mark.parametrize(("id_", "expected"), [(7, "7"), (7.0, "7")])
def test_numbers_are_ids(id_: object, expected: str) -> None:
    """
    A number as an id is its digits.
    """
    (item,) = read_row({"id": id_, "completion": "x"})

    assert isinstance(item, CompletionLine)
    assert expected == item.problem_id


def test_no_line_is_held_beyond_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A line over the limit is reported without being held; the next one is read.
    """
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 1024**2)
    long = '{"id": "a", "completion": "' + "x" * 3 * 1024**2 + '"}\n'

    items = read(long + '{"id": "a", "completion": "y"}\n')

    assert ["-:1: longer than 1 MiB"] == messages(items)
    assert isinstance(items[1], CompletionLine)
    assert 2 == items[1].line


def test_reading_is_lazy() -> None:
    """
    Only the lines asked for are parsed, so a file of any size is read in one pass.
    """
    items = read_completions(io.BytesIO(b'{"id": "a", "completion": "x"}\n' * 2 + b"{"))

    assert isinstance(next(items), CompletionLine)


def test_gzip_by_content(tmp_path: Path) -> None:
    """
    Gzip is told by its bytes, on a stream too; a file that breaks off loses only its end.
    """
    row = b'{"id": "a", "completion": "x"}\n'
    whole = gzip.compress(row * 3)
    path = tmp_path / "c.jsonl"
    path.write_bytes(whole)

    assert 3 == len(read(whole))
    assert 3 == count_lines(path)
    assert [
        "-:1: unreadable: Compressed file ended before the end-of-stream marker was reached"
    ] == messages(read(whole[:20]))


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_empty_files(content: bytes) -> None:
    """
    A file without lines holds nothing, which is no error here.
    """
    assert [] == read(content)


def test_utf16_is_named() -> None:
    """
    A file in UTF-16 is told apart from a file of garbage.
    """
    assert ["-: UTF-16 text; save it as UTF-8"] == messages(read("x".encode("utf-16")))


def test_folder_of_multipl_e(tmp_path: Path) -> None:
    """
    A folder is its `.json` files by name, without the verdicts beside them.
    """
    for name in ("b.json", "a.json", "a.results.json"):
        row = {"name": name, "tests": "t", "completions": ["x"]}
        (tmp_path / name).write_text(json.dumps(row, indent=1))

    items = list(read_completions(tmp_path))

    assert ["a.json", "b.json"] == [
        item.problem_id for item in items if isinstance(item, CompletionLine)
    ]


def test_json_lines_under_a_json_name(tmp_path: Path) -> None:
    """
    JSON Lines in a file called `.json` are read as what they are.
    """
    path = tmp_path / "c.json"
    path.write_text('{"id": 1, "completion": "x"}\n{"id": 2, "completion": "y"}\n{')

    items = list(read_completions(path))

    assert [1, 2, 3] == [item.line for item in items]
    assert 1 == len(messages(items))


def test_unreadable_paths(tmp_path: Path) -> None:
    """
    A path that cannot be opened is one line that names it.
    """
    with pytest.raises(FormatError, match=r"cannot read .*none: No such file"):
        list(read_completions(tmp_path / "none"))
    with pytest.raises(FormatError, match=r"no \.json file in this folder"):
        list(read_completions(tmp_path))
