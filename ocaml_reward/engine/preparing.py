"""
The one preparation of a problem's tests, the same in every engine: rewrite, then try.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..errors import ProblemError
from ..extraction import extract
from ..model import Check, CheckReport, Problem, Stage
from . import CheckRequest, Outside, PreparedTests
from .outside import Told, answered
from .prepare import answer, request, stdio_checks
from .reports import first_error

__all__ = ["prepared"]


def prepared(
    problem: Problem,
    rewrite: Callable[[bytes], list[bytes]],
    attempt: Callable[[CheckRequest, bool], tuple[CheckReport, tuple[Check, ...]]],
    tell: Callable[[Outside, str], Told | None],
) -> PreparedTests:
    """
    Return a problem's tests as numbered checks, compiled against its reference if it
    has one.

    `rewrite` asks the helper; `attempt` compiles a request and, where its second argument
    says so, runs it to see which cases the suite builds; `tell` works the answers out
    beside the types of some code.

    Raises ProblemError, naming the line, for tests that cannot be used.
    """
    if not isinstance(problem.tests, str):
        return stdio_checks(problem)
    tests, dynamic = answer(problem, rewrite(request(problem)))
    if problem.reference is None:
        if dynamic:
            raise ProblemError(
                f"{problem.id}: the tests build their cases in code, so counting"
                " them needs a reference solution"
            )
        return answered(tests, None, tell)
    # A reference comes as completions do: fenced, or as the prompt's continuation.
    code = extract(problem.reference, uses=tests.uses, prompt=problem.prompt).code
    if code.strip() != problem.reference.strip():
        problem = replace(problem, reference=code)
        tests, dynamic = answer(problem, rewrite(request(problem)))
    report, checks = attempt(_request(problem, tests, code), dynamic)
    if report.stage is Stage.INTERFACE_ERROR:
        # Maybe they mean the reference's own `max`, say, and not the library's.
        owned, its_own = answer(problem, rewrite(request(problem, owned=True)))
        again, found = attempt(_request(problem, owned, code), its_own)
        if again.stage is not Stage.INTERFACE_ERROR:
            tests, dynamic, report, checks = owned, its_own, again, found
    # A reference that is itself broken says nothing about the tests.
    if report.stage is Stage.INTERFACE_ERROR or (
        dynamic and report.stage is not Stage.EXECUTABLE
    ):
        raise ProblemError(
            f"{problem.id}: the tests do not compile against the reference:"
            f" {first_error(report)}"
        )
    if not dynamic:
        sound = code if report.stage is Stage.EXECUTABLE else None
        return answered(tests, sound, tell)
    # The suite is built by code: only running it tells how many cases it has.
    if not checks:
        raise ProblemError(f"{problem.id}: tests without a test case")
    return replace(tests, checks=checks)


def _request(problem: Problem, tests: PreparedTests, code: str) -> CheckRequest:
    return CheckRequest(code=code, tests=tests, libraries=problem.libraries)
