"""
What a search for reward finds that knows no answer.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.climb.searching import answers, changes, climb, is_better, is_blind
from ocaml_reward import Completion, Grader
from ocaml_reward.engine import select
from ocaml_reward.scheme import load, with_overrides
from tests.cheats.corpus import problems

LITTLE_TIME = ("budget.check_cpu_s=0.02", "budget.tests_cpu_s=0.04")
FEW = ("plateaus", "rotate-left", "power-mod", "search-tree")


@pytest.fixture(scope="module", params=["seed", "decisive"])
def grader(request: pytest.FixtureRequest) -> Iterator[Grader]:
    scheme = with_overrides(load(request.param), LITTLE_TIME)
    with Grader(scheme, engine=select.engine("warm"), jobs=2) as grader:
        yield grader


def test_a_search_finds_nothing_that_pays_for_no_attempt(grader: Grader) -> None:
    """
    What passes no check earns at most what an attempt does that fails, and a tenth where it
    never names what it is given; the same seed finds the same.
    """
    few = {name: problems()[name] for name in FEW}
    found = climb(grader, few, seed=3, rounds=4, width=30)
    useless = [each for each in found if not each.found.tests.passed]
    available = grader.scheme.available
    most = available.structural + available.type + available.compile
    blind = [each for each in useless if is_blind(each)]
    # What does not parse keeps its marker, and its share of items that do.
    broken = available.structural + 0.02 * available.type

    assert most >= max(each.reward for each in useless) - 1e-9
    assert len(blind) > 20
    assert max(0.1 * most, broken) >= max(each.reward for each in blind) - 1e-9
    again = climb(grader, few, seed=3, rounds=2, width=30)
    assert {each.text for each in again} < {each.text for each in found}


def test_what_spoils_or_changes_nothing_does_not_pay(grader: Grader) -> None:
    """
    A gain comes with a mistake less; what changes nothing changes no reward.
    """
    pairs = [
        (problem, Completion(text=f"{problem.reference}\n(* END *)\n"))
        for problem in problems().values()
        if problem.id in FEW
    ]
    bases = answers(grader, pairs)
    spoilt = changes(grader, bases, seed=3, make_worse=True)
    same = changes(grader, bases, seed=3, make_worse=False)

    assert [] == [each for each in spoilt if each.gain > 0 and not is_better(each)]
    assert [] == [each for each in same if each.gain]
