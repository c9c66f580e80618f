"""
Breakdowns and diagnostics as JSON: the record that `ocaml-reward score` writes, one
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
from typing import Any

from ..diagnostics.record import (
    diagnostic_from_dict,
    diagnostic_to_dict,
    read_diagnostic,
)
from ..errors import FormatError
from ..model import (
    Breakdown,
    CheckResult,
    Credits,
    Fault,
    Outcome,
    Penalty,
    Tally,
    Verdict,
)
from ..strict import Fields
from .reasons import PAID_BY_SOME, read_reasons, reasons_to_dict
from .regions import read_regions, region_to_dict

__all__ = [
    "SCHEMA",
    "breakdown_from_dict",
    "breakdown_to_dict",
    "diagnostic_from_dict",
    "diagnostic_to_dict",
    "dumps",
]

SCHEMA = 1
"""
The version of the record; it changes when a key changes its meaning or goes away.
"""

# Surrogates cannot be encoded as UTF-8; U+0085, U+2028 and U+2029 end a line for some
# readers; the C1 controls and DEL steer a terminal.  `json` escapes those below U+0020.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def dumps(record: Mapping[str, Any]) -> str:
    """
    Write a record as one line of compact JSON that is always encodable as UTF-8.
    """
    line = json.dumps(
        record, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def breakdown_to_dict(breakdown: Breakdown) -> dict[str, Any]:
    """
    Turn a breakdown into its record; the keys are always there, in this order, but for the
    regions that nobody asked for.
    """
    fault, regions = breakdown.fault, breakdown.regions
    located = (
        {} if regions is None else {"regions": [region_to_dict(r) for r in regions]}
    )
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
        "diagnostics": [diagnostic_to_dict(each) for each in breakdown.diagnostics],
        "forbidden": list(breakdown.forbidden),
        "tests": _tally_to_dict(breakdown.tests),
        **located,
        "fault": fault and {"kind": fault.kind, "message": fault.message},
        "engine": breakdown.engine,
        "sandbox": breakdown.sandbox,
        "scheme": breakdown.scheme,
        "toolchain": breakdown.toolchain,
        "code": breakdown.code,
        "timings_ms": dict(breakdown.timings_ms),
    }


def _credits_to_dict(breakdown: Breakdown) -> dict[str, float]:
    earned = breakdown.credits
    return {part: getattr(earned, part) for part in breakdown.credited}


def breakdown_from_dict(
    data: Mapping[str, Any], *, beside: Iterable[str] = ()
) -> Breakdown:
    """
    Read a record back.

    `beside` names keys that others put into the same object (`index`, `input`); any
    other unknown key is refused.  Raises FormatError with the path of what is wrong.
    """
    fields = Fields(data, error=FormatError)
    fields.ignore(*beside)
    if fields.integer("schema") != SCHEMA:
        fields.fail("schema", f"this version reads schema {SCHEMA} only")
    breakdown = Breakdown(
        problem_id=fields.text("problem_id"),
        reward=fields.number_or_none("reward", low=0, high=1),
        verdict=fields.choice("verdict", Verdict),
        credits=_read_credits(fields.table("credits")),
        reasons=read_reasons(fields),
        penalties=tuple(map(_read_penalty, fields.tables("penalties"))),
        type_errors=fields.integer_or_none("type_errors", low=0),
        typed_fraction=_read_fraction(fields),
        parsed_share=fields.number_or_none("parsed_share", low=0, high=1),
        diagnostics=tuple(map(read_diagnostic, fields.tables("diagnostics"))),
        forbidden=fields.texts("forbidden"),
        tests=_read_tally(fields.table("tests")),
        regions=read_regions(fields),
        fault=_read_fault(fields.table_or_none("fault")),
        engine=fields.text("engine"),
        sandbox=fields.text("sandbox"),
        scheme=fields.text("scheme"),
        toolchain=fields.text("toolchain"),
        code=fields.text("code"),
        timings_ms=_read_timings(fields.table("timings_ms")),
    )
    fields.close()
    if (breakdown.reward is None) != (breakdown.fault is not None):
        fields.fail("reward", "must be null exactly when there is a fault")
    return breakdown


def _read_fraction(fields: Fields) -> float | None:
    # Records written before there was one lack the key.
    if "typed_fraction" not in fields.names():
        return None
    return fields.number_or_none("typed_fraction", low=0, high=1)


def _read_credits(fields: Fields) -> Credits:
    there = fields.names()
    names = [
        each.name
        for each in dataclasses.fields(Credits)
        if each.name not in PAID_BY_SOME or each.name in there
    ]
    earned = Credits(**{name: fields.number(name, low=0, high=1) for name in names})
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
        code=fields.text("code"),
        factor=fields.number("factor", low=0, high=1),
        cap=fields.number_or_none("cap", low=0, high=1),
        evidence=fields.text("evidence"),
    )
    fields.close()
    return penalty


def _tally_to_dict(tally: Tally) -> dict[str, Any]:
    return {
        "passed": tally.passed,
        "total": tally.total,
        "failures": [
            {
                "check": each.index,
                "line": each.line,
                "outcome": each.outcome.value,
                "detail": each.detail,
            }
            for each in tally.results
            if each.outcome is not Outcome.PASSED
        ],
        "passes": [
            {"check": each.index, "line": each.line, "detail": each.detail}
            for each in tally.results
            if each.outcome is Outcome.PASSED
        ],
    }


def _read_tally(fields: Fields) -> Tally:
    passed = fields.integer("passed", low=0)
    total = fields.integer("total", low=0)
    results = [_read_failure(each) for each in fields.tables("failures")]
    results += [_read_result(each, Outcome.PASSED) for each in fields.tables("passes")]
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


def _read_failure(fields: Fields) -> CheckResult:
    outcome = fields.choice("outcome", Outcome)
    if outcome is Outcome.PASSED:
        fields.fail("outcome", "a check that passed is no failure")
    return _read_result(fields, outcome)


def _read_result(fields: Fields, outcome: Outcome) -> CheckResult:
    result = CheckResult(
        index=fields.integer("check", low=0),
        line=fields.integer("line", low=0),
        outcome=outcome,
        detail=fields.text("detail"),
    )
    fields.close()
    return result


def _read_fault(fields: Fields | None) -> Fault | None:
    if fields is None:
        return None
    fault = Fault(kind=fields.text("kind"), message=fields.text("message"))
    fields.close()
    return fault


def _read_timings(fields: Fields) -> dict[str, float]:
    return {name: fields.number(name, low=0) for name in fields.names()}
