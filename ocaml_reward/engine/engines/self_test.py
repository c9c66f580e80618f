"""Tests an engine by grading three known programs: a right, an ill-typed and a wrong one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...model import CheckReport, Outcome, Problem, Stage
from .. import CheckRequest, PreparedTests

KNOWN: Final = Problem(
    id="known",
    tests="let () = assert (half 8 = 4)\nlet () = assert (half (-6) = -3)",
)
"""The problem of the known programs."""

_PASSED, _FAILED = Outcome.PASSED, Outcome.FAILED
_PROGRAMS: Final = {
    "let half x = x / 2": (Stage.EXECUTABLE, 0, [_PASSED, _PASSED]),
    "let half x = x ^ 2": (Stage.TYPE_ERROR, 1, []),
    "let half x = if x > 0 then x / 2 else 0": (
        Stage.EXECUTABLE,
        0,
        [_PASSED, _FAILED],
    ),
}


def failure(
    tests: PreparedTests,
    check: Callable[[CheckRequest], CheckReport],
    like: CheckRequest | None = None,
) -> str | None:
    """Grade the known programs.

    Args:
        tests: The prepared tests of KNOWN.
        check: Grades a request.
        like: A request whose libraries and budget are used; None for the defaults.

    Returns:
        A description of the first wrong result; None if all are right.

    Raises:
        MachineError: The machine failed.
    """
    for code, expected in _PROGRAMS.items():
        request = CheckRequest(code=code, tests=tests)
        if like is not None:
            request = CheckRequest(
                code=code, tests=tests, libraries=like.libraries, budget=like.budget
            )
        report = check(request)
        found = (
            report.stage,
            report.type_errors,
            [each.outcome for each in report.results],
        )
        if found != expected:
            return f"a known program ({code}) came out as {report.stage.value}"
    return None
