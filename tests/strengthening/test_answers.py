"""Answers as small models write them, of `test_corpus/humaneval_like.jsonl`: what is added to a
problem fails no right one.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ocaml_reward import Completion, Grader, Problem, Verdict
from ocaml_reward.engine import Engine
from ocaml_reward.formats import CompletionLine, load_problems, read_completions
from problem_sets.certifying import strengthen

FILE = Path(__file__).parents[2] / "test_corpus" / "humaneval_like.jsonl"
PROBLEMS = load_problems(FILE).problems
DOES_NOT_COMPILE = "does not compile"


def answers(problem: Problem) -> list[tuple[str, str | None]]:
    """List the answers to a problem, each with its mistake."""
    lines = [
        line
        for line in read_completions(FILE)
        if isinstance(line, CompletionLine) and line.problem_id == problem.id
    ]
    mistakes = lines[0].extra["mistakes"]
    assert isinstance(mistakes, list)
    return [(line.completion.text, mistakes[line.position]) for line in lines]


def test_every_answer_says_what_is_wrong_with_it() -> None:
    """There are 44 problems of eight answers, and a mistake or null for each of these."""
    lines = [each for each in read_completions(FILE) if isinstance(each, CompletionLine)]
    said = [each for problem in PROBLEMS.values() for _, each in answers(problem)]

    assert (44, 352) == (len(PROBLEMS), len(lines))
    assert 151 == said.count(None)
    assert all(each is None or isinstance(each, str) for each in said)


# Brackets that do not match, zeros in front, a list that is too short, days that there are
# not, moves without any: each was a check once, which a right answer failed.
@pytest.mark.parametrize(
    "name", ["deepest", "add_binary", "trimmed_mean", "order_days", "altitude"]
)
def test_no_right_answer_is_failed(engine: Engine, name: str) -> None:
    """Told of every wrong answer, checks are added that right ones pass."""
    (problem,) = (each for each in PROBLEMS.values() if each.id.endswith(f"_{name}"))
    given = answers(problem)
    wrong = [text for text, mistake in given if mistake not in {None, DOES_NOT_COMPILE}]
    found = strengthen(engine, problem, wrong=wrong)
    grader = Grader("concise", engine=engine, jobs=1)
    verdicts = [
        grader.grade(found.problem, Completion(text=text)).verdict
        for text, mistake in given
        if mistake is None
    ]

    assert found.wrong_after <= found.wrong_before > 0
    assert {Verdict.PASSED} == set(verdicts)
