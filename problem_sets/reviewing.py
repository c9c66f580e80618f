"""Problems put to the test: `validate` and `audit`, as their commands have it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from ocaml_reward.auditing import Validator
from ocaml_reward.engine import Engine
from ocaml_reward.engine.prepare.preparation import reference_code
from ocaml_reward.errors import ProblemError
from ocaml_reward.formats import ProblemLine
from ocaml_reward.model import Problem

from .certifying.answers import empty_answers
from .certifying.examining import Examiner
from .certifying.survival import MutantSurvival, mutant_survival
from .making import Review
from .untested_calls import graded_mutants, untested_calls

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
        examiner = self._examiner
        try:
            prepared = examiner.prepare(problem)
        except ProblemError as error:
            return Review(defect=f"skipped: {error}")
        code = reference_code(problem, prepared)
        tests = problem.tests if isinstance(problem.tests, str) else ""
        tried = [
            each
            for each in empty_answers(problem, code, prepared.uses, tests)
            if each.kind != "cheat"
        ]
        weak = [
            each for each in examiner.grade_all(problem, prepared, tried) if each.share > _THRESHOLD
        ]
        if weak:
            worst = max(weak, key=lambda each: each.passed)
            return Review(defect=f"weak: {worst.program.what}")
        passing = [e for e in graded_mutants(examiner, problem, prepared) if e.passes]
        calls = [
            call for each in passing for call in untested_calls(examiner, problem, prepared, each)
        ]
        if calls:
            return Review(defect="a mutant passes", calls_not_tested=tuple(calls))
        return Review()

    def mutant_survival(self, problem: Problem) -> MutantSurvival:
        """Measure how near its mutants come.  Raises MachineError where ours is to blame."""
        prepared = self._examiner.prepare(problem)
        return mutant_survival(graded_mutants(self._examiner, problem, prepared))


def _checks(problem: Problem) -> int:
    """Return the number of a problem's checks."""
    tests = problem.tests
    return tests.count("assert (") if isinstance(tests, str) else len(tests)
