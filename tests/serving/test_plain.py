"""Values on the wire: every field travels, and what comes back is what was sent."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Optional, get_args, get_type_hints

import pytest

from ocaml_reward import FormatError
from ocaml_reward.codec.typed import read_json, read_plain, shape_of, to_json, to_plain
from ocaml_reward.engine import CheckRequest, Given, PreparedTests
from ocaml_reward.engine.prepare.prepared_by_request import Order, key_of, order_bytes, read_order
from ocaml_reward.engine.remote.messages import (
    About,
    check_item,
    prepared_to_plain,
    read_check_item,
    read_prepared,
)
from ocaml_reward.engine.run.check_results import ExpectedText
from ocaml_reward.model import (
    Blame,
    Branches,
    Budget,
    Check,
    CheckReport,
    CheckResult,
    Comparison,
    Limit,
    MergedError,
    MergeReason,
    Outcome,
    Part,
    Problem,
    ReferenceCosts,
    Stage,
    StdioCase,
    ThroughHoles,
)
from ocaml_reward.testing import diagnostic

REPORT = CheckReport(
    stage=Stage.EXECUTABLE,
    type_errors=0,
    typed_fraction=0.1,
    parsed_share=1.0,
    diagnostics=(diagnostic("half a pair: \ud800", hint="\u2028"),),
    forbidden=("Obj.magic",),
    results=(
        CheckResult(index=1, line=2, outcome=Outcome.RAISED, detail="\0", limit=Limit.CPU, steps=3),
    ),
    parts=(Part(names=("f",), lines=(1, 2), needs=(0,), acts=True),),
    unparsed=((1, 2),),
    put_in=((0, 0, "type t = A"),),
    through_holes=ThroughHoles(
        results=(),
        errors=((3, 4),),
        branches=Branches(spans=((5, 6),), entered=((0,), None)),
    ),
    branches=Branches(spans=(), entered=()),
    blame=(Blame(line=1, column=0, end_line=2, end_column=3, weight=0.5),),
    merged=(MergedError(why=MergeReason.WIDER, error=diagnostic("one of two")),),
    steps=3,
    cpu_s=0.25,
    timings_ms={"run": 0.25},
)
PREPARED = PreparedTests(
    checks=(Check(index=1, line=1, source="assert true"),),
    uses=("f",),
    stdio=(StdioCase(stdin="\ud800", stdout=""),),
    comparison=Comparison(relative=0.25, case_sensitive=False),
    in_process={0: "state", 3: "both sides"},
    leaning={"g2": ((0, 1),)},
    costs=ReferenceCosts(checks=(5, None), all_steps=7, cpu_s=0.25),
    printed={1: ExpectedText(text="a", telling=(0,))},
    given=Given(code="type t = A", needed=("t",)),
)
ORDER = Order(
    problem=Problem(
        id="p",
        tests=(StdioCase(stdin="1", stdout="2"),),
        reference="let x = 1",
        libraries=("str",),
        budget=(("check_cpu_s", 2), ("memory_mb", 64)),
        public_tests=(StdioCase(stdin="", stdout=""),),
        comparison=Comparison(absolute=0.5, unordered="lines"),
        judge="let judge = 1",
    ),
    budget=Budget(check_cpu_s=0.5),
)

# A value of each kind that a field of these classes may have, none of it the default.
SAMPLES: dict[Any, Any] = {bool: True, int: 7, float: 0.75, str: "text"}


def travelled(value: Any) -> Any:
    """Send a value through JSON."""
    return read_json(to_json(value))


def test_a_report_comes_back_whole() -> None:
    """A report read back equals the one sent, timings included, half surrogates too."""
    back = read_plain(CheckReport, travelled(to_plain(REPORT)))

    assert REPORT == back
    assert REPORT.timings_ms == back.timings_ms


def test_prepared_tests_come_back_without_what_the_server_keeps() -> None:
    """A client has all of prepared tests but the parse trees, and the order in their place."""
    back = read_prepared(b"order", travelled(prepared_to_plain(PREPARED)))

    assert dataclasses.replace(PREPARED, payload=b"order") == back


def test_an_order_comes_back_whole() -> None:
    """A problem keeps whole numbers whole and cases cases, and equal orders have one key."""
    sent = order_bytes(ORDER)
    back = read_order(json.loads(sent))

    assert ORDER == back
    assert key_of(sent) == key_of(order_bytes(back))


def test_a_request_comes_back_for_the_tests_of_its_key() -> None:
    request = CheckRequest(code="let \ud800", tests=PREPARED, libraries=("str",))
    back = read_check_item(travelled(check_item("sha256:0", request)), PREPARED)

    assert request == back


@pytest.mark.parametrize(
    ("kind", "kept"),
    [
        (CheckRequest, {"tests"}),
        (PreparedTests, {"payload", "outside", "written"}),
        (CheckReport, set()),
        (Order, set()),
        (Problem, set()),
        (Budget, set()),
        (About, set()),
    ],
    ids=lambda each: each.__name__ if isinstance(each, type) else "",
)
def test_every_field_travels(kind: Any, kept: set[str]) -> None:
    """Whatever field a class has or gains is sent and read back, but for those that stay."""
    names = {each.name for each in dataclasses.fields(kind) if each.init} - kept
    given: dict[str, Any] = {"tests": PREPARED, "payload": b"", "outside": None, "written": None}
    given = {name: given[name] for name in kept}
    hints = get_type_hints(kind)
    value = kind(**{name: sample(hints[name]) for name in names}, **given)
    sent = travelled(to_plain(value, leave=frozenset(kept)))
    back = read_plain(kind, sent, given=given)

    assert names == sent.keys()
    assert [getattr(value, name) for name in sorted(names)] == [
        getattr(back, name) for name in sorted(names)
    ]


def sample(hint: Any) -> Any:
    """Find a value of a declared type: a word for it, or a field of the examples."""
    for known in (
        SAMPLES,
        {type(each): each for each in (ORDER.problem, ORDER.budget, ORDER.problem.comparison)},
    ):
        if hint in known:
            return known[hint]
    found = [
        getattr(each, name)
        for each in (REPORT, PREPARED, ORDER, ORDER.problem)
        for name, declared in get_type_hints(type(each)).items()
        if declared == hint
    ]
    found += [SAMPLES[option] for option in get_args(hint) if option in SAMPLES]
    if not found and type(None) in (options := get_args(hint)):
        return sample(next(option for option in options if option is not type(None)))

    assert found, f"no sample of {hint}: give an example above a field of that type"
    return found[0]


def test_what_is_as_it_is_by_default_does_not_travel() -> None:
    """Only what a report says of its code is sent, and read back it has all its fields."""
    least = CheckReport(stage=Stage.SYNTAX_ERROR, type_errors=None)
    sent = to_plain(least)

    assert {"stage": "syntax_error", "type_errors": None} == sent
    assert least == read_plain(CheckReport, travelled(sent))


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {**to_plain(REPORT), "more": 1},
        {**to_plain(REPORT), "stage": "unheard"},
        {**to_plain(REPORT), "stage": []},
        {**to_plain(REPORT), "type_errors": True},
        {**to_plain(REPORT), "type_errors": "1"},
        {**to_plain(REPORT), "results": {}},
        {**to_plain(REPORT), "timings_ms": [["run"]]},
    ],
    ids=str,
)
def test_anything_else_is_refused(data: Any) -> None:
    """What is no report raises FormatError and never gives one."""
    with pytest.raises(FormatError):
        read_plain(CheckReport, data)


@pytest.mark.parametrize("text", [b"", b"{", b"NaN", b"[Infinity]", b"\xff", b"[" * 10**6])
def test_what_is_no_json_is_refused(text: bytes) -> None:
    """A body that is no JSON raises FormatError, however deep it is."""
    with pytest.raises(FormatError, match="not JSON"):
        read_json(text)


def test_versions_of_python_have_one_shape() -> None:
    """Python 3.14 has one class for both ways to write a union, so a digest must not tell them apart:
    client and server may be of different versions.
    """
    assert shape_of(Optional[int]) == shape_of(int | None)  # noqa: UP045
    assert shape_of(int | None) != shape_of(int | str)
