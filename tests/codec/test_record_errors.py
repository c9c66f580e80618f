"""Records that cannot be read: each is refused, with the path of what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from ocaml_reward.errors import FormatError
from ocaml_reward.record import (
    breakdown_from_dict,
    breakdown_to_dict,
)
from tests.example_breakdown import EXAMPLE


def _broken(**changes: Any) -> dict[str, Any]:
    return breakdown_to_dict(EXAMPLE) | changes


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (_broken(schema=2), "schema: this version reads schema 1 only"),
        (_broken(schema=True), "schema: expected a whole number, found true or false"),
        (_broken(extra=1), "extra: unknown key"),
        (_broken(reward=1.5), "reward: must be at most 1, found 1.5"),
        (_broken(reward=float("nan")), "reward: expected a finite number"),
        (_broken(reward=10**400), "reward: expected a finite number"),
        (_broken(reward=None), "reward: must be null exactly when there is a fault"),
        (_broken(code=None), "code: expected a string, found nothing"),
        (_broken(credits=[]), "credits: expected an object, found a list"),
        (_broken(forbidden=["x", 1]), "forbidden[1]: expected a string, found a whole"),
        (_broken(fault={"kind": "x"}), "fault.message: missing"),
        (_broken(timings_ms={"a": "b"}), "timings_ms.a: expected a number"),
    ],
)
def test_errors_name_the_path(record: dict[str, Any], message: str) -> None:
    """What cannot be read is refused with the path of the field."""
    with pytest.raises(FormatError) as caught:
        breakdown_from_dict(record)

    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"line": "x"}, "diagnostics[0].line: expected a whole number, found a string"),
        (
            {"line": None},
            "diagnostics[0].line: expected a whole number, found nothing",
        ),
        ({"kind": "x"}, "diagnostics[0].kind: 'x' is not one of error, warning, "),
        ({"also": 1}, "diagnostics[0].also: unknown key"),
    ],
)
def test_errors_reach_into_lists(change: dict[str, Any], message: str) -> None:
    record = breakdown_to_dict(EXAMPLE)
    record["diagnostics"][0] |= change
    with pytest.raises(FormatError) as caught:
        breakdown_from_dict(record)

    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("part", "reason", "message"),
    [
        ("type", {"code": "x"}, "reasons.type.code: 'x' is not one of end_marker, "),
        ("type", {"code": "checks"}, "reasons.type.code: 'checks' is not one of err"),
        ("type", {"share": 2}, "reasons.type.share: must be at most 1, found 2"),
        ("type", {"errors": -1}, "reasons.type.errors: must be at least 0"),
        ("type", {"passed": 1}, "reasons.type.passed: unknown key"),
        ("tests", {"code": "checks"}, "reasons.tests.passed: missing"),
        ("compile", {"available": None}, "reasons.compile.available: expected a num"),
    ],
)
def test_a_reason_is_one_of_its_part(part: str, reason: dict[str, Any], message: str) -> None:
    record = breakdown_to_dict(EXAMPLE)
    record["reasons"][part] |= reason
    with pytest.raises(FormatError) as caught:
        breakdown_from_dict(record)

    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"passed": 2}, "tests.passed: 2, but 1 are listed"),
        ({"total": 1}, "tests.total: 1 checks, but 2 results"),
        ({"passes": []}, "tests.passed: 1, but 0 are listed"),
        (
            {"passes": [{"check": 1, "line": 4, "detail": ""}]},
            "tests.failures: a check is listed twice",
        ),
        (
            {"failures": [{"check": 1, "line": 5, "outcome": "passed", "detail": ""}]},
            "tests.failures[0].outcome: a check that passed is no failure",
        ),
    ],
)
def test_a_tally_must_add_up(change: dict[str, Any], message: str) -> None:
    """The counts of a record agree with its lists."""
    record = breakdown_to_dict(EXAMPLE)
    record["tests"] |= change
    with pytest.raises(FormatError) as caught:
        breakdown_from_dict(record)

    assert message == str(caught.value)


def test_a_record_is_an_object() -> None:
    with pytest.raises(FormatError, match="value: expected an object, found a list"):
        breakdown_from_dict([])  # type: ignore[arg-type]


REGION = {
    "start": 0, "stop": 1, "line": 1, "end_line": 1, "mark": "wrong", "ground": "error",
    "names": [], "passed": 0, "failed": 0, "places": [{"start": 0, "stop": 1}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": -1}, "regions[0].start: must be at least 0"),
        ({"ground": "luck"}, "regions[0].ground: 'luck' is not one of error,"),
        ({"mark": "right"}, "regions[0].mark: must be wrong, found right"),
        ({"places": [{"start": 0}]}, "regions[0].places[0].stop: missing"),
        ({"extra": 1}, "regions[0].extra: unknown key"),
    ],
)
def test_errors_in_regions_name_the_path(change: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        breakdown_from_dict(_broken(regions=[REGION | change]))

    assert str(caught.value).startswith(message)
