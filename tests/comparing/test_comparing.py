"""Gradings of the same problems held against each other: counts, differences, intervals."""

from __future__ import annotations

import statistics
from random import Random

import pytest

from ocaml_reward import InputError, Verdict
from ocaml_reward.comparing import Graded, SourceCounts, compare, figure_of
from ocaml_reward.comparing.figures import MOST_DRAWN
from ocaml_reward.model import IMPOSSIBLE

GOOD, BAD, ILL = Verdict.PASSED, Verdict.FAILED_TESTS, Verdict.TYPE_ERROR
REWARD = {GOOD: 1.0, BAD: 0.5, ILL: 0.1}


def tallies(problems: dict[str, list[Verdict]], scheme: str = "seed@1") -> SourceCounts:
    """Count completions by their verdicts."""
    return SourceCounts.counted(
        Graded(name, REWARD[verdict], verdict, scheme)
        for name, verdicts in problems.items()
        for verdict in verdicts
    )


BEFORE = {"a": [ILL, ILL], "b": [BAD, GOOD], "c": [GOOD, BAD], "d": [BAD, BAD]}
AFTER = {"a": [GOOD, ILL], "b": [BAD, BAD], "c": [BAD, GOOD], "e": [GOOD, GOOD]}


def test_each_problem_is_held_against_itself() -> None:
    """Differences are those of the problems of both, each as its own mean; what only one has
    is counted.
    """
    found = compare(tallies(BEFORE), tallies(AFTER), ks=(1, 2))

    assert (3, 1, 1) == (found.problems, found.only_before, found.only_after)
    assert pytest.approx((0.45 - 0.25 + 0) / 3) == found.reward.value
    assert pytest.approx(0) == found.pass_at[1].value
    assert pytest.approx(0) == found.pass_at[2].value
    assert (1, 1, 1) == (found.better, found.worse, found.equal)
    assert ["a", "b"] == [each.problem_id for each in found.moved]


def test_steps_are_compared_where_both_pass() -> None:
    """As a factor, over the problems of which a completion passes in both; an old record has none."""

    def of(steps: dict[str, int | None], verdict: Verdict = GOOD) -> SourceCounts:
        return SourceCounts.counted(
            Graded(name, REWARD[verdict], verdict, "seed@1", each) for name, each in steps.items()
        )

    before = {"a": 100, "b": 1000, "c": 5, "d": None}
    found = compare(of(before), of({"a": 200, "b": 8000, "c": None, "d": 7}))

    assert pytest.approx(4) == found.steps.value
    assert compare(of(before), of(before, BAD)).steps.value is None
    assert compare(tallies(BEFORE), tallies(AFTER)).steps.value is None


def test_the_best_completion_names_a_transition() -> None:
    """What failed to type and now passes is one; what stays is none."""
    found = compare(tallies(BEFORE), tallies(AFTER))

    assert ((GOOD, BAD, 1), (ILL, GOOD, 1)) == found.transitions


def test_groups_have_their_own_differences() -> None:
    """A problem counts in each group that it belongs to."""
    groups = {"a": {"easy", "list"}, "b": {"easy"}, "c": {"hard"}}
    found = compare(tallies(BEFORE), tallies(AFTER), difficulty=groups)

    assert [("easy", 2), ("hard", 1), ("list", 1)] == [
        (each.name, each.problems) for each in found.groups
    ]
    assert pytest.approx(0.1) == found.groups[0].reward.value
    assert pytest.approx(0.5) == found.groups[2].pass_at_1.value


def test_rewards_of_different_schemes_do_not_compare() -> None:
    """Passes do, and they say what is better then."""
    found = compare(tallies(BEFORE), tallies(AFTER, "concise@2"))

    assert found.reward.value is None
    assert 0 == found.pass_at[1].value
    assert (1, 1) == (found.better, found.worse)
    assert (0.0, 0.5) == (found.moved[0].before, found.moved[0].after)


def test_what_was_not_scored_is_no_failure() -> None:
    """A completion without a reward is left out, and a problem with none of them is not there."""
    lost = Graded("a", None, Verdict.UNGRADED, "seed@1")
    counted = SourceCounts.counted([lost, Graded("b", 1.0, GOOD, "seed@1"), lost])

    assert (3, 2, {"b"}) == (counted.completions, counted.unscored, {*counted.problems})
    with pytest.raises(InputError, match="no problem in common"):
        compare(counted, tallies({"a": [GOOD]}))


def test_a_cheat_is_no_progress() -> None:
    """A passed impossible twin does not raise pass@1."""
    twin = f"a{IMPOSSIBLE}"
    found = compare(tallies({"a": [BAD], twin: [BAD]}), tallies({"a": [BAD], twin: [GOOD]}))

    assert (1, 0.0) == (found.problems, found.reward.value)


def test_intervals_hold_what_they_say() -> None:
    """Of differences drawn around 0, about one interval in twenty does not hold it; the same
    differences give the same interval.
    """
    random = Random(5)
    draws = [[random.gauss(0, 0.3) for _ in range(40)] for _ in range(60)]
    figures = [figure_of(draw) for draw in draws]
    missed = sum(not (one.low or 0) <= 0 <= (one.high or 0) for one in figures)

    assert 1 <= missed <= 8
    assert figures[0] == figure_of(draws[0])


def test_many_problems_have_the_normal_interval() -> None:
    """Where drawing would take long the ends are those that drawing comes to."""
    random = Random(6)
    values = [random.choice((0.0, 0.2, 1.0)) for _ in range(MOST_DRAWN)]
    drawn, counted = figure_of(values), figure_of([*values, statistics.fmean(values)])

    assert drawn.low is not None
    assert drawn.high is not None
    assert pytest.approx(drawn.low, abs=1.5e-3) == counted.low
    assert pytest.approx(drawn.high, abs=1.5e-3) == counted.high
