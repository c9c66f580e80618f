"""The expected values of checks that are judged outside, where they do not depend on the code."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from .. import Outside, PreparedTests
from ..judge.answer_leaks import leaks_answers
from ..run.judging import Compute

_NO_ANSWERS: Final = (
    "without the code the tests do not tell what it is compared with: they need it for"
    " that, or do not come to their end"
)


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


def _checks_without_expected_value(outside: Outside) -> frozenset[int]:
    """Return the places of checks that only require that the statements before them return."""
    return frozenset(place for place, formula in outside.formulas.items() if formula == ("true",))
