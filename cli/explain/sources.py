"""Finds the source text of a problem's checks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ocaml_reward import Breakdown, Problem
from ocaml_reward.engine import PreparedTests
from ocaml_reward.model import StdioCase
from ocaml_reward.reading.lexing import Source

ASSERTION: Final = re.compile(r"(?<![\w'])assert\s*\(")
BRACKET: Final = re.compile(r"[()]")


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckSources:
    """The source of each check by its index, and the text of the tests.

    `place` is the unit of a check's line number: a line of the tests, or a case.
    """

    checks: Mapping[int, str] = field(default_factory=dict)
    text: str = ""
    place: str = "line"

    @property
    def are_cases(self) -> bool:
        """Return whether the checks are inputs of a program."""
        return self.place == "case"

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
    """Return the sources of recorded checks, of which a record has the line and the order."""
    if problem is None:
        return CheckSources()
    if not isinstance(problem.tests, str):
        return sources_of_cases(problem.tests)
    tests = CheckSources(text=problem.tests)
    on_line: dict[int, list[int]] = defaultdict(list)
    for each in breakdown.tests.results:
        on_line[each.line].append(each.index)
    checks: dict[int, str] = {}
    for number, indices in on_line.items():
        whole = [tests.line(number)] * len(indices)
        found = assertions(tests.line(number)) if len(indices) > 1 else whole
        checks |= zip(indices, found if len(found) == len(indices) else whole, strict=True)
    return CheckSources(checks=checks, text=problem.tests)


def assertions(line: str) -> list[str]:
    """Return the assertions of a line, each with the brackets that belong to it.

    None of one that goes on on the next line, or is no bracket.
    """
    blank = Source(line).without_literals
    found = []
    for start in ASSERTION.finditer(blank):
        depth = 0
        for bracket in BRACKET.finditer(blank, start.end() - 1):
            depth += 1 if bracket[0] == "(" else -1
            if depth == 0:
                found.append(line[start.start() : bracket.end()])
                break
    return found


def sources_of_cases(cases: tuple[StdioCase, ...]) -> CheckSources:
    """Return the input of each case, as a literal."""
    inputs = {
        index: f"input {case.stdin!r}" if case.stdin else "no input"
        for index, case in enumerate(cases, 1)
    }
    return CheckSources(checks=inputs, place="case")
