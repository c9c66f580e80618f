"""Whether an engine grades as it has to, found out by grading: a right program, an ill-typed one
and a wrong one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..model import CheckReport, Outcome, Problem, Stage
from . import CheckRequest, PreparedTests

KNOWN: Final = Problem(
    id="known",
    tests="let () = assert (half 8 = 4)\nlet () = assert (half (-6) = -3)",
)
"""The problem that the known programs are for."""

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
        tests: Those of KNOWN, prepared.
        check: Grades one.
        like: What has the libraries and the budget to ask for, the usual ones without.

    Returns:
        None if each came out right, else the first that did not, in words.

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
