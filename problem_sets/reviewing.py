"""Problems put to the test: `validate` and `audit`, as their commands have it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from ocaml_reward.auditing import Validator
from ocaml_reward.engine import Engine
from ocaml_reward.formats import ProblemLine
from ocaml_reward.model import Problem

from .certifying.examining import Examiner
from .certifying.survival import MutantSurvival, mutant_survival
from .making import Review

_THRESHOLD = 0.6
# With fewer checks there is no more than a verdict.
_LEAST_CHECKS = 4


class Inspector:
    """Reviews problems with an engine, several at a time."""

    def __init__(self, engine: Engine, jobs: int) -> None:
        """Take an engine, which is the caller's to close."""
        self._engine = engine
        self._examiner = Examiner(engine)
        self._jobs = jobs

    def __call__(self, problems: Sequence[Problem]) -> list[Review]:
        """Review problems, in order."""
        with ThreadPoolExecutor(self._jobs) as threads:
            return list(threads.map(self.review, problems))

    def review(self, problem: Problem) -> Review:
        """Return what is wrong with one problem.  Raises MachineError where ours is to blame."""
        if _checks(problem) < _LEAST_CHECKS:
            return Review(defect="few different results")
        row = ProblemLine(file="", line=1, problem=problem)
        (found,) = Validator(self._engine).validate([row])
        # That blanks do not count is as it should be: our families print no pictures.
        remarks = [each for each in found.complaints if each.kind != "blanks"]
        if remarks:
            first = remarks[0]
            return Review(defect=f"{first.kind}: {first.message}")
        examined = self._examiner.examine(problem)
        if examined.skipped:
            return Review(defect=f"skipped: {examined.skipped}")
        weak = [each for each in examined.empty if each.share > _THRESHOLD]
        if weak:
            worst = max(weak, key=lambda each: each.share)
            return Review(defect=f"weak: {worst.program.what}")
        differing = [each for each in examined.near if each.passes]
        if differing:
            calls = tuple(call for each in differing for call in each.tells)
            return Review(defect="a mutant passes", calls_not_tested=calls)
        return Review()

    def mutant_survival(self, problem: Problem) -> MutantSurvival:
        """Measure how near its mutants come.  Raises MachineError where ours is to blame."""
        return mutant_survival(self._examiner.examine(problem, empty=False))


def _checks(problem: Problem) -> int:
    """Return the number of a problem's checks."""
    tests = problem.tests
    return tests.count("assert (") if isinstance(tests, str) else len(tests)
