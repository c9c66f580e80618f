"""Batches of unusual shapes: whatever a model writes or a dataset holds, the run goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.trainer.faked import GOOD, TESTS, batch, reward
from trainer_plugin.reading import breakdowns, completions


def test_an_empty_batch() -> None:
    """A rank that got nothing gives nothing."""
    assert [] == reward()([], [], tests=[])


def test_text_that_is_no_unicode_is_logged(tmp_path: Path) -> None:
    """Half a surrogate pair, a NUL and odd line ends come back from the log as they were."""
    text = "let add x y = x + y (* \ud800 \x00 \x85 \u2028 *)"
    found = batch(reward(log_dir=tmp_path), text)
    (row,) = completions(tmp_path)

    assert [0.95] == found
    assert text == row["completion"]
    assert 1 == len(list(breakdowns(tmp_path)))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ([{"role": "assistant", "content": GOOD}], 1.0),
        ([{"role": "assistant", "content": [{"type": "text", "text": GOOD}]}], 1.0),
        ([{"role": "assistant", "content": None}], 0.0),
        ([{"role": "tool", "content": GOOD}], None),
        ([], None),
        ([{"from": "gpt", "value": GOOD}], 1.0),
        ([{"from": "human", "value": GOOD}], None),
        ([{"speaker": "gpt", "words": GOOD}], None),
    ],
    ids=["text", "parts", "nothing", "a tool", "no message", "ShareGPT", "a human", "neither"],
)
def test_messages(answer: Any, expected: float | None) -> None:
    """What the assistant said is scored; where nobody can say what it said, nothing is."""
    assert [expected] == reward()(["Add."], [answer], id=["add"], tests=[TESTS])


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        (["assert (add 1 2 = 3)", "assert (add 0 0 = 0)"], 1.0),
        ({"inputs": ["1 2"], "outputs": ["3"]}, 1.0),
        (None, None),
        ("", None),
        (7, None),
    ],
    ids=["list", "stdio", "none", "empty", "number"],
)
def test_tests_of_a_row(tests: Any, expected: float | None) -> None:
    """Tests come in all shapes of a file of problems; others cost their own row only."""
    assert [expected, 1.0] == batch(reward(), GOOD, GOOD, tests=[tests, TESTS], id=["add", "other"])


def test_options_are_no_libraries() -> None:
    """A dataset cannot pass options to the compiler."""
    assert [None] == batch(reward(), GOOD, libraries=["-ppx evil"])


def test_rules_of_a_row() -> None:
    """Lists, or a cell of text; a column may be empty, and what cannot be read costs its row."""
    columns = {
        "forbidden": [["for"], "while :=", "", ["let x"]],
        "required": [[], "", '{"module": "Add"}', []],
    }

    assert [1.0, 1.0, 1.0, None] == batch(reward(), *[GOOD] * 4, **columns)


def test_problems_without_ids_are_told_apart(tmp_path: Path) -> None:
    made = reward(log_dir=tmp_path)
    made(["Add."] * 3, [GOOD] * 3, tests=[TESTS, TESTS, f"{TESTS} "])
    names = [row["problem_id"] for row in completions(tmp_path)]

    assert names[0] == names[1] != names[2]
