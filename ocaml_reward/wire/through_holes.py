"""
What checks came to on code with holes, to and from a record.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..model import CheckResult, Outcome
from ..strict import Fields, integer, list_of, string, table, word_of

__all__ = ["read_through_holes", "through_holes_to_list"]


def through_holes_to_list(results: Sequence[CheckResult]) -> list[dict[str, Any]]:
    """
    Turn the results into their records, in the order of the checks.
    """
    return [
        {
            "check": each.index,
            "line": each.line,
            "outcome": each.outcome.value,
            "detail": each.detail,
        }
        for each in results
    ]


def read_through_holes(fields: Fields) -> tuple[CheckResult, ...] | None:
    """
    Read the results of a record; None where there are none.  Raises FormatError.
    """
    if "through_holes" not in fields.names():
        return None
    return tuple(map(_read, fields.read("through_holes", list_of(table))))


def _read(fields: Fields) -> CheckResult:
    result = CheckResult(
        index=fields.read("check", integer(low=0)),
        line=fields.read("line", integer(low=0)),
        outcome=fields.read("outcome", word_of(Outcome)),
        detail=fields.read("detail", string),
    )
    fields.close()
    return result
