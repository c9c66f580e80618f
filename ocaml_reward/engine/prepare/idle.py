"""Finds checks that cannot fail, by running code that returns only wrong values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ...model import Budget, CheckReport, CheckResult, Outcome, Stage
from .. import CheckRequest, PreparedTests
from ..run.check_results import NEVER_REACHED, ExpectedText, expected_text
from .prepare_messages import Trial

# Kinds of wrong values (begin_lying in ocaml/run/harness.ml).
_RAISES, _CHANGED = "r", "c"
_VALUES = (_CHANGED, "0", "1")
WRONG: Final = (*_VALUES[1:], _RAISES)
"""Those that need no reference: two values, and an exception."""
_FAILS = (Outcome.FAILED, Outcome.RAISED, Outcome.EXITED)
# Words by which the harness says what a check did: it called the code, it asserted something, the
# tests caught an exception, and one of a failure at that, with nothing to tell of it.
_CALLED, _ASSERTED, _CAUGHT = "called", "asserted", "caught"
_FORGIVEN, _SWALLOWED, _NOTED, _SEVERAL = "forgiven", "swallowed", "noted", "several"
# Its statement returned a function.
_BUILT = "built"
_WORDS = {_CALLED, _ASSERTED, _CAUGHT, _FORGIVEN, _SWALLOWED, _NOTED, _SEVERAL, _BUILT}
# CPU seconds: with wrong values tests may loop, and they take no steps.
_CHECK_S = 0.5
# Each check may crash, and be run again after a crash in every other.
_ALWAYS = 10**12
# How often the reference runs, to see whether it always prints the same.
_RUNS = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Idle:
    """The places of checks that cannot fail.

    Those in `constant` do not depend on the code.  Nothing evaluates what those in `unreached` check;
    those of them in `built` run, and may register it.  `printed` has those that can be judged by the
    text that the tests print.  The checks in `strict` can fail, if the tests may catch nothing in
    them.  `absent` is what the tests ask for that the jail has not.

    The tests note failures in those in `failing` with the reference, too, and several ones in each
    in `several`; `told_by_end` is whether the end of the tests tells of them.  `untried` is whether
    they note failures and do not compile with wrong values.
    """

    places: frozenset[int] = frozenset()
    constant: frozenset[int] = frozenset()
    unreached: frozenset[int] = frozenset()
    built: frozenset[int] = frozenset()
    printed: Mapping[int, ExpectedText] = field(default_factory=dict)
    strict: frozenset[int] = frozenset()
    failing: frozenset[int] = frozenset()
    several: frozenset[int] = frozenset()
    told_by_end: bool = False
    untried: bool = False
    absent: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Seen:
    """What was seen of checks in a trial: with calls that `raising` has raise, and with `values`."""

    raising: CheckReport
    values: tuple[CheckReport, ...]
    # Checks that fail with no value, whether or not they ran.
    rest: frozenset[int]

    @property
    def every(self) -> tuple[CheckReport, ...]:
        """All reports."""
        return (*self.values, self.raising)

    @property
    def catching(self) -> set[int]:
        """Checks that pass if the code raises."""
        return _places(self.raising, Outcome.PASSED)

    @property
    def passing(self) -> set[int]:
        """Checks that pass with some value and fail with none."""
        return set(self.rest).intersection(
            set().union(*(_places(each, Outcome.PASSED) for each in self.values))
        )

    @property
    def unreached(self) -> set[int]:
        """Checks that no run of the tests came to."""
        found = set(self.rest)
        for each in self.every:
            found &= _places(each, Outcome.NOT_RUN, word=NEVER_REACHED)
        return found

    def said(self, word: str) -> set[int]:
        """Return the checks that said this word in some report."""
        return set().union(*(_places(each, *Outcome, word=word) for each in self.every))


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

    Such a check passes with every kind of wrong value, and also if every call raises.  So does one
    that evaluates nothing: it registers or builds a case, or is behind a condition that is false.
    A check that expects an exception fails with values; one that expects any value except one
    fails if the code raises.

    `check` grades a request, and `reference` is the request of the reference.  Returns no checks if
    `tests` do not compile with such code.
    """
    if not trial.unasked:
        return Idle()

    # Each check shall say what it did itself, whatever became of those before it.
    leaning = {what: places for what, places in tests.leaning.items() if what[0] == "g"}

    def tried(how: str) -> CheckReport | None:
        payload = trial.changed if how == _CHANGED else trial.unasked
        request = CheckRequest(
            code="",
            tests=PreparedTests(checks=tests.checks, payload=payload, leaning=leaning),
            libraries=libraries,
            budget=replace(
                budget,
                check_cpu_s=_CHECK_S,
                tests_cpu_s=_CHECK_S * (len(tests.checks) + 1),
                tests_steps=_ALWAYS,
                looping_factor=_ALWAYS,
            ),
            listens=True,
            wrong=how,
        )
        report = check(request)
        return report if report.stage is Stage.EXECUTABLE else None

    seen = _seen(trial, len(tests.checks), tried, _VALUES if reference else _VALUES[1:])
    if seen is None:
        return Idle(told_by_end=trial.exits, untried=trial.notes)
    called, asserted, caught = map(seen.said, (_CALLED, _ASSERTED, _CAUGHT))
    passing, catching, unreached = seen.passing, seen.catching, seen.unreached
    built = passing - called - asserted
    # Checks that depend neither on a call of the code nor on state that it may have changed.
    independent = {
        place
        for place, each in enumerate(tests.checks)
        if each.needs == () and {f"c{place}", f"x{place}"}.isdisjoint(tests.leaning)
    }
    found = passing & (catching | seen.said(_SWALLOWED) | trial.merely)
    found &= independent | called | trial.merely | trial.perhaps
    # What asserts nothing and is a definition, or returns a function, only builds what it checks.
    found |= passing & (trial.definitions | seen.said(_BUILT)) - asserted
    doubtful = passing & seen.said(_FORGIVEN)
    right: list[CheckReport] = []
    strict: set[int] = set()
    if reference is None:
        # What they print later tells that something failed.
        strict = doubtful if trial.prints else set()
    elif caught:
        right = [check(replace(reference, listens=True))]
        calm = _places(right[0], Outcome.PASSED) - _places(right[0], *Outcome, word=_CAUGHT)
        strict = caught & calm & (doubtful | catching - seen.rest)
    found -= strict
    printed: dict[int, ExpectedText] = {}
    if found and reference is not None:
        right += [check(replace(reference, listens=True)) for _ in range(_RUNS - len(right))]
        for place in found:
            printed |= _distinguish(place, right, seen.every)
    constant = trial.constant & catching & independent
    found |= constant | built | unreached
    return Idle(
        places=frozenset(found),
        constant=frozenset(constant),
        unreached=frozenset(unreached | built),
        built=frozenset(built),
        printed=printed,
        strict=frozenset(strict),
        failing=frozenset(_places(right[0], *_FAILS, word=_NOTED)) if right else frozenset(),
        several=frozenset(seen.said(_SEVERAL)),
        told_by_end=_told_by_end(seen, trial),
        absent=seen.raising.absent,
    )


