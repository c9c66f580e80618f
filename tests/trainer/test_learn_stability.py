"""How alike seeds rank the variants."""

from __future__ import annotations

import math
from typing import Any

import pytest

from experiments.learn.stability import kendall_tau, stability


@pytest.mark.parametrize(
    ("one", "other", "tau"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 40], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        # Five pairs of six agree.
        ([1, 2, 3, 4], [1, 3, 2, 4], 4 / 6),
        # Of six pairs four agree, one is against, one is tied on one side: 3 / sqrt(6 * 5).
        ([1, 2, 3, 4], [1, 3, 2, 3], 3 / math.sqrt(6 * 5)),
        # Both tied in the same pair: 5 / sqrt(5 * 5).
        ([1, 1, 2, 3], [5, 5, 6, 7], 1.0),
        ([1, 2], [2, 2], None),
        ([1], [2], None),
        ([], [], None),
    ],
)
def test_tau_is_as_computed_by_hand(
    one: list[float], other: list[float], tau: float | None
) -> None:
    """With ties, without, and where there is nothing to rank; the same both ways."""
    assert kendall_tau(one, other) == (None if tau is None else pytest.approx(tau))
    assert kendall_tau(other, one) == kendall_tau(one, other)


def test_rankings_have_the_same_things() -> None:
    """Of more values on one side no rank is made."""
    with pytest.raises(ValueError, match="shorter"):
        kendall_tau([1, 2], [1])


def run(variant: str, seed: int, *course: float) -> dict[str, Any]:
    """Make what is told of a run."""
    return {
        "variant": variant,
        "seed": seed,
        "points": [{"pass_at_1": each} for each in course],
    }


def test_each_pair_of_seeds_is_compared() -> None:
    """By pass@1 over the whole run, of the variants that both have."""
    results = [
        run(variant, seed, 0.0, end)
        for seed, ends in enumerate([(0.1, 0.2, 0.3), (0.2, 0.3, 0.4), (0.3, 0.2, 0.1)])
        for variant, end in zip(("a", "b", "c"), ends, strict=True)
    ]
    text = stability(results)

    assert "tau -0.33 (-1.00 to 1.00), pairs of seeds: 3." in text
    assert text == stability([*results, run("d", 0, 0.0, 1.0)])
    assert "" == stability(results[:3])
