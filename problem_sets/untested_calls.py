"""Calls like those of a problem's checks on which a mutant that passes differs from the reference."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ocaml_reward.auditing.examples import checked_calls
from ocaml_reward.auditing.mutants import common_mutants
from ocaml_reward.engine import PreparedTests
from ocaml_reward.engine.prepare.preparation import reference_code
from ocaml_reward.errors import ProblemError
from ocaml_reward.model import Outcome, Problem

from .certifying.examining import Examiner, Graded

MUTANTS: Final = 24
"""Maximum number of mutants; a made problem has few functions, each with few operators."""
_CALLS: Final = 200
_TELLING: Final = 3
_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?![\w.])")
_EXCEPTION: Final = re.compile(r"^exception\b.*\n", re.MULTILINE)


def graded_mutants(examiner: Examiner, problem: Problem, prepared: PreparedTests) -> list[Graded]:
    """Grade the reference with one operator, number or truth value changed."""
    code = reference_code(problem, prepared)
    return examiner.grade_all(problem, prepared, list(common_mutants(code, MUTANTS)))


def untested_calls(
    examiner: Examiner, problem: Problem, prepared: PreparedTests, mutant: Graded
) -> tuple[str, ...]:
    """Return calls of the checks, or the same with other numbers, that tell a mutant.

    Only such calls stay within what the prompt of a made problem defines.
    """
    calls = _calls(prepared)
    reference = reference_code(problem, prepared)
    # Declare exceptions once, because exceptions of two modules are never equal.
    raised = "".join(_EXCEPTION.findall(reference))
    right, wrong = (_EXCEPTION.sub("", code) for code in (reference, mutant.program.code))
    both = f"{raised}module Right = struct\n{right}\nend\nmodule Wrong = struct\n{wrong}\nend\n"
    tests = "".join(
        "let () = assert ("
        f"(try Ok (Right.({call})) with e -> Error e)"
        f" = (try Ok (Wrong.({call})) with e -> Error e))\n"
        for call in calls
    )
    own = replace(problem, tests=tests, reference=None, signature=None)
    try:
        found = examiner.graded(own, prepared, both).tests.results if calls else ()
    except ProblemError:
        return ()
    wrong_ones = (Outcome.FAILED, Outcome.RAISED)
    telling = [each.index for each in found if each.outcome in wrong_ones]
    return tuple(calls[index - 1] for index in telling[:_TELLING])


def _calls(prepared: PreparedTests) -> list[str]:
    """Return calls to try: those of the checks, and the same with other numbers."""
    found: dict[str, None] = {}
    sources = [check.source for check in prepared.checks]
    for name in prepared.uses:
        for arguments, _ in checked_calls(sources, name):
            call = f"{name} {arguments}"
            found[call] = None
            for number in _NUMBER.finditer(call):
                n = int(number[0])
                for other in (0, 1, 9, max(n - 1, 0), n + 1, 2 * n):
                    changed = f"{call[: number.start()]}{other}{call[number.end() :]}"
                    found[changed] = None
    return list(found)[:_CALLS]
