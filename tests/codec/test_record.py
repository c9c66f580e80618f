"""Records: what they hold, that nothing is lost, and what the reader refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocaml_reward.codec.typed import codec_of
from ocaml_reward.model import (
    Breakdown,
    CheckResult,
    Credits,
    Diagnostic,
    DiagnosticKind,
    DiagnosticSource,
    Fault,
    Ground,
    Outcome,
    Penalty,
    Region,
    Span,
    SubLocation,
    Tally,
    Verdict,
)
from ocaml_reward.reasons import FIGURES, Reason, Reasons, Why
from ocaml_reward.record import (
    SCORE_KEYS,
    TRAINING_KEYS,
    breakdown_from_dict,
    breakdown_to_dict,
    diagnostic_to_dict,
    dumps,
)
from tests.example_breakdown import EXAMPLE

FINITE = st.floats(0, 1, allow_nan=False)
COUNTS = ("errors", "rung", "passed", "total")
SMALL = st.integers(0, 10_000)
SPANS = st.builds(
    Span,
    line=SMALL,
    end_line=SMALL,
    column=st.none() | SMALL,
    end_column=st.none() | SMALL,
)
SUBS = st.builds(SubLocation, file=st.text(), span=st.none() | SPANS, message=st.text())
DIAGNOSTICS = st.builds(
    Diagnostic,
    kind=st.sampled_from(DiagnosticKind),
    source=st.sampled_from(DiagnosticSource),
    message=st.text(),
    file=st.none() | st.text(),
    span=st.none() | SPANS,
    number=st.none() | SMALL,
    name=st.none() | st.text(),
    hint=st.none() | st.text(),
    sub=st.lists(SUBS, max_size=2).map(tuple),
)


@st.composite
def tallies(draw: st.DrawFn) -> Tally:
    """Make results in the order of their numbers, and at least as many checks."""
    numbers = draw(st.sets(st.integers(0, 50), max_size=8))
    results = tuple(
        CheckResult(
            index=number,
            line=draw(SMALL),
            outcome=draw(st.sampled_from(Outcome)),
            detail=draw(st.text()),
        )
        for number in sorted(numbers)
    )
    return Tally(total=len(results) + draw(st.integers(0, 9)), results=results)


@st.composite
def reasons(draw: st.DrawFn) -> Reasons:
    """Make any reasons that the parts may have, with the figures of their codes."""
    found = {}
    unpaid = draw(st.sampled_from([(), ("solved",)]))
    for part, codes in FIGURES.items():
        if part in unpaid:
            continue
        code = draw(st.sampled_from(list(codes)))
        figures: dict[str, Any] = {
            name: draw(SMALL if name in COUNTS else FINITE) for name in codes[code]
        }
        found[part] = Reason(code=code, available=draw(FINITE), **figures)
    return Reasons(**found)


REGIONS = st.builds(
    Region,
    start=SMALL,
    stop=SMALL,
    line=st.integers(1, 99),
    end_line=st.integers(1, 99),
    ground=st.sampled_from(Ground),
    names=st.lists(st.text(), max_size=2).map(tuple),
    passed=SMALL,
    failed=SMALL,
    places=st.lists(st.tuples(SMALL, SMALL), max_size=2).map(tuple),
)


@st.composite
def breakdowns(draw: st.DrawFn) -> Breakdown:
    """Make any breakdown that keeps the model's own invariants."""
    fault = draw(st.none() | st.builds(Fault, kind=st.text(), message=st.text()))
    parts = st.builds(
        Credits,
        structural=FINITE,
        type=FINITE,
        compile=FINITE,
        tests=FINITE,
        solved=st.just(0.0) | FINITE,
    )
    penalties = st.builds(
        Penalty,
        code=st.text(),
        factor=FINITE,
        evidence=st.text(),
        cap=st.none() | FINITE,
    )
    return Breakdown(
        problem_id=draw(st.text()),
        reward=None if fault else draw(FINITE),
        verdict=draw(st.sampled_from(Verdict)),
        credits=draw(parts),
        reasons=draw(st.none() | reasons()),
        penalties=tuple(draw(st.lists(penalties, max_size=3))),
        code=draw(st.text()),
        type_errors=draw(st.none() | SMALL),
        typed_fraction=draw(st.none() | st.floats(0, 1)),
        parsed_share=draw(st.none() | FINITE),
        truncated=draw(st.none() | st.booleans()),
        diagnostics=tuple(draw(st.lists(DIAGNOSTICS, max_size=2))),
        forbidden=tuple(draw(st.lists(st.text(), max_size=2))),
        tests=draw(tallies()),
        regions=draw(st.none() | st.lists(REGIONS, max_size=2).map(tuple)),
        through_holes=draw(st.none() | tallies().map(lambda tally: tally.results)),
        fault=fault,
        engine=draw(st.text()),
        sandbox=draw(st.text()),
        scheme=draw(st.text()),
        toolchain=draw(st.text()),
        timings_ms=draw(st.dictionaries(st.text(), FINITE, max_size=2)),
    )


