"""The learning experiment on small modules: what is asked, and what each mistake does."""

from __future__ import annotations

from collections import Counter

from experiments.learn.module_choices import KINDS
from experiments.learn.modules import module_problems
from ocaml_reward import Grader, Verdict
from tests.trainer.learn_lines import Task, each_instead, graded

TASKS: list[Task] = [*module_problems(0, count=100)]


def test_every_solution_earns_everything(grader: Grader) -> None:
    """What each choice is said to do is what its code does."""
    seen = set()
    for task in TASKS:
        kind, *others = task.numbers
        seen |= {(kind, *each) for each in enumerate(others)}
        found = graded(grader, task, [line.right for line in task.lines()])
        assert 1.0 == found.reward, task.problem.reference

    assert len(KINDS) * 3 * 4 == len(seen)


def test_a_wrong_value_fails_the_checks_that_take_it(grader: Grader) -> None:
    """Another way to make or to get shows in checks that change nothing, too; another change
    does not.
    """
    for line, text, told in each_instead(grader, TASKS[:30], "own"):
        assert told.verdict is Verdict.FAILED_TESTS, text
        if "next" in line.right:
            assert told.tests.passed >= 2


def test_signature_and_structure_disagree(grader: Grader) -> None:
    """A line of another type is a type error, most often one: in the structure, or between it
    and the signature.
    """
    found: Counter[tuple[Verdict, int]] = Counter()
    for line, text, told in each_instead(grader, TASKS[:6], "strange"):
        # A type that more than one value is made for is more than one mistake.
        if not line.right.startswith("  type"):
            found[told.verdict, told.type_errors or 0] += 1
        assert told.verdict is Verdict.TYPE_ERROR, text

    assert {(Verdict.TYPE_ERROR, 1)} == found.keys()
