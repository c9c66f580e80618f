"""Forty problems with weak tests, a wrong answer that passes them, and two right ones in other styles
(`test_corpus/weak_sets.jsonl`, written without sight of what makes the checks): right answers differ
from the reference in what a prompt leaves open, and no check that is added may fail one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ocaml_reward import Completion, Grader, Problem, StdioCase
from ocaml_reward.engine import Engine
from problem_sets.certifying import strengthen

FILE = Path(__file__).parents[2] / "test_corpus" / "weak_sets.jsonl"


def problem_of(row: dict[str, Any]) -> Problem:
    tests = row["tests"]
    if not isinstance(tests, str):
        tests = tuple(StdioCase(stdin=each["input"], stdout=each["output"]) for each in tests)
    return Problem(
        id=row["id"],
        prompt=row["prompt"],
        tests=tests,
        signature=row.get("signature"),
        reference=row["reference"],
    )


def test_wrong_answers_are_caught_and_right_ones_are_not(engine: Engine) -> None:
    """Of the forty wrong answers eight may still pass; of the eighty right ones none fails."""
    grader = Grader("concise", engine=engine, jobs=1)
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    still, lost = [], []
    for row in rows:
        weak = problem_of(row)
        mended = strengthen(engine, weak).problem

        def passes(problem: Problem, code: str) -> bool:
            return grader.grade(problem, Completion(text=code)).verdict == "passed"

        assert passes(weak, row["wrong"]), row["id"]
        still += [row["id"]] * passes(mended, row["wrong"])
        lost += [row["id"] for code in row["right"] if not passes(mended, code)]

    assert 40 == len(rows)
    assert [] == lost
    assert len(still) <= 8, still
