"""Probability that a mutated reference passes a random subset of the checks; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from statistics import fmean
from typing import Final

from .examining import Graded

FEW: Final = 3
"""Number of checks in the subset."""


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


def mutant_survival(mutants: Sequence[Graded]) -> MutantSurvival:
    """Return how often mutants of a problem's reference pass a few of its checks.

    A mutant that passes all of them may be correct and does not count.
    (exercism/ocaml exercises/practice/leap)
    """
    chances = [
        comb(each.passed, FEW) / comb(each.total, FEW)
        for each in mutants
        if each.runs and not each.passes and each.total >= FEW
    ]
    return MutantSurvival(
        mutants=len(chances), surviving=round(fmean(chances), 3) if chances else None
    )
