"""How near a problem's wrong programs come: the chance that a mutant passes a few checks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ocaml_reward import Problem
from ocaml_reward.auditing import MutantSurvival, mutant_survival
from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines.select import engine


@pytest.fixture(scope="module")
def running() -> Iterator[Engine]:
    """One engine for this file."""
    made = engine()
    yield made
    made.close()


def positive(*checks: str) -> Problem:
    """Make a problem whose reference has two mutants: `x >= 0` and `x > 1`."""
    tests = "".join(f"let () = assert ({each})\n" for each in checks)
    return Problem(
        id="positive",
        prompt="positive x",
        tests=tests,
        reference="let positive x = x > 0\n",
    )


FAR = ("positive 9", "positive 2", "not (positive (-1))", "not (positive (-9))")


def test_a_mutant_passes_the_checks_that_do_not_tell(running: Engine) -> None:
    """Each of two mutants fails one check of six: ten choices of three out of twenty pass it."""
    given = positive(*FAR, "positive 1", "not (positive 0)")

    assert MutantSurvival(mutants=2, surviving=0.5) == mutant_survival(running, given)


def test_what_passes_everything_does_not_count(running: Engine) -> None:
    """A mutant that no check tells from the reference may be right."""
    given = positive(*FAR, "not (positive 0)")

    assert MutantSurvival(mutants=1, surviving=0.4) == mutant_survival(running, given)


def test_without_mutants_or_checks_there_is_no_figure(running: Engine) -> None:
    """Three checks cannot be drawn from two."""
    given = positive("positive 1", "not (positive 0)")

    assert MutantSurvival(mutants=0, surviving=None) == mutant_survival(running, given)
