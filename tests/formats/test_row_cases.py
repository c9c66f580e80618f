"""What cases/*_rows.jsonl say of rows: how each is read as a problem, a completion or a foreign problem.

A line with `about` begins a group.  Each other line has a `row` and what is expected of it: `read`, the
fields that it has, `refused`, the words that say why it cannot be used, `comparison`, or `limits`,
the seconds for a check and the megabytes.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from ocaml_reward.formats import BadLine, read_completions, read_problems
from ocaml_reward.formats.importing import import_problems
from ocaml_reward.model import Comparison

FOLDER = Path(__file__).parents[1] / "cases"


def cases(name: str) -> list[Any]:
    lines = (FOLDER / f"{name}_rows.jsonl").read_text(encoding="utf-8").split("\n")
    return [
        pytest.param(json.loads(line), id=f"line {number}")
        for number, line in enumerate(lines, start=1)
        if line.startswith("  ")
    ]


def one_file(folder: Path, row: object) -> Path:
    path = folder / "rows.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


def said(value: Any) -> Any:
    """Return the fields of a value, without those that are empty or as they are by default."""
    if is_dataclass(value) and not isinstance(value, type):
        told = {each.name: (getattr(value, each.name), each.default) for each in fields(value)}
        return said({name: said(one) for name, (one, default) in told.items() if one != default})
    if isinstance(value, dict):
        return {k: said(v) for k, v in value.items() if v not in (None, "", (), [], {})}
    if isinstance(value, tuple | list):
        return [said(each) for each in value]
    return value


@pytest.mark.parametrize("case", cases("problem"))
def test_problem(case: dict[str, Any], tmp_path: Path) -> None:
    (line,) = read_problems(one_file(tmp_path, case["row"]))
    if isinstance(line, BadLine):
        assert case["refused"] == line.message
        return

    assert case["read"] == said(line.problem)


@pytest.mark.parametrize("case", cases("completion"))
def test_completion(case: dict[str, Any], tmp_path: Path) -> None:
    (line,) = read_completions(one_file(tmp_path, case["row"]))
    if isinstance(line, BadLine):
        assert line.message.startswith(case["refused"])
        return

    assert case["read"] == {
        "problem_id": line.problem_id,
        "completion": said(line.completion),
    }


@pytest.mark.parametrize("case", cases("imported"))
def test_imported(case: dict[str, Any], tmp_path: Path) -> None:
    (line,) = import_problems(one_file(tmp_path, case["row"]))
    if isinstance(line.found, BadLine):
        assert case["refused"] in line.found.message
        return
    problem = line.found.problem
    if "comparison" in case:
        expected = Comparison(**case["comparison"]) if case["comparison"] else None
        assert expected == problem.comparison
    else:
        budget = dict(problem.budget)
        assert case["limits"] == [budget.get("check_steps"), budget.get("memory_mb")]
    assert any(each.startswith("outputs are compared") for each in line.said)
