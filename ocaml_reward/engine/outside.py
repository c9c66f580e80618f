"""Judges checks outside the code's process, in the same way for every engine.

A check is split into a query program, which runs with the code, an oracle program, which runs
without it, and a formula over their values.  (docs/architecture.md, "Judged outside")
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ..model import CheckResult, Outcome
from ..single_flight import SingleFlightCache
from . import Outside, PreparedTests
from .answer_leaks import ExpectedValues, leaks_answers
from .check_results import LONGEST
from .judge import Formula, decide
from .values import Values, is_cut

__all__ = [
    "Compute",
    "ExpectedValueCache",
    "ExpectedValues",
    "GradeAgain",
    "Judge",
    "checker_options",
    "grade_judged",
    "retry_without_scan",
    "skips_unsafe_scan",
    "test_program",
    "with_expected_values",
]

Graded = TypeVar("Graded")

Compute = Callable[[Outside, str], ExpectedValues | None]
"""Runs the oracle program; returns None if that fails.

When tests are prepared, the text is the code whose types the oracle program needs; when code is
graded, it is the standard input: the returned values that predicates are applied to.
"""

_KEPT = 4096
# Characters of returned values that predicates are applied to.  One run returns less
# (VALUES_CAPACITY in ocaml/run/process_lock.h), and several runs of deterministic code return the
# same values.
_MOST_RETURNED = 14 << 20
_NO_ANSWERS = (
    "without the code the tests do not tell what it is compared with: they need it for"
    " that, or do not come to their end"
)


class GradeAgain(Exception):
    """The code has to be graded again, with its checks judged by `outside`.

    None judges them in the code's process: the expected values cannot be computed with the types
    that the code declares.
    """

    def __init__(self, outside: Outside | None) -> None:
        """Keep how to judge the next attempt."""
        self.outside = outside
        super().__init__()


class ExpectedValueCache:
    """Cache of expected values that depend on the code's types or on its returned values."""

    def __init__(self) -> None:
        """Start empty."""
        self._expected: SingleFlightCache[ExpectedValues] = SingleFlightCache(_KEPT)

    def get(
        self, outside: Outside, types: str, compute: Compute, returned: str = ""
    ) -> ExpectedValues:
        """Return the expected values for code that declares `types` and `returned` these values.

        Raises GradeAgain if `compute` cannot compute them.
        """

        def found() -> ExpectedValues:
            expected = compute(outside, returned)
            if expected is None:
                raise GradeAgain(None)
            return expected

        seen = hashlib.sha256(returned.encode()).digest() if returned else b""
        return self._expected.get((outside.digest, types, seen), found)


