"""The record of one grading: the line of JSON that `score` writes for a completion.

A record is a Breakdown with its fields in their order, after the version of the format:
`Breakdown.to_dict` writes it.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .codec.readers import Invalid, anything, list_of, object_of, read, whole_number
from .codec.typed import codec_of, read_plain, to_plain
from .errors import FormatError, ProblemError
from .model import (
    SCHEMA,
    Breakdown,
    CaseGroup,
    CheckResult,
    Diagnostic,
    Outcome,
    Tally,
    require_payable,
)
from .reasons import FIGURES, Reason

SCORE_KEYS = ("index", "file", "line", "input")
"""The keys that `score` puts beside those of a breakdown."""
TRAINING_KEYS = ("step", "epoch", "split", "rank", "trained_on", "final_reward")
"""The keys that a training's logs put beside them."""

_FIGURES = [each.name for each in dataclasses.fields(Reason)][2:]
_BESIDE = frozenset(("schema", "tests", *SCORE_KEYS, *TRAINING_KEYS))
_READ_RESULT = codec_of(CheckResult).read
_READ_GROUP = codec_of(CaseGroup).read
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
# Surrogates cannot be encoded as UTF-8; U+0085, U+2028 and U+2029 end a line for some
# readers; the C1 controls, DEL and the marks of writing from right to left steer a terminal.
# `json` escapes those below U+0020.
_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def dumps(record: Mapping[str, Any]) -> str:
    """Write a record as one line of compact JSON that is always encodable as UTF-8."""
    line = _ENCODER.encode(record)
    if line.isascii() and "\x7f" not in line:
        return line
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def loads(line: bytes) -> dict[str, Any]:
    """Parse such a line, whose keys are still to be checked; raises FormatError."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise FormatError("not a record of this program") from None
    if not isinstance(record, dict) or "schema" not in record:
        raise FormatError("not a record of this program")
    return record


def breakdown_to_dict(breakdown: Breakdown) -> dict[str, Any]:
    """Return the record of a breakdown."""
    return breakdown.to_dict()


def breakdown_from_dict(record: Mapping[str, Any]) -> Breakdown:
    """Read the breakdown of a record; keys that `score` or a training put beside are skipped.

    Raises FormatError: one line with the path of the first key that is wrong.
    """
    head = read(_READ_HEAD, record)
    rest = {key: record[key] for key in record if key not in _BESIDE}
    given = {"tests": head["tests"]} if "tests" in head else {}
    breakdown = read_plain(Breakdown, rest, given=given)
    read(_check, breakdown)
    return breakdown


def _schema(value: Any) -> None:
    if whole_number(value) != SCHEMA:
        raise Invalid(f"this version reads schema {SCHEMA} only")


def _pass(value: Any) -> CheckResult:
    """Return the check that passed in a record."""
    passed = {"outcome": Outcome.PASSED.value}
    result: CheckResult = _READ_RESULT(object_of({}, others=anything)(value) | passed)
    return result


def _failure(value: Any) -> CheckResult:
    """Return the check that failed in a record."""
    result: CheckResult = _READ_RESULT(value)
    if result.outcome is Outcome.PASSED:
        raise Invalid("a check that passed is no failure", "outcome")
    return result


_READ_LISTS = object_of(
    {
        "passed": whole_number,
        "total": whole_number,
        "failures": list_of(_failure),
        "passes": list_of(_pass),
    },
    {"steps": whole_number, "groups": list_of(_READ_GROUP)},
)


def _tally(value: Any) -> Tally:
    """Read the checks, and put them in their order."""
    found = _READ_LISTS(value)
    total, passed, passes = found["total"], found["passed"], found["passes"]
    results = sorted(found["failures"] + passes, key=lambda each: each.index)
    if len({each.index for each in results}) < len(results):
        raise Invalid("a check is listed twice", "failures")
    if len(results) > total:
        raise Invalid(f"{total} checks, but {len(results)} results", "total")
    if passed != len(passes):
        raise Invalid(f"{passed}, but {len(passes)} are listed", "passed")
    groups = _groups(found.get("groups", ()), total)
    return Tally(total=total, results=tuple(results), steps=found.get("steps"), groups=groups)


def _groups(found: Sequence[CaseGroup], total: int) -> tuple[CaseGroup, ...]:
    """Return the groups of all checks, if there are some."""
    checks = sorted(check for each in found for check in each.checks)
    if found and (checks != [*range(1, total + 1)] or not all(each.checks for each in found)):
        raise Invalid("each check has to be in one of them", "groups")
    try:
        require_payable(found)
    except ProblemError as error:
        raise Invalid(str(error), "groups") from None
    return tuple(found)


_READ_HEAD = object_of({"schema": _schema}, {"tests": _tally}, others=anything)


def _check(breakdown: Breakdown) -> None:
    """Require a reward or a fault, and reasons with the figures of their codes."""
    if (breakdown.reward is None) != (breakdown.fault is not None):
        raise Invalid("must be null exactly when there is a fault", "reward")
    for part, codes in FIGURES.items():
        reason = getattr(breakdown.reasons, part, None)
        if reason is None:
            continue
        if reason.code not in codes:
            words = ", ".join(codes)
            message = f"{reason.code.value!r} is not one of {words}"
            raise Invalid(message, "reasons", part, "code")
        for name in _FIGURES:
            is_there = getattr(reason, name) is not None
            if is_there != (name in codes[reason.code]):
                message = "unknown key" if is_there else "missing"
                raise Invalid(message, "reasons", part, name)


def diagnostic_to_dict(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return a diagnostic as records have it."""
    return to_plain(diagnostic, sparse=False)
