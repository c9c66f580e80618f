"""
Which checks cannot fail: found by trying code whose answers are all wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ..model import Budget, CheckReport, Outcome, Problem, Stage
from . import CheckRequest, PreparedTests
from .prepare_messages import prepare_request, read_prepare_answer
from .spoken import Spoken, spoken

__all__ = ["Idle", "idle_checks"]

# Ways in which answers are wrong (ocaml/tests/wrong_answers.ml), but for raising.
_VALUES = ("changed", "0", "1")
_FAILS = (Outcome.FAILED, Outcome.RAISED, Outcome.EXITED)
# What a value of another type does says nothing.
_DIES = (
    Outcome.CRASHED,
    Outcome.TIMED_OUT,
    Outcome.STACK_OVERFLOW,
    Outcome.OUT_OF_MEMORY,
)
# What the harness says of a check in which the tests ask the code, or catch something.
_ASKED, _CAUGHT = "asked", "caught"
# CPU seconds: what is wrong may loop, and need not for long.
_CHECK_S = 0.1
_ALL_S = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Idle:
    """
    Checks that cannot fail, by their places: some `catches` all that may be raised in them, and
    others only what is raised where an answer is wrong.  `printed` are those of them that can
    be told by what the tests print.
    """

    places: frozenset[int] = frozenset()
    catches: frozenset[int] = frozenset()
    printed: Mapping[int, Spoken] = field(default_factory=dict)


def idle_checks(
    problem: Problem,
    rewrite: Callable[[bytes], list[bytes]],
    check: Callable[[CheckRequest], CheckReport],
    *,
    budget: Budget,
    reference: CheckRequest | None = None,
    owned: bool = False,
) -> Idle:
    """
    Find the checks that pass whatever the code answers.

    That is one that passes with wrong values, in each way in which it comes to an end, and also
    where all that is asked raises, or with an exception that the tests caught: as a runner of
    the tests' own does that catches failures.  One that wants an exception fails with values;
    one that wants any value but one, where the code raises.

    `rewrite` asks the helper, `check` grades, and `reference` asks to grade the reference.
    Finds none where the tests do not compile with such code.
    """
    budget = replace(budget.flat(_CHECK_S), tests_cpu_s=_ALL_S)

    merely: frozenset[int] = frozenset()
    apart: set[int] = set()

    def tried(wrong: str) -> CheckReport | None:
        nonlocal merely, apart
        tests, _ = read_prepare_answer(
            problem, rewrite(prepare_request(problem, owned=owned, wrong=wrong))
        )
        request = CheckRequest(
            code="",
            tests=PreparedTests(checks=tests.checks, payload=tests.payload),
            libraries=problem.libraries,
            budget=budget,
            listens=True,
        )
        merely = tests.merely
        apart = {
            place
            for place, each in enumerate(tests.checks)
            if each.needs == () and f"c{place}" not in tests.leaning
        }
        report = check(request)
        return report if report.stage is Stage.EXECUTABLE else None

    reports: list[CheckReport] = []
    rest: set[int] = set()
    for wrong in _VALUES if reference else _VALUES[1:]:
        if (report := tried(wrong)) is None:
            break
        reports.append(report)
        ended = (_places(each, *_FAILS) for each in reports)
        rest = set(range(len(report.results))).difference(*ended)
        if not rest:
            break
    if not rest or (raising := tried("raises")) is None:
        return Idle()
    # Others look at what the code may have changed.
    asked = (_places(each, *Outcome, detail=_ASKED) for each in (*reports, raising))
    rest &= apart.union(*asked)
    catches = _places(raising, Outcome.PASSED)
    caught = [_places(each, Outcome.PASSED, detail=_CAUGHT) for each in reports]
    seen = [_places(each, Outcome.PASSED, *_DIES) for each in reports]
    found = rest & catches.union(merely, *caught) & set().union(*seen)
    if not found:
        return Idle()
    printed: dict[int, Spoken] = {}
    if reference is not None:
        right = [check(replace(reference, listens=True)) for _ in range(2)]
        for place in found:
            printed |= _told(place, right, [*reports, raising])
    return Idle(
        places=frozenset(found), catches=frozenset(catches & found), printed=printed
    )


def _told(
    place: int, right: list[CheckReport], wrong: list[CheckReport]
) -> dict[int, Spoken]:
    """
    Tell right answers from wrong ones by what the tests print in a check, if they print the same
    in each run of right ones.
    """
    first, second = ("".join(each.printed[place : place + 1]) for each in right)
    others = [
        each.printed[place]
        for each in wrong
        if each.results[place].outcome is Outcome.PASSED
    ]
    found = spoken(first, others) if first == second else None
    return {place: found} if found else {}


def _places(report: CheckReport, *outcomes: Outcome, detail: str = "") -> set[int]:
    return {
        place
        for place, each in enumerate(report.results)
        if each.outcome in outcomes and detail in each.detail
    }
