"""Groups of cases: what they earn, and what every scheme pays for that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_reward import Completion, Grader, Problem, ProblemError, StdioCase
from ocaml_reward.codec.typed import read_json
from ocaml_reward.engine.prepare.prepared_by_request import Order, order_bytes, read_order
from ocaml_reward.model import Budget, CaseGroup, CheckResult, Outcome, groups_of
from ocaml_reward.reasons import Reason, Why
from ocaml_reward.record import breakdown_from_dict, breakdown_to_dict, dumps, loads
from ocaml_reward.scheme import load
from ocaml_reward.scoring.grouped import earned, share_of
from ocaml_reward.scoring.rescoring import Rescoring
from ocaml_reward.testing import FakeEngine, report
from tests.scoring_strategies import SETTINGS

CASES = 6


def case(number: int = 0, **fields: Any) -> StdioCase:
    return StdioCase(stdin=f"{number}\n", stdout="1\n", **fields)


def results(shares: list[float]) -> list[CheckResult]:
    """Return results of cases of which each earns a share."""
    return [
        CheckResult(
            index=number,
            line=number,
            outcome=Outcome.PASSED if share == 1 else Outcome.FAILED,
            partial=0.0 if share == 1 else share,
        )
        for number, share in enumerate(shares, 1)
    ]


BATCHES = (
    case(points=0.0, group="pretest"),
    case(points=10.0, needs=("pretest",)),
    case(group="1", points=20.0, needs=("pretest",)),
    case(group="1"),
    case(group="2", points=30.0),
    case(group="3", points=40.0, needs=("1", "2")),
)


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ([1, 1, 1, 1, 1, 1], [0, 10, 20, 30, 40]),
        ([1, 1, 1, 0, 1, 1], [0, 10, 0, 30, 0]),
        ([1, 0, 1, 1, 1, 0], [0, 0, 20, 30, 0]),
        ([0, 1, 1, 1, 1, 1], [0, 0, 0, 30, 0]),
        ([1, 1, 0.5, 1, 1, 1], [0, 10, 10, 30, 0]),
        ([1, 1, 0.5, 0.25, 0.5, 1], [0, 10, 5, 15, 0]),
    ],
)
def test_a_group_earns_what_its_worst_case_does(shares: list[float], expected: list[float]) -> None:
    """And nothing where a group that it needs has not passed, or itself lacks what it needs."""
    groups = groups_of(BATCHES)

    assert ["pretest", "", "1", "2", "3"] == [each.name for each in groups]
    assert expected == earned(groups, results(shares))
    assert sum(expected) / 100 == pytest.approx(share_of(groups, results(shares)), abs=1e-4)


def test_cases_that_earn_the_same_have_no_groups() -> None:
    """Their credit is computed as it always was, and their records have no other key."""
    assert () == groups_of((case(1), case(2)))
    assert () == groups_of("let () = assert true")


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        ([case(group="a", points=1.0), case(group="a", points=2.0)],
         "the cases of group 'a' say different points"),
        ([case(points=-1.0)], "expected a number from 0 to 1,000,000"),
        ([case(points=float("nan"))], "expected a number from 0 to 1,000,000"),
        ([case(points=2e6)], "expected a number from 0 to 1,000,000"),
        ([case(needs=("b",)), case(group="b")], "case 1 needs 'b', which is no earlier group"),
        ([case(group="a", needs=("a",))], "case 1 needs 'a', which is no earlier group"),
        ([case(), case(points=0.0)], "case 2 earns no points, and no other needs its group"),
        ([case(group="a", points=0.0), case(group="b", points=0.0, needs=("a",))],
         "case 2 earns no points, and no other needs its group"),
    ],
)  # fmt: skip
def test_what_would_pay_unfairly_is_refused(cases: list[StdioCase], said: str) -> None:
    """A case that fails for nothing, above all."""
    with pytest.raises(ProblemError, match=said):
        groups_of(cases)
    with pytest.raises(ProblemError, match=said):
        Grader("concise", engine=FakeEngine()).prepare(Problem(id="p", tests=tuple(cases)))


@st.composite
def grouped(draw: st.DrawFn) -> tuple[CaseGroup, ...]:
    """Draw groups of six cases."""
    names = draw(st.lists(st.sampled_from(["", "a", "b", "c"]), min_size=CASES, max_size=CASES))
    points = {name: draw(st.sampled_from([1e-6, 0.5, 1.0, 20.0, 1e6])) for name in names}
    seen: list[str] = []
    cases = []
    for name in names:
        others = sorted({each for each in seen if each and each != name} - {""})
        is_first = name not in seen
        needs = draw(st.lists(st.sampled_from(others), max_size=2)) if others and is_first else []
        seen.append(name)
        cases.append(case(group=name, points=points[name], needs=tuple(needs)))
    return groups_of(cases)


SHARES = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=CASES, max_size=CASES)


@given(groups=grouped(), shares=SHARES, place=st.integers(0, CASES - 1))
@SETTINGS
def test_all_is_earned_by_all_and_more_never_earns_less(
    groups: tuple[CaseGroup, ...], shares: list[float], place: int
) -> None:
    """However few points a case has: by far enough for a reward to tell."""
    better = [*shares]
    better[place] = 1.0
    share = share_of(groups, results(shares))

    assert 0 <= share <= share_of(groups, results(better)) <= 1
    assert (share == 1) == (set(shares) == {1.0})
    assert share == 1 or share < 1 - 1e-5


OUTCOMES = ("passed", "passed", "passed", "failed", "passed", "passed")
CODE = "let () = print_int 1"


def test_points_are_in_the_record_and_rescored() -> None:
    """The tests' part pays their share; the record has the groups, and gives what another scheme
    pays; so does a server's order.
    """
    problem = Problem(id="batches", tests=BATCHES)
    engine = FakeEngine(otherwise=report(*OUTCOMES))
    found, other = (
        Grader(scheme, engine=engine, jobs=1).grade(problem, Completion(text=CODE))
        for scheme in ("concise", "decisive")
    )
    read = breakdown_from_dict(loads(dumps(breakdown_to_dict(found)).encode()))
    rescored = Rescoring(load("concise"), load("concise")).of(read)
    available = load("concise").available.tests
    wanted = Reason(code=Why.GROUPS, available=available, passed=5, total=6, share=0.4)
    order = Order(problem=problem, budget=Budget())

    assert found.reasons is not None
    assert wanted == found.reasons.tests
    assert 0.4 * available == pytest.approx(found.credits.tests)
    assert found == read == replace(rescored, timings_ms=found.timings_ms)
    assert other.reasons is not None
    assert 0.4 == other.reasons.tests.share
    assert order == read_order(read_json(order_bytes(order)))
