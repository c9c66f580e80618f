"""Runs programs against new checks, in the jail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ocaml_reward.engine import Engine
from ocaml_reward.errors import MachineError, ProblemError
from ocaml_reward.grader import Grader
from ocaml_reward.model import CheckResult, Completion, Outcome, Problem, StdioCase
from ocaml_reward.scheme import load

# Slow calls are not useful, and many are tried.
_LIMITS: Final = (
    "budget.check_cpu_s=0.4",
    "budget.check_steps=2000000",
    "budget.most_steps=2000000",
    "budget.tests_steps=30000000",
    "budget.looping_factor=50",
    "budget.tests_wall_s=120",
)


class Running:
    """Runs code for one problem."""

    def __init__(
        self,
        engine: Engine,
        problem: Problem,
        *,
        reference: str,
        signature: str,
        modules: str = "",
    ) -> None:
        """Store the arguments.

        Args:
            engine: The engine.
            problem: The problem.
            reference: Its reference, as code.
            signature: The reference's signature, which decides the owner of names in calls.
            modules: Additional modules for calls, as OCaml.
        """
        self.problem = problem
        self.reference = reference
        self._signature = signature
        self._modules = modules
        self._hurried = Grader(load("concise", _LIMITS), engine=engine, jobs=1)
        self._usual = Grader(load("concise"), engine=engine, jobs=1)

    def results(self, code: str, tests: str | tuple[StdioCase, ...]) -> tuple[CheckResult, ...]:
        """Run code against tests.

        Args:
            code: The code.
            tests: The tests that replace the problem's.

        Returns:
            The outcome of each check; none if the code does not type with the tests.

        Raises:
            ProblemError: The tests cannot be used.
            MachineError: The machine failed.
        """
        if isinstance(tests, str):
            tests = self._modules + tests
        problem = replace(
            self.problem,
            id="calls",
            tests=tests,
            reference=None,
            signature=self._signature or None,
            prompt="",
        )
        return _graded(self._hurried, problem, code)

    def sound(self, problem: Problem, code: str | None = None) -> int:
        """Return a problem's number of checks if the reference, or other code, passes them all,
        else 0.
        """
        try:
            results = _graded(self._usual, problem, self.reference if code is None else code)
        except ProblemError:
            return 0
        passed = sum(each.outcome is Outcome.PASSED for each in results)
        return passed if passed == len(results) else 0

    def in_process_checks(self, problem: Problem) -> int:
        """Return the number of checks that are decided in the code's own process."""
        return len(self._usual.prepare(problem).in_process)


def _graded(grader: Grader, problem: Problem, code: str) -> tuple[CheckResult, ...]:
    """Return the results of a problem's checks; raise MachineError if this machine failed."""
    found = grader.grade(problem, Completion(text=code))
    if found.fault is not None:
        raise MachineError(found.fault.message)
    results: Sequence[CheckResult] = found.tests.results
    return tuple(results)
