"""The source of a problem's checks, where its tests are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ocaml_reward import Breakdown, Problem
from ocaml_reward.engine import PreparedTests
from ocaml_reward.model import StdioCase


@dataclass(frozen=True, kw_only=True, slots=True)
class Sources:
    """What each check says, by its index, and the text of the tests.

    `place` is what a check's line counts: lines of the tests, or cases of a program.
    """

    checks: Mapping[int, str] = field(default_factory=dict)
    text: str = ""
    place: str = "line"

    def line(self, number: int) -> str:
        """Return a line of the tests, "" where they are not known."""
        lines = self.text.split("\n")
        return lines[number - 1] if 1 <= number <= len(lines) else ""


def of_prepared(problem: Problem, prepared: PreparedTests) -> Sources:
    """Return the sources of the checks that an engine made of the tests."""
    if not isinstance(problem.tests, str):
        return of_cases(problem.tests)
    checks = {check.index: check.source for check in prepared.checks}
    return Sources(checks=checks, text=problem.tests)


def of_record(problem: Problem | None, breakdown: Breakdown) -> Sources:
    """Return the line of the tests that each check of a record stands on."""
    if problem is None:
        return Sources()
    if not isinstance(problem.tests, str):
        return of_cases(problem.tests)
    tests = Sources(text=problem.tests)
    lines = {each.index: tests.line(each.line) for each in breakdown.tests.results}
    return Sources(checks=lines, text=problem.tests)


def of_cases(cases: tuple[StdioCase, ...]) -> Sources:
    """Return what a program reads in each case, as a literal that shows its line ends."""
    inputs = {
        index: f"input {case.stdin!r}" if case.stdin else "no input"
        for index, case in enumerate(cases, 1)
    }
    return Sources(checks=inputs, place="case")