class TestRoundTrip:
    """from_dict(to_dict(x)) == x; unknown keys are refused."""

    @given(breakdown=breakdowns())
    @settings(max_examples=60, deadline=None)
    def test_reading_gives_back_what_was_written(self, breakdown: Breakdown) -> None:
        """A breakdown survives its record, timings included."""
        back = breakdown_from_dict(breakdown_to_dict(breakdown))

        assert breakdown == back
        assert breakdown.timings_ms == back.timings_ms

    @given(breakdown=breakdowns())
    @settings(max_examples=60, deadline=None)
    def test_a_line_of_json_gives_back_what_was_written(self, breakdown: Breakdown) -> None:
        line = dumps(breakdown_to_dict(breakdown))

        assert breakdown == breakdown_from_dict(json.loads(line))

    @given(diagnostic=DIAGNOSTICS)
    @settings(max_examples=60, deadline=None)
    def test_diagnostics_round_trip(self, diagnostic: Diagnostic) -> None:
        assert diagnostic == codec_of(Diagnostic).read(diagnostic_to_dict(diagnostic))


def test_the_keys_come_in_one_order() -> None:
    """A record starts with what people look for and ends with what varies: the timings."""
    keys = list(breakdown_to_dict(EXAMPLE))

    assert ["schema", "problem_id", "reward", "verdict", "credits"] == keys[:5]
    assert "timings_ms" == keys[-1]


def test_the_failures_are_listed_apart() -> None:
    """Every check that did not pass stands in `failures`, with its line and outcome."""
    tests = breakdown_to_dict(EXAMPLE)["tests"]

    assert 1 == tests["passed"]
    assert 3 == tests["total"]
    assert [{"check": 1, "line": 5, "outcome": "raised", "detail": "Not_found"}] == tests[
        "failures"
    ]
    assert [{"check": 0, "line": 4, "detail": ""}] == tests["passes"]


@pytest.mark.parametrize(
    "code", ["\ud800", "\udc80x", "\u2028", "\x85", "\x00", "\x9b", "\u202e", "\u2066"]
)
def test_any_text_is_one_line_of_utf8(code: str) -> None:
    """Lone surrogates, NUL and characters that end a line for some readers are escaped."""
    line = dumps({"code": code})

    assert 1 == len(line.splitlines())
    assert code == json.loads(line.encode().decode())["code"]


def test_plain_text_is_not_escaped() -> None:
    """Records of other languages stay readable."""
    assert '{"code":"λ → 漢"}' == dumps({"code": "λ → 漢"})


def test_the_keys_of_score_and_of_a_training_are_skipped() -> None:
    """What stands beside a breakdown in a file is not part of it."""
    beside = dict.fromkeys((*SCORE_KEYS, *TRAINING_KEYS))

    assert EXAMPLE == breakdown_from_dict(breakdown_to_dict(EXAMPLE) | beside)


def test_a_solved_problem_is_in_records_of_schemes_that_pay_for_it() -> None:
    """Its credit and its reason are there together, also where nothing was earned; records of
    other schemes have the four parts that they always had.
    """
    assert EXAMPLE.reasons is not None
    unsolved = Reason(code=Why.UNSOLVED, available=0.8, passed=1, total=3)
    paid = replace(EXAMPLE, reasons=replace(EXAMPLE.reasons, solved=unsolved))
    before, after = breakdown_to_dict(EXAMPLE), breakdown_to_dict(paid)

    assert ["structural", "type", "compile", "tests"] == list(before["credits"])
    assert ["structural", "type", "compile", "tests"] == list(before["reasons"])
    assert before["credits"] | {"solved": 0.0} == after["credits"]
    assert (
        before["reasons"]
        | {"solved": {"code": "unsolved", "available": 0.8, "passed": 1, "total": 3}}
        == after["reasons"]
    )


@pytest.mark.parametrize("name", ["typed_fraction", "truncated"])
def test_records_from_before_a_key_are_read(name: str) -> None:
    record = breakdown_to_dict(replace(EXAMPLE, truncated=True))
    del record[name]
    gone: dict[str, Any] = {"truncated": True} | {name: None}

    assert replace(EXAMPLE, **gone) == breakdown_from_dict(record)


def test_records_without_reasons_are_read() -> None:
    record = breakdown_to_dict(EXAMPLE)
    del record["reasons"]

    assert replace(EXAMPLE, reasons=None) == breakdown_from_dict(record)
