"""The account of a run's problems: which were left out, why, and what keeps them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ocaml_reward import Grader
from ocaml_reward.engine.engines.select import engine
from ocaml_reward.formats import load_problems
from tests.trainer.made_datasets import load, row, saved
from trainer_plugin.data.selection_report import NothingToTrainOn, write_selection_report


def test_a_data_set_of_other_columns_says_so(tmp_path: Path) -> None:
    """Row by row up to ten, with the columns that are there and those that are looked for;
    each has its line in problems.jsonl all the same.
    """
    rows = [{"task": f"Do {number}.", "checks": "assert true"} for number in range(12)]
    with pytest.raises(NothingToTrainOn, match="12 left out") as caught:
        load(saved(tmp_path, rows))
    problems = caught.value.problems
    assert problems is not None
    write_selection_report(problems, tmp_path)
    told = problems.refusals()

    assert 12 == len((tmp_path / "problems.jsonl").read_text().splitlines())
    assert [f"  row-{number}" for number in range(1, 11)] == [
        line.partition(" (")[0] for line in told[2:12]
    ]
    assert [
        "  and 2 more",
        "columns found: task, checks",
        "columns looked for: prompt or problem or question or problem_text or"
        " messages; tests or test or test_list or test_cases; where there are any id or problem_id or task_id or name or"
        " question_id; reference or solution or canonical_solution",
    ] == told[12:]


def test_tests_are_checked_without_references_too(tmp_path: Path) -> None:
    """Tests that nobody can use are left out, whatever becomes of references."""
    rows = [row("one"), row("two", tests="let () = assert (")]
    grader = Grader(engine=engine("auto"), jobs=1)
    problems = load(saved(tmp_path, rows), "dataset.check_references=false", grader=grader)
    (line,) = (each for each in problems.report_lines() if each.startswith("left out"))

    assert ["one"] == [each.id for each in problems.training]
    assert line.startswith("left out: 1 (tests), first two: ")
    assert line.endswith("ocaml-reward validate shows what to mend")
    assert "not checked against a reference: 1" in problems.report_lines()


def test_the_account_names_every_problem(tmp_path: Path) -> None:
    """problems.jsonl has a line for each row of the data set; those used are read as they were."""
    rows = [row("one"), row("two"), row("three"), row("bare", tests="")]
    problems = load(saved(tmp_path, rows), "dataset.validation_size=1")
    write_selection_report(problems, tmp_path / "out")
    text = (tmp_path / "out" / "problems.jsonl").read_text(encoding="utf-8")
    parts = {line["id"]: line["part"] for line in map(json.loads, text.splitlines())}

    assert {"one", "two", "three", "bare"} == parts.keys()
    assert ["left out", "training", "training", "validation"] == sorted(parts.values())
    assert {each.id: each for each in (*problems.training, *problems.validation)} == dict(
        load_problems(tmp_path / "out" / "problems.jsonl").problems
    )
