"""Metrics over the gradings of several problems."""

from __future__ import annotations

import itertools
import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_reward.metrics import (
    Diversity,
    best_of_n,
    cv,
    diversity,
    frac_zero_std,
    mean,
    pass_at_1,
    pass_at_all,
    pass_at_k,
    std,
    unbiased_pass_at_k,
)

SEED_EXAMPLE = [[True, False, False, False], [True, True, False, False]]


def test_pass_at_1_is_the_seeds_own_example() -> None:
    """One of 4 and 2 of 4 correct give (0.25 + 0.50) / 2."""
    assert 0.375 == pass_at_1(SEED_EXAMPLE)


def test_pass_at_all_counts_problems_solved_at_least_once() -> None:
    assert 0.5 == pass_at_all([[True, False], [False, False]])


@pytest.mark.parametrize("n", [1, 2, 5, 7])
def test_pass_at_k_counts_the_draws(n: int) -> None:
    """The estimator is the share of all draws of k that hold a correct completion."""
    for c, k in itertools.product(range(n + 1), range(1, n + 1)):
        draws = list(itertools.combinations([True] * c + [False] * (n - c), k))
        share = statistics.fmean(any(draw) for draw in draws)

        assert share == pytest.approx(unbiased_pass_at_k(n, c, k))


def test_pass_at_k_needs_k_completions() -> None:
    """Problems with fewer are left out; with none left there is no pass@k."""
    assert unbiased_pass_at_k(3, 1, 4) is None
    assert pass_at_k(SEED_EXAMPLE, 5) is None
    assert 0.75 == pass_at_k([[True], [True, False]], 1)
    assert 1.0 == pass_at_k([[True], [True, False]], 2)


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_pass_at_k_of_nonsense_is_refused(n: int, c: int, k: int) -> None:
    """More correct than generated, or a draw of none, is a mistake of the caller."""
    with pytest.raises(ValueError, match="no pass@"):
        unbiased_pass_at_k(n, c, k)


@given(st.lists(st.lists(st.booleans(), min_size=1), min_size=1, max_size=8))
def test_pass_at_1_is_the_first_pass_at_k(groups: list[list[bool]]) -> None:
    first = pass_at_1(groups)

    assert first is not None
    assert first == pytest.approx(pass_at_k(groups, 1))


def test_best_of_n_averages_the_best() -> None:
    assert 0.6 == pytest.approx(best_of_n([[0.1, 0.4], [0.8, 0.2]]))


def test_frac_zero_std_counts_groups_that_teach_nothing() -> None:
    """Equal rewards give a group no signal; a group of one is no group."""
    assert 0.5 == frac_zero_std([[0.05, 0.05], [0.1, 0.2]])
    assert 1.0 == frac_zero_std([[0.3, 0.3], [0.9]])
    assert frac_zero_std([[0.9]]) is None


def test_spread_is_that_of_the_population() -> None:
    """The deviation divides by n, and CV is deviation by mean."""
    assert 0.125**0.5 == std([0.25, 0.75])
    assert 2 * 0.125**0.5 == cv([0.25, 0.75])
    assert 0.0 == std([0.25])
    assert 0.5 == mean([0.25, 0.75])


@given(st.floats(0, 1), st.integers(1, 20))
def test_equal_rewards_have_no_spread(reward: float, count: int) -> None:
    """Rounding never makes a deviation of equal rewards."""
    assert 0.0 == std([reward] * count)


def test_ungraded_completions_are_left_out() -> None:
    """A reward that is None counts for no metric."""
    assert 0.5 == mean([0.5, None])
    assert 1.0 == pass_at_1([[True, None], [None]])
    assert 1.0 == frac_zero_std([[0.5, 0.5, None]])
    assert 0.5 == best_of_n([[None, 0.5], [None]])


def test_nothing_graded_is_none() -> None:
    """Without anything to measure a metric is None, not 0."""
    for metric in (pass_at_1, pass_at_all, best_of_n, frac_zero_std):
        assert metric([]) is None
        assert metric([[None]]) is None
    for number in (mean, std, cv):
        assert number([]) is None
    assert cv([0.0, 0.0]) is None
    assert diversity([[]]) is None


class TestDiversity:
    """Share of unique completions; mean pairwise similarity."""

    def test_copies_are_not_diverse(self) -> None:
        """Equal texts are alike and not unique."""
        assert Diversity(unique_share=0.5, similarity=1.0) == diversity(
            [["let f x = x", "let f x = x"]]
        )

    def test_strangers_are_diverse(self) -> None:
        """Texts without three words in common have nothing alike."""
        assert Diversity(unique_share=1.0, similarity=0.0) == diversity(
            [["let f x = x", "match y with _ -> 0"]]
        )

    def test_problems_are_averaged(self) -> None:
        assert Diversity(unique_share=0.75, similarity=1.0) == diversity([["a", "a"], ["a"]])

    def test_many_texts_are_sampled_evenly(self) -> None:
        """A group of any size is measured in bounded time, and always alike."""
        texts = [f"let f x = x + {number % 2}" for number in range(4_000)]
        first = diversity([texts])

        assert first == diversity([list(texts)])
        assert first is not None
        assert first.similarity is not None
        assert math.isfinite(first.similarity)
