"""
Problems as the rows that these readers read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from ..model import Problem

__all__ = ["problem_fields", "problem_lines"]


def problem_fields(problem: Problem) -> dict[str, object]:
    """
    Return a problem as a JSON object; what it does not have is left out.
    """
    tests = problem.tests
    row: dict[str, object] = {
        "id": problem.id,
        "prompt": problem.prompt,
        "tests": tests
        if isinstance(tests, str)
        else [{"input": case.stdin, "output": case.stdout} for case in tests],
    }
    if problem.reference is not None:
        row["reference"] = problem.reference
    if problem.signature is not None:
        row["signature"] = problem.signature
    if problem.libraries:
        row["libraries"] = list(problem.libraries)
    if problem.budget:
        row["budget"] = dict(problem.budget)
    return row


def problem_lines(problems: Iterable[Problem]) -> str:
    """
    Return problems as JSON Lines.
    """
    return "".join(f"{json.dumps(problem_fields(each))}\n" for each in problems)
