"""The learning experiment on generated problems: what is asked, and the mistakes in it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from experiments.learn.generated import GENERATED, Exercise, exercises
from experiments.learn.tasks import END
from ocaml_reward import Completion, Grader, Verdict
from problem_sets import all_families
from problem_sets.measuring import measure
from trainer_plugin.data.split import duplicates_in


@pytest.fixture(scope="module")
def sets() -> tuple[list[Exercise], list[Exercise]]:
    """Make a few exercises of the easy family."""
    return exercises(GENERATED["easy"].family, 0, training=12, held_out=4)


def test_what_is_held_out_is_of_other_choices(
    sets: tuple[list[Exercise], list[Exercise]],
) -> None:
    """Neither a prompt nor tests are in both, and prompts say the rule and no examples."""
    training, held_out = sets

    assert (12, 4) == (len(training), len(held_out))
    assert set() == duplicates_in(
        [each.problem for each in training], [each.problem for each in held_out]
    )
    assert not any("example" in each.prompt for each in training)
    assert all(each.prompt.startswith("(* Keep the elements") for each in training)


def test_the_levels_are_measured(
    sets: tuple[list[Exercise], list[Exercise]],
) -> None:
    """The easy family's solutions count as easier than those of the other."""
    other, _ = exercises(GENERATED["medium"].family, 0, training=4, held_out=1)
    easy, medium = (
        [measure(each.problem.reference or "").points for each in part] for part in (sets[0], other)
    )

    assert {each.family for each in GENERATED.values()} <= set(all_families())
    assert max(easy) < min(medium)


def test_the_mistakes_meet_every_stage(
    sets: tuple[list[Exercise], list[Exercise]], grader: Grader
) -> None:
    """Without a chance of mistakes every text is right; with one there are errors of syntax, of
    types, and wrong results.
    """
    rng = Random(1)
    found: Counter[Verdict] = Counter()
    for each in sets[0]:
        right = each.written(rng, share=0.0)
        assert right == f"{each.problem.reference}\n{END}"
        assert 1.0 == grader.grade(each.problem, Completion(text=right)).reward
        for _ in range(4):
            text = each.written(rng, share=0.7)
            found[grader.grade(each.problem, Completion(text=text)).verdict] += 1

    assert {
        *(Verdict.SYNTAX_ERROR, Verdict.TYPE_ERROR, Verdict.FAILED_TESTS),
        Verdict.PASSED,
    } <= found.keys()
