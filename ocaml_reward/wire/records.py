"""Breakdowns and diagnostics as JSON: the record that `ocaml-reward score` writes, one
line per completion, and its strict reader.

The checks that passed are listed apart from those that did not (`tests.passes` and
`tests.failures`), so that a reader finds the failures at once and nothing is lost: as
checks are in the order of their numbers, reading gives back the very value written.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from ..diagnostics.record import (
    diagnostic_from_dict,
    diagnostic_to_dict,
    read_diagnostic,
)
from ..errors import FormatError
from ..model import (
    Blame,
    Breakdown,
    Credits,
    Fault,
    Penalty,
    Verdict,
)
from ..strict import (
    Fields,
    Reader,
    boolean,
    integer,
    list_of,
    mapping_of,
    number,
    optional,
    string,
    table,
    word_of,
)
from .checks import (
    read_tally,
    read_through_holes,
    tally_to_dict,
    through_holes_to_list,
)
from .reasons import PAID_BY_SOME, read_reasons, reasons_to_dict
from .regions import places_to_list, read_places, read_regions, region_to_dict

__all__ = [
    "SCHEMA",
    "breakdown_from_dict",
    "breakdown_to_dict",
    "diagnostic_from_dict",
    "diagnostic_to_dict",
    "dumps",
    "loads",
]

T = TypeVar("T")

SCHEMA = 1
"""The version of the record; it changes when a key changes its meaning or goes away."""

# Readers are made once, as files of a hundred thousand records are read.
_COUNT = integer(low=0)
_COUNT_OR_NONE = optional(_COUNT)
_FLAG_OR_NONE = optional(boolean)
_NUMBER = integer()
_SHARE = number(low=0, high=1)
_SHARE_OR_NONE = optional(_SHARE)
_TABLE_OR_NONE = optional(table)
_TABLES = list_of(table)
_TEXTS = list_of(string)
_TIMES = mapping_of(number(low=0))
_VERDICT = word_of(Verdict)
_PARTS = tuple(each.name for each in dataclasses.fields(Credits))

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
# Surrogates cannot be encoded as UTF-8; U+0085, U+2028 and U+2029 end a line for some
# readers; the C1 controls and DEL steer a terminal.  `json` escapes those below U+0020.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def dumps(record: Mapping[str, Any]) -> str:
    """Write a record as one line of compact JSON that is always encodable as UTF-8."""
    line = _ENCODER.encode(record)
    if line.isascii() and "\x7f" not in line:
        return line
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def loads(line: bytes) -> dict[str, Any]:
    """Read such a line back, as an object of which nothing is known but that it is a record.
    Raises FormatError.
    """
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise FormatError("not a record of this program") from None
    if not isinstance(record, dict) or "schema" not in record:
        raise FormatError("not a record of this program")
    return record


def breakdown_to_dict(breakdown: Breakdown) -> dict[str, Any]:
    """Turn a breakdown into its record; the keys are always there, in this order, but for the
    regions that nobody asked for, and what is only there with them.
    """
    fault, regions, through = (
        breakdown.fault,
        breakdown.regions,
        breakdown.through_holes,
    )
    located: dict[str, Any] = {}
    if regions is not None:
        located["regions"] = [region_to_dict(region) for region in regions]
    if through is not None:
        located["through_holes"] = through_holes_to_list(through)
    if breakdown.blame:
        located["blame"] = [dataclasses.asdict(place) for place in breakdown.blame]
    return {
        "schema": SCHEMA,
        "problem_id": breakdown.problem_id,
        "reward": breakdown.reward,
        "verdict": breakdown.verdict.value,
        "credits": _credits_to_dict(breakdown),
        "reasons": breakdown.reasons and reasons_to_dict(breakdown.reasons),
        "penalties": [_penalty_to_dict(penalty) for penalty in breakdown.penalties],
        "type_errors": breakdown.type_errors,
        "typed_fraction": breakdown.typed_fraction,
        "parsed_share": breakdown.parsed_share,
        "truncated": breakdown.truncated,
        "diagnostics": [diagnostic_to_dict(each) for each in breakdown.diagnostics],
        "forbidden": list(breakdown.forbidden),
        "tests": tally_to_dict(breakdown.tests),
        **located,
        "fault": fault and {"kind": fault.kind, "message": fault.message},
        "engine": breakdown.engine,
        "sandbox": breakdown.sandbox,
        "scheme": breakdown.scheme,
        "toolchain": breakdown.toolchain,
        "code": breakdown.code,
        **({"given": places_to_list(breakdown.given)} if breakdown.given else {}),
        "timings_ms": dict(breakdown.timings_ms),
    }


def _credits_to_dict(breakdown: Breakdown) -> dict[str, float]:
    earned = breakdown.credits
    return {part: getattr(earned, part) for part in breakdown.credited}


def breakdown_from_dict(
    data: Mapping[str, Any], *, beside: Iterable[str] = ()
) -> Breakdown:
    """Read a breakdown from its record.

    Args:
        data: The record, as `breakdown_to_dict` writes it.
        beside: Keys that others put into the same object (`index`, `input`), which are
            not read; any other unknown key is refused.

    Returns:
        The breakdown, equal to the one that was written.

    Raises:
        FormatError: One line with the path of the first field that is wrong.
    """
    fields = Fields(data, error=FormatError)
    fields.ignore(*beside)
    if fields.read("schema", _NUMBER) != SCHEMA:
        fields.fail("schema", f"this version reads schema {SCHEMA} only")
    breakdown = Breakdown(
        problem_id=fields.read("problem_id", string),
        reward=fields.read("reward", _SHARE_OR_NONE),
        verdict=fields.read("verdict", _VERDICT),
        credits=_read_credits(fields.read("credits", table)),
        reasons=read_reasons(fields),
        penalties=tuple(map(_read_penalty, fields.read("penalties", _TABLES))),
        type_errors=fields.read("type_errors", _COUNT_OR_NONE),
        typed_fraction=_read_later(fields, "typed_fraction", _SHARE_OR_NONE),
        parsed_share=fields.read("parsed_share", _SHARE_OR_NONE),
        truncated=_read_later(fields, "truncated", _FLAG_OR_NONE),
        diagnostics=tuple(map(read_diagnostic, fields.read("diagnostics", _TABLES))),
        forbidden=fields.read("forbidden", _TEXTS),
        tests=read_tally(fields.read("tests", table)),
        regions=read_regions(fields),
        through_holes=read_through_holes(fields),
        blame=_read_blame(fields),
        fault=_read_fault(fields.read("fault", _TABLE_OR_NONE)),
        engine=fields.read("engine", string),
        sandbox=fields.read("sandbox", string),
        scheme=fields.read("scheme", string),
        toolchain=fields.read("toolchain", string),
        code=fields.read("code", string),
        given=read_places(fields, "given"),
        timings_ms=fields.read("timings_ms", _TIMES),
    )
    fields.close()
    if (breakdown.reward is None) != (breakdown.fault is not None):
        fields.fail("reward", "must be null exactly when there is a fault")
    return breakdown


def _read_blame(fields: Fields) -> tuple[Blame, ...] | None:
    if not fields.has("blame"):
        return None
    found = []
    for place in fields.read("blame", _TABLES):
        places = {
            name: place.read(name, _COUNT)
            for name in ("line", "column", "end_line", "end_column")
        }
        found.append(Blame(**places, weight=place.read("weight", _SHARE)))
        place.close()
    return tuple(found)


def _read_later(fields: Fields, name: str, reader: Reader[T | None]) -> T | None:
    # Records written before there was one lack the key.
    return fields.read(name, reader) if fields.has(name) else None


def _read_credits(fields: Fields) -> Credits:
    names = [n for n in _PARTS if n not in PAID_BY_SOME or fields.has(n)]
    earned = Credits(**{name: fields.read(name, _SHARE) for name in names})
    fields.close()
    return earned


def _penalty_to_dict(penalty: Penalty) -> dict[str, Any]:
    return {
        "code": penalty.code,
        "factor": penalty.factor,
        "cap": penalty.cap,
        "evidence": penalty.evidence,
    }


def _read_penalty(fields: Fields) -> Penalty:
    penalty = Penalty(
        code=fields.read("code", string),
        factor=fields.read("factor", _SHARE),
        cap=fields.read("cap", _SHARE_OR_NONE),
        evidence=fields.read("evidence", string),
    )
    fields.close()
    return penalty


def _read_fault(fields: Fields | None) -> Fault | None:
    if fields is None:
        return None
    fault = Fault(
        kind=fields.read("kind", string), message=fields.read("message", string)
    )
    fields.close()
    return fault
