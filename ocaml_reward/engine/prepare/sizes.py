"""Limits on the size of a problem.  Pure.

Each limit is far above the size of real problems and below the capacity of an engine, so that a
problem that is too large gets a clear error instead of a machine fault.
"""

from __future__ import annotations

from typing import Final

from ...errors import ProblemError
from ...model import Budget, Problem
from ...reading.extraction import MOST_CHARACTERS

MOST_CHECKS: Final = 5_000
"""Checks of a problem: compiling this many takes most of a completion's time.

ocaml/tests/checks/assertions.ml has the same limit.
"""
MOST_RULES: Final = 50_000
"""Characters of all that a problem forbids, and of what it requires."""
MOST_CASE_CHARACTERS: Final = 16_000_000
"""Characters of a case's standard input, or of its output."""


def require_size(problem: Problem) -> None:
    """Raise ProblemError for a problem that is too large; the message has the limit."""
    texts = {
        "prompt": problem.prompt,
        "reference": problem.reference or "",
        "signature": problem.signature or "",
        "given": problem.given,
        "judge": problem.judge,
        "checker": problem.checker,
    }
    if isinstance(problem.tests, str):
        texts["tests"] = problem.tests
    else:
        require_count(problem, len(problem.tests), "cases")
        for number, case in enumerate(problem.tests, start=1):
            outputs = (("stdout", text) for text in (case.stdout, *case.alternatives))
            for what, text in (("stdin", case.stdin), *outputs):
                _require(problem, f"case {number}'s {what}", text, MOST_CASE_CHARACTERS)
    for what, names in (("forbidden", problem.forbidden), ("required", problem.required)):
        _require(problem, f"what is {what}", " ".join(names), MOST_RULES)
    for what, text in texts.items():
        _require(problem, f"the {what}", text, MOST_CHARACTERS)


def require_count(problem: Problem, count: int, what: str) -> None:
    """Raise ProblemError for more checks than can be prepared."""
    if count > MOST_CHECKS:
        raise ProblemError(
            f"{problem.id}: the tests have {count:,} {what}, and may have {MOST_CHECKS:,}"
        )


def too_much(problem: Problem, budget: Budget) -> ProblemError:
    """Return the error for tests that exhaust the helper that prepares them."""
    return ProblemError(
        f"{problem.id}: the tests are too much to prepare: that may take"
        f" {budget.compile_cpu_s:g} s of CPU time, a stack of {budget.stack_mb} MB and"
        f" {budget.memory_mb + 1024} MB of memory"
    )


def _require(problem: Problem, what: str, text: str, most: int) -> None:
    """Raise ProblemError if a text is too long."""
    if len(text) > most:
        raise ProblemError(
            f"{problem.id}: {what}: {len(text):,} characters, and there may be {most:,}"
        )