def with_expected_values(tests: PreparedTests, code: str | None, compute: Compute) -> PreparedTests:
    """Return prepared tests with the expected values, if these do not depend on the code.

    `code` is a reference solution.  If the expected values cannot even be computed with its types,
    the checks are decided in the code's process.
    """
    outside = tests.outside
    if outside is None:
        return tests
    expected = None if outside.needs_types else compute(outside, "")
    if expected is not None:
        known = replace(outside, expected=expected)
    elif code is None:
        return tests
    else:
        expected = compute(outside, code)
        if expected is None:
            reasons = dict.fromkeys(range(len(tests.checks)), _NO_ANSWERS)
            return replace(tests, outside=None, in_process=reasons | dict(tests.in_process))
        known = replace(outside, reference_expected=expected)
    without_value = _checks_without_expected_value(outside)
    leaks = leaks_answers(tests.checks, expected, without_value)
    return replace(tests, outside=known, leaks_answers=leaks)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A check that has run, and waits for its expected values."""

    formula: Formula
    values: Values
    ended: tuple[Outcome, str]

    def decided(self, expected: Values) -> tuple[Outcome, str]:
        """Return the outcome and detail of the check with these expected values."""
        return decide(self.formula, self.values, expected, self.ended)


@dataclass(slots=True)
class Judge:
    """Decides the checks of one completion: by their formulas, or as the harness reported.

    If the expected values depend on the code, `compute` is called once, after the last run and with
    its own time budget.  It gets the returned values that the tests' predicates are applied to.
    """

    outside: Outside
    types: str
    cache: ExpectedValueCache
    compute: Compute
    _waiting: dict[int, _Waiting] = field(default_factory=dict)

    def __call__(
        self, place: int, values: Values, outcome: Outcome, detail: str
    ) -> tuple[Outcome, str]:
        """Return outcome and detail of a check, as far as they are known before the last run."""
        outside = self.outside
        formula = outside.formulas.get(place)
        if formula is None or outcome is Outcome.EXITED:
            return outcome, detail
        expected = outside.expected
        if expected is not None and not outside.applies_predicates:
            return decide(formula, values, expected.get(place, {}), (outcome, detail))
        self._waiting[place] = check = _Waiting(formula, values, (outcome, detail))
        # Decide what we can without the expected values; treat the rest as failed for now.
        return check.decided({})

    def finish(self, results: Sequence[CheckResult]) -> tuple[CheckResult, ...]:
        """Return the results with those of checks that waited for expected values.  Raises
        GradeAgain.
        """
        if not self._waiting:
            return tuple(results)
        returned = self._returned()
        if len(returned) > _MOST_RETURNED:
            raise GradeAgain(None)
        expected = self.cache.get(self.outside, self.types, self.compute, returned)
        found = list(results)
        for place, check in self._waiting.items():
            outcome, detail = check.decided(expected.get(place, {}))
            detail = detail.strip()[:LONGEST]
            found[place] = replace(found[place], outcome=outcome, detail=detail)
        return tuple(found)

    def _returned(self) -> str:
        """Return the code's values, one per line: "CHECK NUMBER FORM".

        Values that were too long to be sent whole are left out: they cannot be rebuilt.
        """
        if not self.outside.applies_predicates:
            return ""
        # In the order of the checks, whichever run they ended in.
        lines = [
            f"{place} {number} {value.form}\n"
            for place, check in sorted(self._waiting.items())
            for number, value in sorted(check.values.items())
            if value.outcome is None and not is_cut(value.form)
        ]
        return "".join(lines) or "\n"


def test_program(tests: PreparedTests, outside: Outside | None) -> bytes:
    """Return the program to link: the query program if judged `outside`, else the full tests."""
    return outside.query_program if outside else tests.payload


def skips_unsafe_scan(tests: PreparedTests, outside: Outside | None) -> bool:
    """Tell whether code may use unsafe features, as nothing in its process decides a check.

    That is so if all checks are judged `outside`, or by the program's output.  It is not so if the
    expected values depend on the types that the code declares: with two types in place of one, and
    an unsafe cast, two expected values would look the same (but see `retry_without_scan`).  Nor is
    it if the arguments of some checks leak the expected values of others.
    """
    if tests.stdio:
        return True
    return (
        outside is not None
        and not tests.leaks_answers
        and outside.expected is not None
        and len(outside.formulas) == len(tests.reported)
    )


def retry_without_scan(
    tests: PreparedTests,
    outside: Outside | None,
    types: str,
    cache: ExpectedValueCache,
    compute: Compute,
) -> None:
    """Raise GradeAgain if the code's `types` give the same expected values as the reference's.

    The code is then judged by the reference's expected values, and the scan for unsafe features is
    skipped.  If the constructors are declared in another order, the values differ and the scan
    still applies.
    """
    if outside is None or outside.expected is not None or outside.applies_predicates:
        return
    known = replace(outside, expected=outside.reference_expected)
    if not skips_unsafe_scan(tests, known):
        return
    try:
        expected = cache.get(outside, types, compute)
    except GradeAgain:
        return
    if expected == known.expected:
        raise GradeAgain(known)


def grade_judged(outside: Outside | None, grade: Callable[[Outside | None], Graded]) -> Graded:
    """Return the result of `grade` with checks judged `outside`.

    If `grade` raises GradeAgain it is called once more: with the expected values of the reference
    (`retry_without_scan`), or with the checks decided in the code's process.
    """
    try:
        return grade(outside)
    except GradeAgain as again:
        return grade(again.outside)


def checker_options(tests: PreparedTests, outside: Outside | None) -> str:
    """Return the option letters for a checker.

    "k": report a key of the types that the code declares.  "l": do not scan for unsafe features.
    """
    keyed = outside is not None and outside.expected is None
    return "k" * keyed + "l" * skips_unsafe_scan(tests, outside)


def _checks_without_expected_value(outside: Outside) -> frozenset[int]:
    """Return the places of checks that only require that the statements before them return."""
    return frozenset(place for place, formula in outside.formulas.items() if formula == ("true",))
