"""
The learning experiment on functions with branches: what is asked, and what each mistake does.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from experiments.learn.held_out import scheme
from experiments.learn.lines import Line
from experiments.learn.list_choices import INPUTS, KINDS, TESTS
from experiments.learn.lists import ListTask, list_problems
from experiments.learn.tasks import END
from ocaml_reward import Breakdown, Completion, Grader, Verdict
from trainer_plugin.data.split import shared

TRAINING, HELD_OUT = list_problems(0, training=40, held_out=10)


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    """
    Grade for real.
    """
    with Grader(scheme(), jobs=1) as made:
        yield made


def graded(grader: Grader, task: ListTask, lines: list[str]) -> Breakdown:
    """
    Grade some lines as a solution.
    """
    text = "\n".join([*lines, END])
    return grader.grade(task.problem, Completion(text=text))


def instead(task: ListTask, line: Line, text: str) -> list[str]:
    """
    Write a solution with one line in which something else stands.
    """
    return [text if each == line else each.right for each in task.lines()]


def test_no_held_out_problem_is_trained_on() -> None:
    """
    The two sets share neither a prompt nor tests.
    """
    training = [task.problem for task in TRAINING]
    held_out = [task.problem for task in HELD_OUT]

    assert set() == shared(training, held_out)
    assert 50 == len({task.prompt for task in [*TRAINING, *HELD_OUT]})


def test_every_solution_earns_everything(grader: Grader) -> None:
    """
    What each choice is said to do is what its code does.
    """
    seen = set()
    for task in TRAINING:
        seen |= set(enumerate(task.numbers))
        found = graded(grader, task, [line.right for line in task.lines()])
        assert 1.0 == found.reward

    assert len(KINDS) + len(TESTS) + 4 + 3 + 3 + 3 == len(seen)


def test_a_wrong_branch_fails_some_checks_and_not_others(grader: Grader) -> None:
    """
    Each branch, and the helper, are gone through by some checks and not by others.
    """
    found = set()
    for task in TRAINING[:12]:
        for line in task.lines():
            for text in line.own:
                told = graded(grader, task, instead(task, line, text))
                assert told.verdict is Verdict.FAILED_TESTS
                assert 0 < told.tests.passed < len(INPUTS)
                found.add(line.right.split("->")[0].split()[0])

    assert {"let", "|", "if", "else"} == found


def test_a_line_of_another_type_is_one_error(grader: Grader) -> None:
    """
    What is strange in one line is one mistake to the compiler.
    """
    for task in TRAINING[:6]:
        for line in task.lines():
            for text in line.strange:
                told = graded(grader, task, instead(task, line, text))
                assert (Verdict.TYPE_ERROR, 1) == (told.verdict, told.type_errors), text


def test_a_slip_leaves_nothing_to_run(grader: Grader) -> None:
    """
    A line that is wrong in its form does not parse or not type.
    """
    for task in TRAINING[:6]:
        for line in task.lines():
            for text in line.slips:
                told = graded(grader, task, instead(task, line, text))
                assert told.verdict in (Verdict.SYNTAX_ERROR, Verdict.TYPE_ERROR), text


def test_the_mistakes_are_planted_by_share() -> None:
    """
    Without a chance of mistakes there are none, and those of form are of form alone.
    """
    rng = Random(0)
    task = TRAINING[0]
    right = str(task.problem.reference)
    texts = {task.written(rng, share=0.0) for _ in range(100)}
    of_form = ListTask(numbers=task.numbers, of_form=True)
    own = {text for line in task.lines() for text in line.own}
    formed = [of_form.written(rng, share=0.9) for _ in range(100)]

    assert f"{right}\n{END}" in texts
    assert all(text.startswith(right) for text in texts)
    assert not any(own & set(text.splitlines()) for text in formed)
    assert any(own & set(task.written(rng, share=0.9).splitlines()) for _ in formed)
