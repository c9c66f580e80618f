"""Tests candidates: which hold for every right program, and which programs each one detects."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final

from ocaml_reward.model import CheckResult, Outcome, Problem

from .reference_results import Candidate
from .running import Running

OTHERWISE: Final = "a right program answers otherwise"
"""Reason for doubt if a right program fails a candidate."""


class Tried(ABC):
    """A problem whose candidates can be tried on programs, at most `batch` at a time."""

    __slots__ = ()

    batch: ClassVar[int]
    running: Running

    def agreed(self, candidates: Sequence[Candidate], right: Sequence[str]) -> list[Candidate]:
        """Drop candidates that the reference fails, and mark those that a right program fails."""
        checks = [each.check for each in candidates if each.check]
        passed = self._passed(self.running.reference, checks)
        refused = set[str]().union(*(set(checks) - self._passed(code, checks) for code in right))
        return [
            replace(each, doubt=OTHERWISE) if each.check in refused else each
            for each in candidates
            if not each.check or each.check in passed
        ]

    def catches(
        self, candidates: Sequence[Candidate], programs: Sequence[str]
    ) -> dict[str, frozenset[int]]:
        """Return the programs that each candidate detects, by index."""
        checks = [each.check for each in candidates if each.check]
        found: dict[str, set[int]] = {check: set() for check in checks}
        for place, code in enumerate(programs):
            for check, outcome in self._outcomes(code, checks).items():
                if outcome not in (Outcome.PASSED, Outcome.NOT_RUN):
                    found[check].add(place)
        return {check: frozenset(places) for check, places in found.items()}

    def _passed(self, code: str, checks: Sequence[str]) -> set[str]:
        outcomes = self._outcomes(code, checks)
        return {check for check, out in outcomes.items() if out is Outcome.PASSED}

    def _outcomes(self, code: str, checks: Sequence[str]) -> dict[str, Outcome]:
        """Return the outcomes of checks with this code, as far as there are any."""
        found: dict[str, Outcome] = {}
        for start in range(0, len(checks), self.batch):
            batch = checks[start : start + self.batch]
            # There are no results for code that does not run.
            for check, result in zip(batch, self._results(code, batch), strict=False):
                found[check] = result.outcome
        return found

    def failing(self, stronger: Problem, right: Sequence[str]) -> list[str]:
        """Return the right programs that do not pass a problem to which checks were added."""
        return [code for code in right if not self.running.sound(stronger, code)]

    def beside(self, stronger: Problem) -> int:
        """Return how many added checks are decided in the code's own process."""
        count = self.running.in_process_checks
        return count(stronger) - count(self.running.problem)

    @abstractmethod
    def added(self, checks: Sequence[str]) -> tuple[Problem, int]:
        """Return the problem with more checks, and its number of checks.

        If they cannot be put there, or the reference does not pass them all, return the unchanged
        problem and 0.
        """

    @abstractmethod
    def _results(self, code: str, checks: Sequence[str]) -> Sequence[CheckResult]:
        """Run some code with these checks alone."""
