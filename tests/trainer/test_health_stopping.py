"""When a validation reward has fallen, on simulated runs."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from trainer_plugin.health.stopping import (
    Evaluation,
    StretchMean,
    find_fall,
    standard_error,
    stretch_length,
    stretches,
)

RUNS = 200


def stopped_at(
    curve: Callable[[float], float],
    *,
    epochs: int,
    an_epoch: int,
    noise: float,
    random: Random,
) -> float | None:
    """Simulate a run whose reward is `curve` of the epoch; return when it is stopped."""
    told: list[Evaluation] = []
    for number in range(1, epochs * an_epoch + 1):
        epoch = number / an_epoch
        value = random.gauss(curve(epoch), noise)
        told.append(Evaluation(epoch=epoch, value=value, error=noise))
        if find_fall(stretches(told, stretch_length(epochs)), 2):
            return epoch
    return None


@pytest.mark.parametrize("noise", [0.010, 0.0125, 0.015])
@pytest.mark.parametrize(("epochs", "an_epoch"), [(1, 75), (1, 9), (4, 9), (10, 8), (75, 1)])
def test_a_rising_run_is_not_stopped(epochs: int, an_epoch: int, noise: float) -> None:
    """Of runs that rise from 0.10 to 0.50 fewer than one in a hundred is stopped."""
    random = Random(0)
    ends = [
        stopped_at(
            lambda epoch: 0.1 + 0.4 * epoch / epochs,
            epochs=epochs,
            an_epoch=an_epoch,
            noise=noise,
            random=random,
        )
        for _ in range(RUNS)
    ]

    assert sum(end is not None for end in ends) < RUNS / 100


@pytest.mark.parametrize(("epochs", "an_epoch"), [(1, 75), (4, 9), (10, 8), (75, 1)])
def test_a_run_that_stays_is_hardly_stopped(epochs: int, an_epoch: int) -> None:
    """Where nothing changes, about one run in a hundred is taken for falling."""
    random = Random(0)
    ends = [
        stopped_at(
            lambda _: 0.3,
            epochs=epochs,
            an_epoch=an_epoch,
            noise=0.0125,
            random=random,
        )
        for _ in range(RUNS)
    ]

    assert sum(end is not None for end in ends) < RUNS / 50


@pytest.mark.parametrize(
    ("loss", "noise", "least"),
    [(0.0255, 0.010, 0.98), (0.0255, 0.0125, 0.95), (0.0255, 0.015, 0.9), (0.04, 0.015, 0.99)],
)  # fmt: skip
def test_a_real_fall_is_caught_in_two_epochs(loss: float, noise: float, least: float) -> None:
    """A reward of 0.28 that loses 0.0255 or more an epoch, as a real run's did, ends it."""
    random = Random(0)
    ends = [
        stopped_at(
            lambda epoch: 0.28 - loss * max(0.0, epoch - 3),
            epochs=6,
            an_epoch=9,
            noise=noise,
            random=random,
        )
        for _ in range(RUNS)
    ]

    assert sum(end is not None and end <= 5 for end in ends) >= least * RUNS
    assert sum(end is not None and end <= 3 for end in ends) <= RUNS / 50


def test_an_epoch_that_is_not_over_is_not_looked_at() -> None:
    """Evaluations are put together by epoch; one more would still belong to the last."""
    told = [
        Evaluation(epoch=epoch, value=value, error=0.02)
        for epoch, value in ((0.5, 0.2), (1.0, 0.4), (1.5, 0.5), (2.0, 0.5), (2.5, 0.1))
    ]

    assert [0.3, 0.5] == [pytest.approx(each.mean) for each in stretches(told, stretch_length(4))]
    assert pytest.approx(0.02 / 2**0.5) == stretches(told, stretch_length(4))[0].error
    assert 0.1 == stretch_length(1)


def test_a_tiny_fall_is_none() -> None:
    """Where completions are all alike nothing is uncertain, and yet a hair's breadth counts
    for nothing.
    """
    known = [StretchMean(mean=mean, error=0.0) for mean in (0.300, 0.299, 0.298)]

    assert find_fall(known, 2) is None
    assert find_fall([*known, StretchMean(mean=0.27, error=0.0)], 2) is not None


def test_an_error_that_is_not_known_is_the_largest() -> None:
    """Rewards lie between 0 and 1, so their mean says how much they can differ."""
    assert 0.0625 == standard_error(0.5, None, 64)
    assert 0.0125 == pytest.approx(standard_error(0.5, 0.01, 64))
