"""Finds the source text of a problem's checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ocaml_reward import Breakdown, Problem
from ocaml_reward.engine import PreparedTests
from ocaml_reward.model import StdioCase


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckSources:
    """The source of each check by its index, and the text of the tests.

    `place` is the unit of a check's line number: a line of the tests, or a case.
    """

    checks: Mapping[int, str] = field(default_factory=dict)
    text: str = ""
    place: str = "line"

    def line(self, number: int) -> str:
        """Return a line of the tests; empty if they are unknown."""
        lines = self.text.split("\n")
        return lines[number - 1] if 1 <= number <= len(lines) else ""


def sources_of_prepared(problem: Problem, prepared: PreparedTests) -> CheckSources:
    """Return the sources of prepared checks."""
    if not isinstance(problem.tests, str):
        return sources_of_cases(problem.tests)
    checks = {check.index: check.source for check in prepared.checks}
    return CheckSources(checks=checks, text=problem.tests)


def sources_of_record(problem: Problem | None, breakdown: Breakdown) -> CheckSources:
    """Return the sources of recorded checks, which are whole lines of the tests."""
    if problem is None:
        return CheckSources()
    if not isinstance(problem.tests, str):
        return sources_of_cases(problem.tests)
    tests = CheckSources(text=problem.tests)
    lines = {each.index: tests.line(each.line) for each in breakdown.tests.results}
    return CheckSources(checks=lines, text=problem.tests)


def sources_of_cases(cases: tuple[StdioCase, ...]) -> CheckSources:
    """Return the input of each case, as a literal."""
    inputs = {
        index: f"input {case.stdin!r}" if case.stdin else "no input"
        for index, case in enumerate(cases, 1)
    }
    return CheckSources(checks=inputs, place="case")
