"""How near a problem's wrong programs come: the chance that a mutant passes a few checks."""

from __future__ import annotations

from ocaml_reward import Problem, Verdict
from ocaml_reward.auditing.trivial import Program
from ocaml_reward.engine import Engine
from problem_sets.certifying import Examiner, Graded
from problem_sets.certifying.survival import MutantSurvival, mutant_survival

FAR = ("positive 9", "positive 2", "not (positive (-1))", "not (positive (-9))")


def positive(*checks: str) -> Problem:
    tests = "".join(f"let () = assert ({each})\n" for each in checks)
    reference = "let positive x = x > 0\n"
    return Problem(id="positive", prompt="positive x", tests=tests, reference=reference)


def graded(*tallies: tuple[int, int]) -> list[Graded]:
    """Make mutants that pass so many checks of so many."""
    return [
        Graded(
            program=Program(kind="mutant", what="", code=str(place)),
            verdict=Verdict.PASSED if passed == total else Verdict.FAILED_TESTS,
            passed=passed,
            total=total,
        )
        for place, (passed, total) in enumerate(tallies)
    ]


def test_a_mutant_passes_the_checks_that_do_not_tell() -> None:
    """Each of two mutants fails one check of six: ten choices of three out of twenty pass it."""
    assert MutantSurvival(mutants=2, surviving=0.5) == mutant_survival(graded((5, 6), (5, 6)))


def test_what_passes_everything_does_not_count() -> None:
    assert MutantSurvival(mutants=1, surviving=0.4) == mutant_survival(graded((4, 5), (5, 5)))


def test_without_mutants_or_checks_there_is_no_figure() -> None:
    """Three checks cannot be drawn from two."""
    assert MutantSurvival(mutants=0, surviving=None) == mutant_survival(graded((1, 2)))


def test_mutants_are_measured(engine: Engine) -> None:
    """`x >= 0` fails one of six checks, `x > 1` another one."""
    found = Examiner(engine).examine(positive(*FAR, "positive 1", "not (positive 0)"))
    shares = {each.program.what: (each.passed, each.total) for each in found.near}

    assert (5, 6) == shares["> made >="] == shares["0 made 1"]
    surviving = mutant_survival(found.near).surviving
    assert surviving is not None
    assert 0 < surviving < 0.5
