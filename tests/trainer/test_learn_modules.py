"""
The learning experiment on small modules: what is asked, and what each mistake does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from experiments.learn.held_out import scheme
from experiments.learn.lines import Line
from experiments.learn.module_choices import KINDS
from experiments.learn.modules import ModuleTask, module_problems
from experiments.learn.tasks import END
from ocaml_reward import Breakdown, Completion, Grader, Verdict
from trainer_plugin.data.split import shared

TRAINING, HELD_OUT = module_problems(0, training=100, held_out=20)


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    """
    Grade for real.
    """
    with Grader(scheme(), jobs=1) as made:
        yield made


def graded(grader: Grader, task: ModuleTask, lines: list[str]) -> Breakdown:
    """
    Grade some lines as a solution.
    """
    text = "\n".join([*lines, END])
    return grader.grade(task.problem, Completion(text=text))


def instead(task: ModuleTask, line: Line, text: str) -> list[str]:
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
    assert 120 == len({task.prompt for task in [*TRAINING, *HELD_OUT]})


def test_every_solution_earns_everything(grader: Grader) -> None:
    """
    What each choice is said to do is what its code does.
    """
    seen = set()
    for task in TRAINING:
        kind, *others = task.numbers
        seen |= {(kind, *each) for each in enumerate(others)}
        found = graded(grader, task, [line.right for line in task.lines()])
        assert 1.0 == found.reward, task.problem.reference

    assert len(KINDS) * 3 * 4 == len(seen)


def test_a_wrong_value_fails_the_checks_that_take_it(grader: Grader) -> None:
    """
    Another way to make or to get shows in checks that change nothing, too; another change
    does not.
    """
    for task in TRAINING[:30]:
        for line in task.lines():
            for text in line.own:
                told = graded(grader, task, instead(task, line, text))
                assert told.verdict is Verdict.FAILED_TESTS, text
                if "next" in line.right:
                    assert told.tests.passed >= 2


def test_signature_and_structure_disagree(grader: Grader) -> None:
    """
    A line of another type is a type error, most often one: in the structure, or between it
    and the signature.
    """
    found: Counter[tuple[Verdict, int]] = Counter()
    for task in TRAINING[:6]:
        for line in task.lines():
            for text in line.strange:
                told = graded(grader, task, instead(task, line, text))
                # A type that more than one value is made for is more than one mistake.
                if not line.right.startswith("  type"):
                    found[told.verdict, told.type_errors or 0] += 1
                assert told.verdict is Verdict.TYPE_ERROR, text

    assert {(Verdict.TYPE_ERROR, 1)} == found.keys()


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
    of_form = ModuleTask(numbers=task.numbers, of_form=True)
    own = {text for line in task.lines() for text in line.own}
    formed = [of_form.written(rng, share=0.9) for _ in range(100)]

    assert f"{right}\n{END}" in texts
    assert all(text.startswith(right) for text in texts)
    assert not any(own & set(text.splitlines()) for text in formed)
    assert any(own & set(task.written(rng, share=0.9).splitlines()) for _ in formed)
