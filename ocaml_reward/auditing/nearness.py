"""How easily what is nearly right is taken for right: the chance that a wrong version of the
reference passes a few of a problem's checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from statistics import fmean

from ..engine import Engine
from ..engine.preparation import reference_code
from ..errors import MachineError
from ..grader import Grader
from ..model import Breakdown, Completion, Problem, Verdict
from ..scheme import load
from .trivial import mutants
from .weakness import LIMITS, MUTANTS

FEW = 3
"""How many checks are few."""

_RAN = {
    *(Verdict.FAILED_TESTS, Verdict.RUNTIME_ERROR, Verdict.TIMED_OUT, Verdict.CRASHED),
    *(Verdict.OUT_OF_MEMORY, Verdict.OUTPUT_LIMIT),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Nearness:
    """What became of a reference's mutants.

    Attributes:
        mutants: How many run and fail some check.
        surviving: The mean over them of the chance that `FEW` checks, drawn at random, all
            pass: from 0, where any few tell right from nearly right, to below 1.  None
            without a mutant, or with fewer checks than that.
    """

    mutants: int
    surviving: float | None


def nearness(engine: Engine, problem: Problem, *, jobs: int = 1) -> Nearness:
    """Measure how often mutants of a problem's reference pass a few of its checks.

    A mutant that passes all of them may well be right, and does not count.

    Args:
        engine: What runs them; it stays the caller's to close.
        problem: A problem with a reference that passes.
        jobs: How many run at a time.

    Returns:
        The figure, the same each time.

    Raises:
        ProblemError: The tests cannot be used.
        MachineError: Ours is to blame.
    """
    grader = Grader(load("concise", LIMITS), engine=engine, jobs=jobs)
    prepared = grader.prepare(problem)
    code = reference_code(problem, prepared)
    changed = [Completion(text=each.code) for each in mutants(code, MUTANTS)]
    graded = grader.grade_many((problem, each) for each in changed)
    chances = list(_chances(graded))
    return Nearness(
        mutants=len(chances), surviving=round(fmean(chances), 3) if chances else None
    )


def _chances(graded: Iterator[Breakdown]) -> Iterator[float]:
    """Yield the chance of each mutant that runs and fails."""
    for each in graded:
        if each.fault is not None:
            raise MachineError(each.fault.message)
        if each.verdict in _RAN and each.tests.total >= FEW:
            yield comb(each.tests.passed, FEW) / comb(each.tests.total, FEW)
