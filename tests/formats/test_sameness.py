"""Which problems are one: every reader that meets two asks the same question."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ocaml_reward.auditing import Validator
from ocaml_reward.formats import load_problems, read_problems
from ocaml_reward.formats.sameness import content
from ocaml_reward.model import Problem
from ocaml_reward.testing import FakeEngine
from trainer_plugin.config.value import DatasetConfig
from trainer_plugin.data.rows import read_entries

FIRST = {"id": "a", "prompt": "Add x and y.", "tests": "assert (f 1 = 1)"}
# What another row of the same id says otherwise, and whether it is the same problem.
ROWS: list[tuple[dict[str, Any], bool]] = [
    ({}, True),
    ({"prompt": " Add  x and\ny."}, True),
    ({"reference": "let f x = x"}, True),
    ({"prompt": "ADD x and y."}, False),
    ({"tests": "assert (f 1  = 1)"}, False),
    ({"signature": "val f : int -> int"}, False),
    ({"given": "type t = A"}, False),
    ({"libraries": "str"}, False),
    ({"forbidden": "List.rev"}, False),
    ({"required": "Fifo"}, False),
]


@pytest.mark.parametrize(("change", "same"), ROWS, ids=[str(row[0]) for row in ROWS])
def test_every_reader_gives_one_answer(
    tmp_path: Path, change: dict[str, Any], *, same: bool
) -> None:
    """Files for grading, validation and data sets for training agree on it."""
    path = tmp_path / "p.jsonl"
    path.write_text(f"{json.dumps(FIRST)}\n{json.dumps(FIRST | change)}\n", "utf-8")
    loaded = load_problems(path)
    found = list(Validator(FakeEngine()).validate(read_problems(path)))
    again = read_entries(str(path), DatasetConfig(), split="train")[1].message

    assert same is not bool(loaded.unusable)
    assert same is found[1].duplicate
    assert same is not again.endswith(", with other content")


def test_names_do_not_tell_problems_apart() -> None:
    """The order of libraries does not either, nor that of names."""
    one = Problem(id="a", tests="t", libraries=("str", "unix"), forbidden=("ref", ":="))
    other = replace(one, id="b", libraries=("unix", "str"), forbidden=(":=", "ref"))

    assert content(one) == content(other)
