"""Judges a completion's checks outside its process, in the same way for every engine.

A check is split into a query program, which runs with the code, an oracle program, which runs
without it, and a formula over their values.  (docs/architecture.md, "Judged outside")
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ...model import CheckResult, Outcome
from ...single_flight import SingleFlightCache
from .. import CheckRequest, Outside, PreparedTests
from ..judge.answer_leaks import ExpectedValues
from ..judge.formulas import Formula, decide
from ..messages.values import Values, is_cut
from .check_results import LONGEST

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


def retry_without_scan(
    tests: PreparedTests, types: str, cache: ExpectedValueCache, compute: Compute
) -> None:
    """Raise GradeAgain if the code's `types` give the same expected values as the reference's.

    The code is then judged by the reference's expected values, and the scan for unsafe features is
    skipped.  If the constructors are declared in another order, the values differ and the scan
    still applies.
    """
    outside = tests.outside
    if outside is None or outside.expected is not None or outside.applies_predicates:
        return
    known = replace(outside, expected=outside.reference_expected)
    if not replace(tests, outside=known).allow_unsafe:
        return
    try:
        expected = cache.get(outside, types, compute)
    except GradeAgain:
        return
    if expected == known.expected:
        raise GradeAgain(known)


def grade_judged(request: CheckRequest, grade: Callable[[CheckRequest], Graded]) -> Graded:
    """Return the result of `grade` for a request.

    If `grade` raises GradeAgain it is called once more: with the expected values of the reference
    (`retry_without_scan`), or with the checks decided in the code's process.
    """
    try:
        return grade(request)
    except GradeAgain as again:
        return grade(replace(request, tests=replace(request.tests, outside=again.outside)))
