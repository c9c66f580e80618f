"""Which problems are the same problem, and which are near enough to give each other away."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from typing import Final

from ..model import Problem

_WORD: Final = re.compile(r"\w+|[^\w\s]")


def content(problem: Problem) -> Hashable:
    """Return what is equal exactly for two problems that are one: what they ask, blanks aside,
    and what judges an answer.  Their names and references may differ.
    """
    asked = tuple(problem.prompt.split())
    how = problem.comparison, problem.judge, problem.checker
    rules = frozenset(problem.forbidden), frozenset(problem.required)
    judged = problem.tests, how, frozenset(problem.libraries), problem.budget, rules
    return asked, problem.signature, problem.given, judged


def likenesses(problem: Problem) -> Iterator[Hashable]:
    """Yield the prompt and the tests, blanks and the prompt's case aside: who has seen a
    problem that shares one of them has seen this one.
    """
    yield "prompt", tuple(_WORD.findall(problem.prompt.casefold()))
    if isinstance(problem.tests, str):
        yield "tests", tuple(_WORD.findall(problem.tests))
    else:
        cases = ((case.stdin, case.stdout, case.alternatives) for case in problem.tests)
        yield "tests", tuple(cases)
