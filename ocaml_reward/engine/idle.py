"""Which checks cannot fail: found by trying code whose answers are all wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ..model import Budget, CheckReport, Outcome, Stage
from . import CheckRequest, PreparedTests
from .prepare_messages import Trial
from .spoken import Spoken, spoken

# Ways in which answers are wrong (begin_lying in ocaml/run/harness.mli).
_RAISES, _CHANGED = "r", "c"
_VALUES = (_CHANGED, "0", "1")
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
# CPU seconds: what is wrong may loop, and need not for long.  Each check may crash, and a start
# counts for as much (execute.py).
_CHECK_S = 0.1
_ALL_S = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Idle:
    """Checks that cannot fail, by their places: some `catches` all that may be raised in them, and
    others only what is raised where an answer is wrong.  `printed` are those of them that can
    be told by what the tests print.
    """

    places: frozenset[int] = frozenset()
    catches: frozenset[int] = frozenset()
    printed: Mapping[int, Spoken] = field(default_factory=dict)


def idle_checks(
    tests: PreparedTests,
    trial: Trial,
    check: Callable[[CheckRequest], CheckReport],
    *,
    libraries: tuple[str, ...],
    budget: Budget,
    reference: CheckRequest | None = None,
) -> Idle:
    """Find the checks that pass whatever the code answers.

    That is one that passes with wrong values, in each way in which it comes to an end, and also
    where all that is asked raises, or with an exception that the tests caught: as a runner of
    the tests' own does that catches failures.  One that wants an exception fails with values;
    one that wants any value but one, where the code raises.

    `check` grades, and `reference` asks to grade the reference.  Finds none where the `tests` do
    not compile with such code.
    """
    all_s = _ALL_S + _CHECK_S * len(tests.checks)
    budget = replace(budget.flat(_CHECK_S), tests_cpu_s=all_s)

    def tried(how: str) -> CheckReport | None:
        payload = trial.changed if how == _CHANGED else trial.unasked
        request = CheckRequest(
            code="",
            tests=PreparedTests(
                checks=tests.checks, payload=payload, leaning=tests.leaning
            ),
            libraries=libraries,
            budget=budget,
            listens=True,
            wrong=how,
        )
        report = check(request)
        return report if report.stage is Stage.EXECUTABLE else None

    # Those that ask the code for nothing; others look at what it may have changed.
    apart = {
        place
        for place, each in enumerate(tests.checks)
        if each.needs == () and {f"c{place}", f"x{place}"}.isdisjoint(tests.leaning)
    }
    # Where nothing is caught what the code raises fails whatever asks it.
    depends = trial.catches or trial.merely or apart - trial.constant
    if not (apart or depends):
        return Idle()
    raising = tried(_RAISES)
    if raising is None:
        return Idle()
    catches = _places(raising, Outcome.PASSED)
    # What looks at nothing that answers may have changed is the same with any.
    rest = set(range(len(raising.results))) if depends else set()
    reports: list[CheckReport] = []
    for how in _VALUES if reference else _VALUES[1:]:
        if rest and (report := tried(how)) is not None:
            reports.append(report)
            rest -= _places(report, *_FAILS)
    asked = (_places(each, *Outcome, detail=_ASKED) for each in (*reports, raising))
    caught = [_places(each, Outcome.PASSED, detail=_CAUGHT) for each in reports]
    # What a check is to print may have been asked for before it.
    passes = [_places(each, Outcome.PASSED) for each in reports]
    prints = trial.merely & set().union(*passes)
    seen = [_places(each, Outcome.PASSED, *_DIES) for each in reports]
    found = rest & apart.union(prints, *asked) & catches.union(trial.merely, *caught)
    found &= set().union(*seen)
    printed: dict[int, Spoken] = {}
    if found and reference is not None:
        right = [check(replace(reference, listens=True)) for _ in range(2)]
        for place in found:
            printed |= _told(place, right, [*reports, raising])
    found |= trial.constant & catches
    return Idle(
        places=frozenset(found), catches=frozenset(catches & found), printed=printed
    )


def _told(
    place: int, right: list[CheckReport], wrong: list[CheckReport]
) -> dict[int, Spoken]:
    """Tell right answers from wrong ones by what the tests print in a check, if they print the same
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
