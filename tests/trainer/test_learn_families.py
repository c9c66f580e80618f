"""What the families of the learning experiment have in common whose solutions are lines with
mistakes of their own.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from experiments.learn.lists import list_problems
from experiments.learn.modules import module_problems
from experiments.learn.tasks import END
from ocaml_reward import Grader, Verdict
from tests.trainer.learn_lines import Task, each_instead
from trainer_plugin.data.split import duplicates_in

LISTS: list[Task] = [*list_problems(0, count=50)]
MODULES: list[Task] = [*module_problems(0, count=120)]
families = pytest.mark.parametrize("tasks", [LISTS, MODULES], ids=["lists", "module"])


@families
def test_no_held_out_problem_is_trained_on(tasks: list[Task]) -> None:
    """The two sets share neither a prompt nor tests."""
    problems = [task.problem for task in tasks]

    assert set() == duplicates_in(problems[10:], problems[:10])
    assert len(tasks) == len({task.prompt for task in tasks})


@families
def test_a_slip_leaves_nothing_to_run(grader: Grader, tasks: list[Task]) -> None:
    """A line that is wrong in its form does not parse or not type."""
    for _, text, told in each_instead(grader, tasks[:6], "slips"):
        assert told.verdict in (Verdict.SYNTAX_ERROR, Verdict.TYPE_ERROR), text


@families
def test_the_mistakes_are_planted_by_share(tasks: list[Task]) -> None:
    """Without a chance of mistakes there are none, and those of form are of form alone."""
    rng = Random(0)
    task = tasks[0]
    right = str(task.problem.reference)
    texts = {task.written(rng, share=0.0) for _ in range(100)}
    of_form = replace(task, of_form=True)
    own = {text for line in task.lines() for text in line.own}
    formed = [of_form.written(rng, share=0.9) for _ in range(100)]

    assert f"{right}\n{END}" in texts
    assert all(text.startswith(right) for text in texts)
    assert not any(own & set(text.splitlines()) for text in formed)
    assert any(own & set(task.written(rng, share=0.9).splitlines()) for _ in formed)