def _seen(
    trial: Trial,
    count: int,
    tried: Callable[[str], CheckReport | None],
    values: Sequence[str],
) -> _Seen | None:
    """Run the trial of so many checks; None if the tests do not compile with wrong answers."""
    raising = tried(_RAISES)
    if raising is None:
        return None
    rest = set(range(count))
    if not trial.catches:
        # If nothing is caught, an exception of the code fails every check that calls it.
        missed = _places(raising, Outcome.NOT_RUN, word=NEVER_REACHED)
        late = _places(raising, Outcome.PASSED) | missed | trial.definitions | trial.merely
        # A statement that raises before it asserts may only build a case.
        rest = late | trial.statements - _places(raising, *Outcome, word=_ASSERTED)
    reports: list[CheckReport] = []
    for how in values:
        if rest and (report := tried(how)) is not None:
            reports.append(report)
            rest -= _places(report, *_FAILS)
    return _Seen(raising=raising, values=tuple(reports), rest=frozenset(rest))


def _told_by_end(seen: _Seen, trial: Trial) -> bool:
    """Tell whether the end of the tests tells what their handlers have noted.

    A check tells it that fails without a call of the code, by the state that such checks have left.
    (test_crdt.ml of sauravbhattacharya001/Ocaml-sample-code counts, and exits with 1 at the end.)
    """
    if not any(map(seen.said, _WORDS)):
        # All died, which shows nothing.
        return trial.exits
    left = frozenset[str]().union(*(trial.state[place] for place in seen.said(_NOTED)))
    return any(
        _is_summary(result) and not left.isdisjoint(trial.state[place])
        for each in seen.every
        for place, result in enumerate(each.results)
    )


def _is_summary(result: CheckResult) -> bool:
    """Tell whether a check came to an end of its own, and failed without calling the code."""
    said = set(result.detail.split())
    return result.outcome in _FAILS and said <= _WORDS - {_CALLED, _NOTED}


def _distinguish(
    place: int, right: Sequence[CheckReport], wrong: Sequence[CheckReport]
) -> dict[int, ExpectedText]:
    """Return the expected text of a check, if it is stable and distinguishes wrong answers."""
    first, second = ("".join(each.printed[place : place + 1]) for each in right)
    others = [
        each.printed[place] for each in wrong if each.results[place].outcome is Outcome.PASSED
    ]
    found = expected_text(first, others) if first == second else None
    return {place: found} if found else {}


def _places(report: CheckReport, *outcomes: Outcome, word: str = "") -> set[int]:
    """Return the numbers of the checks with one of these outcomes, which said this word."""
    return {
        place
        for place, each in enumerate(report.results)
        if each.outcome in outcomes and word in each.detail
    }
