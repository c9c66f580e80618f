"""A run's course: its epochs, its milestones, what is told of it again, when it should stop."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import pytest

from tests.trainer.health_runs import USUAL, found, run, through, told
from trainer_plugin.health import apply_rules
from trainer_plugin.learning import LearningStep

FOUR_EPOCHS = (
    (0.2604, 0.5344, 0.1980),
    (0.2662, 0.5622, 0.3853),
    (0.2804, 0.5575, 0.3552),
    (0.2553, 0.5686, 0.4473),
)


@pytest.mark.parametrize("parts", [(1.0,), (0.25, 0.5, 0.75, 1.0), (0.3, 0.6, 0.9)])
def test_the_epochs_of_a_long_run(parts: tuple[float, ...]) -> None:
    """Of four epochs the loss jumped in the second, the reward hardly rose until the third,
    and fell in the last while best-of-N rose: however often the run was logged.
    """
    steps = [
        replace(USUAL, epoch=number + part, reward=reward, best_of_n=best, loss=loss)
        for number, (reward, best, loss) in enumerate(FOUR_EPOCHS)
        for part in parts
    ]
    lines = [
        (math.ceil(step.epoch), each.rule)
        for step, each in apply_rules(steps)
        if each.rule not in {"milestone", "reward-regression"}
    ]
    (regression,) = [
        each.seen for _, each in apply_rules(steps) if each.rule == "reward-regression"
    ]
    late = 0 if parts[-1] == 1.0 else 1

    assert [(2 + late, "loss-instability"), (3 + late, "plateau")] == lines[:2]
    assert (
        "the epoch's mean reward fell from 0.280 to 0.255, while best-of-N rose from 0.557"
        " to 0.569" == regression
    )


def test_the_ranges_of_a_struggling_run() -> None:
    """The ranges that the guide's first run was judged by: entropy from 0.045 to 0.217,
    rewards of a tenth by epoch 0.5, a quarter to half of the groups uniform.
    """
    shares = (0.0, 0.0, 0.25, 0.25, 0.5, 0.25)
    steps = [
        replace(
            USUAL,
            epoch=0.25 + 0.05 * number,
            reward=0.066 if number % 2 else 0.115,
            reward_std=0.07,
            entropy=0.045 if number % 3 else 0.217,
            frac_zero_std=shares[number % 6],
        )
        for number in range(12)
    ]

    assert [
        (3, "entropy-swing"),
        (5, "milestone"),
        (5, "high-variance"),
        (6, "mode-collapse"),
        (6, "milestone"),
    ] == told(steps)


@pytest.mark.parametrize(
    ("epoch", "changed", "missed"),
    [
        (0.29, {"reward": 0.1}, None),
        (0.3, {"reward": 0.1}, "0.3: reward at least 0.15, found 0.100"),
        (0.3, {"reward": 0.16}, None),
        (0.5, {"reward": 0.19}, "0.5: reward at least 0.2, found 0.190"),
        (0.5, {"frac_zero_std": 0.2}, "0.5: frac_zero_std at most 0.1, found 0.200"),
        (0.5, {"pass_at_1": 0.0}, "0.5: pass_at_1 above 0, found 0.000"),
        (0.5, {"pass_at_1": 0.01}, None),
        (1.0, {"reward": 0.34}, "1: reward at least 0.35, found 0.340"),
        (1.0, {"pass_at_1": 0.05}, "1: pass_at_1 at least 0.1, found 0.050"),
        (1.0, {"reward": 0.36, "pass_at_1": 0.1}, None),
    ],
)
def test_milestones(epoch: float, changed: dict[str, float], missed: str | None) -> None:
    """What a run should have come to at epochs 0.3, 0.5 and 1.0 is asked from there on."""
    steps = run(5, **{"epoch": epoch} | changed)
    seen = [each.seen for _, each in apply_rules(steps) if each.rule == "milestone"]

    assert seen == ([f"expected from epoch {missed}"] if missed else [])


def test_a_milestone_each() -> None:
    """A run that stays behind is told so at every one."""
    steps = through(0.1, 1.2, 111, reward=0.1)
    at = [step.epoch for step, each in apply_rules(steps) if each.rule == "milestone"]

    assert [0.3, 0.5, 1.0] == pytest.approx(at)


def test_a_finding_returns() -> None:
    """It is told again when it is half as bad again, or has been away for a while; not while
    it lasts.
    """
    steps = [
        *run(3, grad_norm=11.0),
        *run(1, grad_norm=17.0),
        *run(30, grad_norm=11.0),
        *run(30),
        *run(2, grad_norm=11.0),
    ]

    assert [(line, "gradient-instability") for line in (1, 4, 65)] == told(steps)


def test_a_finding_that_gets_milder_is_no_news() -> None:
    """A collapse that turns into a warning of one is told as the worse of the two."""
    steps = [*run(10, frac_zero_std=0.9), *run(10, frac_zero_std=0.9, entropy=0.2)]
    milder = run(10, frac_zero_std=0.7)

    assert [(5, "mode-collapse")] == told([*steps, *milder])


# The rewards of few solved problems lie far apart.
SPREAD = {"high-variance warning"}
SOLVES = {"epoch": 1.0, "reward": 0.16, "pass_at_1": 0.12}
STARTS = {"epoch": 0.3, "reward": 0.03, "pass_at_1": 0.0}


@pytest.mark.parametrize(
    ("figures", "rules"),
    [
        (SOLVES, set()),
        (STARTS, set()),
        (SOLVES | {"reward": 0.12, "pass_at_1": 0.07}, {"milestone warning"}),
        (STARTS | {"reward": 0.02}, {"milestone warning"}),
    ],
    ids=["a tenth passes", "as far as seed's 0.15", "too few pass", "hardly types"],
)
def test_a_scheme_that_pays_for_solved_problems_is_asked_for_as_much(
    figures: dict[str, float], rules: set[str]
) -> None:
    """With 0.8 of the reward kept for them a run earns a fifth of what `seed` pays for code that
    solves nothing: its bounds say no more of such a run than of one with `seed`.
    """
    steps = run(10, **figures)
    kept = [replace(step, solved_share=0.8) for step in steps]

    assert rules == found(kept) - SPREAD
    assert "milestone warning" in found(steps)


LOW = {"epoch": 1.0, "reward": 0.10, "frac_zero_std": 0.4, "pass_at_1": 0.0}
BEFORE = LOW | {"epoch": 0.9}


@pytest.mark.parametrize(
    ("steps", "stops"),
    [
        (run(10, **LOW), True),
        (run(4, **LOW), False),
        (run(10, **LOW | {"epoch": 0.99}), False),
        (run(10, **LOW | {"reward": 0.4, "frac_zero_std": 0.2}), False),
        ([*run(1, **LOW | {"pass_at_1": 0.6}), *run(9, **LOW)], False),
        ([*run(1, **LOW | {"pass_at_1": 0.6}), *run(60, **LOW)], True),
        ([*run(5, **BEFORE | {"reward": 0.05}), *run(5, **LOW)], False),
        ([*run(5, **BEFORE | {"frac_zero_std": 0.6}), *run(5, **LOW)], False),
        ([*run(5, **BEFORE | {"reward": 0.12}), *run(5, **LOW)], True),
    ],
    ids=[
        "flat",
        "few",
        "early",
        "high",
        "passes",
        "passed once",
        "rising",
        "diversifying",
        "falling",
    ],
)
def test_stop_criteria(steps: list[LearningStep], stops: bool) -> None:
    """After an epoch a run stops that is low or uniform, unless a green light says go on;
    completions that passed long ago are none.
    """
    assert stops == ("stop-criteria critical" in found(steps))


def test_a_healthy_run_with_small_batches_is_left_alone() -> None:
    """An epoch of updates with four rows each, the reward rising from 0.10 to 0.60: nothing
    is critical, whatever chance does.
    """
    random = Random(1)
    steps = [
        replace(
            USUAL,
            epoch=at / 2000,
            loss=random.gauss(0, 0.49),
            reward=min(1.0, max(0.0, random.gauss(0.1 + 0.5 * at / 2000, 0.08))),
            grad_norm=random.lognormvariate(-2, 0.5),
            entropy=random.gauss(0.12, 0.02),
            frac_zero_std=random.choices((0.0, 0.25), (3, 1))[0],
            pass_at_1=0.3 * at / 2000,
            fresh=at % 6 == 0,
        )
        for at in range(2000)
    ]

    assert not any(each.endswith("critical") for each in found(steps))
