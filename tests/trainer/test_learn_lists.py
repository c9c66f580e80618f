"""The learning experiment on functions with branches: what is asked, and what each mistake does."""

from __future__ import annotations

from experiments.learn.list_choices import INPUTS, KINDS, TESTS
from experiments.learn.lists import list_problems
from ocaml_reward import Grader, Verdict
from tests.trainer.learn_lines import Task, each_instead, graded

TASKS: list[Task] = [*list_problems(0, count=40)]


def test_every_solution_earns_everything(grader: Grader) -> None:
    """What each choice is said to do is what its code does."""
    seen = set()
    for task in TASKS:
        seen |= set(enumerate(task.numbers))
        found = graded(grader, task, [line.right for line in task.lines()])
        assert 1.0 == found.reward

    assert len(KINDS) + len(TESTS) + 4 + 3 + 3 + 3 == len(seen)


def test_a_wrong_branch_fails_some_checks_and_not_others(grader: Grader) -> None:
    """Each branch, and the helper, are gone through by some checks and not by others."""
    found = set()
    for line, text, told in each_instead(grader, TASKS[:12], "own"):
        assert told.verdict is Verdict.FAILED_TESTS, text
        assert 0 < told.tests.passed < len(INPUTS)
        found.add(line.right.split("->")[0].split()[0])

    assert {"let", "|", "if", "else"} == found


def test_a_line_of_another_type_is_one_error(grader: Grader) -> None:
    for _, text, told in each_instead(grader, TASKS[:6], "strange"):
        assert (Verdict.TYPE_ERROR, 1) == (told.verdict, told.type_errors), text
