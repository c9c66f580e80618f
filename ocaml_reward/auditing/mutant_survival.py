"""Probability that a mutated reference passes a random subset of the checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from statistics import fmean

from ..engine import Engine
from ..engine.prepare.preparation import reference_code
from ..errors import MachineError
from ..grader import Grader
from ..model import Breakdown, Completion, Problem, Verdict
from ..scheme import load
from .trivial import mutants
from .weakness import LIMITS, MUTANTS

FEW = 3
"""Number of checks in the subset."""

_RAN = {
    *(Verdict.FAILED_TESTS, Verdict.RUNTIME_ERROR, Verdict.TIMED_OUT, Verdict.CRASHED),
    *(Verdict.OUT_OF_MEMORY, Verdict.OUTPUT_LIMIT),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class MutantSurvival:
    """Results of a reference's mutants.

    Attributes:
        mutants: Number of mutants that run and fail some check.
        surviving: The mean over them of the probability that `FEW` random checks all pass. At 0,
            any few checks detect every mutant. None without a mutant, or with fewer checks than
            `FEW`.
    """

    mutants: int
    surviving: float | None


def mutant_survival(engine: Engine, problem: Problem, *, jobs: int = 1) -> MutantSurvival:
    """Measure how often mutants of a problem's reference pass a few of its checks.

    A mutant that passes all of them may be correct and does not count.
    (exercism/ocaml exercises/practice/leap)

    Args:
        engine: The engine, which the caller closes.
        problem: A problem with a reference that passes.
        jobs: Number of concurrent runs.

    Returns:
        The measurement, which is deterministic.

    Raises:
        ProblemError: The tests cannot be used.
        MachineError: The machine failed.
    """
    grader = Grader(load("concise", LIMITS), engine=engine, jobs=jobs)
    prepared = grader.prepare(problem)
    code = reference_code(problem, prepared)
    changed = [Completion(text=each.code) for each in mutants(code, MUTANTS)]
    graded = grader.grade_many((problem, each) for each in changed)
    chances = list(_chances(graded))
    return MutantSurvival(
        mutants=len(chances), surviving=round(fmean(chances), 3) if chances else None
    )


def _chances(graded: Iterator[Breakdown]) -> Iterator[float]:
    """Yield the probability for each mutant that runs and fails."""
    for each in graded:
        if each.fault is not None:
            raise MachineError(each.fault.message)
        if each.verdict in _RAN and each.tests.total >= FEW:
            yield comb(each.tests.passed, FEW) / comb(each.tests.total, FEW)
