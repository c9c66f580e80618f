"""What the checks came to, to and from a record: as the code is, and through holes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..model import CheckResult, Outcome, Tally
from ..strict import Fields, integer, list_of, number, string, table, word_of

_COUNT = integer(low=0)
_OUTCOME = word_of(Outcome)
_SHARE = number(low=0, high=1)
_TABLES = list_of(table)


def tally_to_dict(tally: Tally) -> dict[str, Any]:
    """Turn a tally into its record: what failed apart from what passed, in order."""
    passed = [each for each in tally.results if each.outcome is Outcome.PASSED]
    failed = [each for each in tally.results if each.outcome is not Outcome.PASSED]
    return {
        "passed": tally.passed,
        "total": tally.total,
        "failures": [_result_to_dict(each) for each in failed],
        "passes": [
            {"check": each.index, "line": each.line, "detail": each.detail}
            for each in passed
        ],
    }


def read_tally(fields: Fields) -> Tally:
    """Read the tally of a record.  Raises FormatError."""
    passed = fields.read("passed", _COUNT)
    total = fields.read("total", _COUNT)
    results = [_read_failure(each) for each in fields.read("failures", _TABLES)]
    results += [
        _read_result(each, Outcome.PASSED) for each in fields.read("passes", _TABLES)
    ]
    fields.close()
    results.sort(key=lambda each: each.index)
    tally = Tally(total=total, results=tuple(results))
    if len({each.index for each in results}) < len(results):
        fields.fail("failures", "a check is listed twice")
    if len(results) > total:
        fields.fail("total", f"{total} checks, but {len(results)} results")
    if passed != tally.passed:
        fields.fail("passed", f"{passed}, but {tally.passed} are listed")
    return tally


def through_holes_to_list(results: Sequence[CheckResult]) -> list[dict[str, Any]]:
    """Turn the results on code with holes into their records, in the order of the checks."""
    return [_result_to_dict(each) for each in results]


def read_through_holes(fields: Fields) -> tuple[CheckResult, ...] | None:
    """Read the results of a record; None where there are none.  Raises FormatError."""
    if not fields.has("through_holes"):
        return None
    found = fields.read("through_holes", _TABLES)
    return tuple(_read_result(each, _outcome(each)) for each in found)


def _result_to_dict(result: CheckResult) -> dict[str, Any]:
    return {
        "check": result.index,
        "line": result.line,
        "outcome": result.outcome.value,
        "detail": result.detail,
        **({"partial": result.partial} if result.partial else {}),
    }


def _read_failure(fields: Fields) -> CheckResult:
    outcome = _outcome(fields)
    if outcome is Outcome.PASSED:
        fields.fail("outcome", "a check that passed is no failure")
    return _read_result(fields, outcome)


def _outcome(fields: Fields) -> Outcome:
    found: Outcome = fields.read("outcome", _OUTCOME)
    return found


def _read_result(fields: Fields, outcome: Outcome) -> CheckResult:
    result = CheckResult(
        index=fields.read("check", _COUNT),
        line=fields.read("line", _COUNT),
        outcome=outcome,
        detail=fields.read("detail", string),
        partial=fields.read("partial", _SHARE) if fields.has("partial") else 0.0,
    )
    fields.close()
    return result
