"""What a variant of the reward forgets of what the library knows."""

from __future__ import annotations

import pytest

from experiments.learn.variants import furthest_phase, without_holes
from ocaml_reward import Completion, Grader, Ground, Problem, Verdict


@pytest.mark.parametrize(
    ("wrong", "known"),
    [
        ("let f x = x + true", {Ground.ERROR, Ground.HOLDS_ERROR, Ground.UNTESTED}),
        (
            "let f x = if x > 1 then true else x + 1",
            {Ground.ERROR, Ground.HOLDS_ERROR, Ground.UNTESTED},
        ),
        ("let f x = x + 2", {Ground.FAILING, Ground.PASSING}),
    ],
)
def test_without_holes_code_that_does_not_type_is_known_by_its_errors(
    wrong: str, known: set[Ground]
) -> None:
    """What checks tell of the definition beside the error is forgotten; where all types it stays."""
    problem = Problem(id="p", tests="assert (f 1 = 2);; assert (g 1 = 1);;")
    with Grader("seed", regions=True) as grader:
        found = grader.grade(problem, Completion(text=f"{wrong}\nlet g x = x\n"))

    assert Ground.PASSING in {region.ground for region in found.regions or ()}
    assert known == {region.ground for region in without_holes(found).regions or ()}


def test_a_furthest_phase_never_falls_behind_one_that_came_less_far() -> None:
    """Every verdict is one of five; what could not be scored has none."""
    phases = {verdict: furthest_phase(verdict) for verdict in Verdict}
    order = ("no_code", "syntax_error", "type_error", "link_error", "failed_tests", "passed")

    assert {0.0, 0.25, 0.5, 0.75, 1.0, None} == {*phases.values()}
    assert [0.0, 0.0, 0.25, 0.5, 0.75, 1.0] == [phases[Verdict(each)] for each in order]
    assert phases[Verdict.UNGRADED] is None
