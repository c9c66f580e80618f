"""Finds checks that cannot fail, by running code that returns only wrong values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ..model import Budget, CheckReport, Outcome, Stage
from . import CheckRequest, PreparedTests
from .check_results import ExpectedText, expected_text
from .prepare_messages import Trial

# Kinds of wrong values (begin_lying in ocaml/run/harness.ml).
_RAISES, _CHANGED = "r", "c"
_VALUES = (_CHANGED, "0", "1")
_FAILS = (Outcome.FAILED, Outcome.RAISED, Outcome.EXITED)
# Outcomes that a value of the wrong type may cause; they show nothing.
_DIES = (
    Outcome.CRASHED,
    Outcome.TIMED_OUT,
    Outcome.STACK_OVERFLOW,
    Outcome.OUT_OF_MEMORY,
)
# Details by which the harness marks a check that calls the code, or catches an exception.
_CALLED, _CAUGHT = "called", "caught"
# CPU seconds: code with wrong values may loop.  Each check may crash, and a restart counts for as
# much (execute.py).
_CHECK_S = 0.1
_ALL_S = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Idle:
    """The places of checks that cannot fail.

    Those in `catches` catch every exception.  `printed` has those that can be judged by the text
    that the tests print.
    """

    places: frozenset[int] = frozenset()
    catches: frozenset[int] = frozenset()
    printed: Mapping[int, ExpectedText] = field(default_factory=dict)


def idle_checks(
    tests: PreparedTests,
    trial: Trial,
    check: Callable[[CheckRequest], CheckReport],
    *,
    libraries: tuple[str, ...],
    budget: Budget,
    reference: CheckRequest | None = None,
) -> Idle:
    """Return the checks that pass whatever the code returns.

    Such a check passes with every kind of wrong value, and also if every call raises (or if the
    tests catch an exception with a wrong value, as a test runner of their own does).  A check that
    expects an exception fails with values; a check that expects any value except one fails if the
    code raises.

    `check` grades a request, and `reference` is the request of the reference.  Returns no checks if
    `tests` do not compile with such code.
    """
    all_s = _ALL_S + _CHECK_S * len(tests.checks)
    budget = replace(budget.flat(_CHECK_S), tests_cpu_s=all_s)

    def tried(how: str) -> CheckReport | None:
        payload = trial.changed if how == _CHANGED else trial.unasked
        request = CheckRequest(
            code="",
            tests=PreparedTests(checks=tests.checks, payload=payload, leaning=tests.leaning),
            libraries=libraries,
            budget=budget,
            listens=True,
            wrong=how,
        )
        report = check(request)
        return report if report.stage is Stage.EXECUTABLE else None

    # Checks that depend neither on a call of the code nor on state that it may have changed.
    independent = {
        place
        for place, each in enumerate(tests.checks)
        if each.needs == () and {f"c{place}", f"x{place}"}.isdisjoint(tests.leaning)
    }
    # If nothing is caught, an exception of the code fails every check that calls it.
    depends = trial.catches or trial.merely or independent - trial.constant
    if not (independent or depends):
        return Idle()
    raising = tried(_RAISES)
    if raising is None:
        return Idle()
    catches = _places(raising, Outcome.PASSED)
    # Checks that no returned value can influence have the same result with every value.
    rest = set(range(len(raising.results))) if depends else set()
    reports: list[CheckReport] = []
    for how in _VALUES if reference else _VALUES[1:]:
        if rest and (report := tried(how)) is not None:
            reports.append(report)
            rest -= _places(report, *_FAILS)
    calling = (_places(each, *Outcome, detail=_CALLED) for each in (*reports, raising))
    caught = [_places(each, Outcome.PASSED, detail=_CAUGHT) for each in reports]
    # The text that a check prints may have been computed before it.
    passes = [_places(each, Outcome.PASSED) for each in reports]
    prints = trial.merely & set().union(*passes)
    seen = [_places(each, Outcome.PASSED, *_DIES) for each in reports]
    found = rest & independent.union(prints, *calling) & catches.union(trial.merely, *caught)
    found &= set().union(*seen)
    printed: dict[int, ExpectedText] = {}
    if found and reference is not None:
        right = [check(replace(reference, listens=True)) for _ in range(2)]
        for place in found:
            printed |= _distinguish(place, right, [*reports, raising])
    found |= trial.constant & catches
    return Idle(places=frozenset(found), catches=frozenset(catches & found), printed=printed)


def _distinguish(
    place: int, right: list[CheckReport], wrong: list[CheckReport]
) -> dict[int, ExpectedText]:
    """Return the expected text of a check, if it is stable and distinguishes wrong answers."""
    first, second = ("".join(each.printed[place : place + 1]) for each in right)
    others = [
        each.printed[place] for each in wrong if each.results[place].outcome is Outcome.PASSED
    ]
    found = expected_text(first, others) if first == second else None
    return {place: found} if found else {}


def _places(report: CheckReport, *outcomes: Outcome, detail: str = "") -> set[int]:
    """Return the numbers of the checks with one of these outcomes and this detail."""
    return {
        place
        for place, each in enumerate(report.results)
        if each.outcome in outcomes and detail in each.detail
    }
