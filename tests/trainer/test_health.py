"""
The rules of health, on lines from real runs and on runs made for one rule each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from trainer_plugin.health import RULES, examined
from trainer_plugin.learning import LearningStep, line_of, of_line, of_logs

HEALTHY = """
[Epoch 0.10]  loss=-0.0311  grad=0.028  lr=2.00e-06  reward=0.207±0.006  syntax_rew=0.207±0.012  entropy=0.055  frac_zero_std=0.75
[Epoch 0.20]  loss=-0.0415  grad=0.035  lr=1.95e-06  reward=0.315±0.015  syntax_rew=0.315±0.018  entropy=0.068  frac_zero_std=0.50
[Epoch 0.30]  loss=-0.0520  grad=0.042  lr=1.90e-06  reward=0.428±0.022  syntax_rew=0.428±0.025  entropy=0.074  frac_zero_std=0.25
"""
COLLAPSED = """
[Epoch 0.50]  loss=0.0000  grad=0.000  lr=1.85e-06  reward=0.210±0.000  syntax_rew=0.210±0.000  entropy=0.044  frac_zero_std=1.00
[Epoch 0.51]  loss=0.0000  grad=0.000  lr=1.84e-06  reward=0.210±0.000  syntax_rew=0.210±0.000  entropy=0.044  frac_zero_std=1.00
"""
RUNAWAY = """
[Epoch 0.25]  loss=-0.0311  grad=0.028  lr=1.98e-06  reward=0.050±0.000  syntax_rew=0.050±0.000  entropy=0.055  frac_zero_std=1.00
"""
UNSTABLE = """
[Epoch 0.35]  loss=0.0947  grad=15.786  lr=1.90e-06  reward=0.207±0.012  entropy=0.103  frac_zero_std=0.75
[Epoch 0.36]  loss=-0.0312  grad=0.024  lr=1.89e-06  reward=0.207±0.006  entropy=0.080  frac_zero_std=0.75
"""
EARLY = """
[Epoch 0.28]  loss=-0.0469  grad=0.0838  lr=3.58e-06  reward=0.102±0.077  syntax_rew=0.102±0.078  entropy=0.155  frac_zero_std=0.00
[Epoch 0.28]  loss=-0.0333  grad=0.0362  lr=3.58e-06  reward=0.066±0.072  syntax_rew=0.066±0.069  entropy=0.090  frac_zero_std=0.00
[Epoch 0.29]  loss=0.0111   grad=0.0406  lr=3.57e-06  reward=0.115±0.065  syntax_rew=0.115±0.082  entropy=0.165  frac_zero_std=0.25
[Epoch 0.29]  loss=-0.0210  grad=0.0317  lr=3.57e-06  reward=0.084±0.063  syntax_rew=0.084±0.075  entropy=0.078  frac_zero_std=0.25
[Epoch 0.29]  loss=-0.0269  grad=0.0286  lr=3.56e-06  reward=0.073±0.044  syntax_rew=0.073±0.063  entropy=0.103  frac_zero_std=0.50
[Epoch 0.29]  loss=-0.0109  grad=0.0380  lr=3.55e-06  reward=0.113±0.066  syntax_rew=0.113±0.084  entropy=0.110  frac_zero_std=0.25
"""

USUAL = LearningStep(
    epoch=0.5,
    loss=-0.02,
    grad_norm=0.04,
    reward=0.5,
    reward_std=0.1,
    entropy=0.1,
    frac_zero_std=0.1,
)


def steps_of(text: str) -> list[LearningStep]:
    """
    Read lines, every one of which is a step.
    """
    steps = [of_line(line) for line in text.strip().splitlines()]
    return [step for step in steps if step is not None]


def found(steps: Iterable[LearningStep]) -> set[str]:
    """
    Return every rule that fires at some step, with its severity.
    """
    return {f"{each.rule} {each.severity}" for _, each in examined(steps)}


@pytest.mark.parametrize(
    ("lines", "rules"),
    [
        (HEALTHY, set()),
        (COLLAPSED, {"mode-collapse critical"}),
        (RUNAWAY, {"runaway critical"}),
        (UNSTABLE, {"gradient-instability critical"}),
        (EARLY, {"high-variance warning"}),
    ],
    ids=["healthy", "collapsed", "runaway", "unstable", "early"],
)
def test_known_patterns(lines: str, rules: set[str]) -> None:
    """
    The patterns that the project's training guide names are told from their lines.
    """
    assert len(lines.strip().splitlines()) == len(steps_of(lines))
    assert rules == found(steps_of(lines))


def test_the_epochs_of_a_long_run() -> None:
    """
    Four epochs whose loss jumped twice and whose reward fell while best-of-N rose.
    """
    table = [
        (0.2604, 0.5344, 0.1980),
        (0.2662, 0.5622, 0.3853),
        (0.2804, 0.5575, 0.3552),
        (0.2553, 0.5686, 0.4473),
    ]
    steps = [
        replace(USUAL, epoch=number + part, reward=reward, best_of_n=best, loss=loss)
        for number, (reward, best, loss) in enumerate(table)
        for part in (0.5, 1.0)
    ]
    after = replace(steps[-1], epoch=4.1)

    assert set() == found(steps)
    assert {
        "loss-instability critical",
        "reward-regression warning",
    } == found([*steps, after])


def run(count: int, **changed: float) -> list[LearningStep]:
    """
    Build a run of equal steps.
    """
    return [replace(USUAL, **changed)] * count  # type: ignore[arg-type]


def turning(name: str, *values: float) -> list[LearningStep]:
    """
    Build a run in which one field takes these values in turn.
    """
    return [replace(USUAL, **{name: value}) for value in values]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("steps", "rules"),
    [
        (run(60), set()),
        (run(5, frac_zero_std=0.9), {"mode-collapse critical"}),
        (run(5, frac_zero_std=0.6), {"mode-collapse warning"}),
        (run(4, frac_zero_std=0.6), set()),
        (turning("frac_zero_std", 0.9, 0.8, 0.7, 0.6, 0.55, 0.55), set()),
        (run(2, entropy=0.03), {"mode-collapse warning"}),
        (run(2, clipped_ratio=0.99), {"runaway critical"}),
        (run(2, reward=0.05, reward_std=0.0, clipped_ratio=0.2), set()),
        ([*run(30), *run(1, grad_norm=1.0)], {"gradient-instability critical"}),
        ([*run(10), *run(1, grad_norm=1.0)], set()),
        (run(3, loss=0.6), {"loss-instability critical"}),
        (run(20, reward=0.2), {"plateau warning"}),
        (run(19, reward=0.2), set()),
        (run(5, reward_std=0.3), {"high-variance warning"}),
        (turning("entropy", 0.04, 0.12, 0.21), {"entropy-swing warning"}),
        (turning("entropy", 0.06, 0.12, 0.21), set()),
    ],
)
def test_each_rule(steps: list[LearningStep], rules: set[str]) -> None:
    """
    A rule fires on what it is for, and not just before.
    """
    assert rules == found(steps)


LOW = {"epoch": 1.0, "reward": 0.10, "frac_zero_std": 0.4, "pass_at_1": 0.0}
BEFORE = LOW | {"epoch": 0.9}


@pytest.mark.parametrize(
    ("steps", "stops"),
    [
        (run(10, **LOW), True),
        (run(10, **LOW | {"epoch": 0.99}), False),
        (run(10, **LOW | {"reward": 0.4, "frac_zero_std": 0.2}), False),
        ([*run(1, **LOW | {"pass_at_1": 0.1}), *run(9, **LOW)], False),
        ([*run(5, **BEFORE | {"reward": 0.05}), *run(5, **LOW)], False),
        ([*run(5, **BEFORE | {"frac_zero_std": 0.6}), *run(5, **LOW)], False),
        ([*run(5, **BEFORE | {"reward": 0.12}), *run(5, **LOW)], True),
    ],
    ids=["flat", "early", "high", "passes", "rising", "diversifying", "falling"],
)
def test_stop_criteria(steps: list[LearningStep], stops: bool) -> None:
    """
    After an epoch a run stops that is low or uniform, unless a green light says go on.
    """
    assert stops == ("stop-criteria critical" in found(steps))


def test_every_rule_has_advice() -> None:
    """
    A finding says what to do.
    """
    assert [] == [rule.name for rule in RULES if len(rule.advice) < 20]


def test_a_line_reads_back() -> None:
    """
    What is written is read, rounded as it was written.
    """
    steps = steps_of(HEALTHY + COLLAPSED + RUNAWAY + UNSTABLE + EARLY)

    assert 14 == len(steps)
    assert steps == [of_line(line_of(step)) for step in steps]


def test_the_exact_form_of_a_line() -> None:
    """
    The line is the one that the training guide gives, to the blank.
    """
    step = LearningStep(
        epoch=0.284,
        loss=-0.04691,
        grad_norm=0.08379,
        learning_rate=3.58e-6,
        reward=0.1021,
        reward_std=0.0771,
        syntax_reward=0.1021,
        syntax_reward_std=0.0781,
        entropy=0.1551,
        frac_zero_std=0.0,
    )

    assert EARLY.strip().splitlines()[0] == line_of(step)


def test_what_is_unknown_is_written_as_nan() -> None:
    """
    A batch without any reward still has its line, which reads back as unknown.
    """
    logs = {"epoch": 0.5, "reward": None, "loss": 0.0, "entropy": float("nan")}
    step = of_logs(logs, name="syntax_aware_reward", step=3)
    assert step is not None
    line = line_of(step)

    assert "reward=nan±nan" in line
    assert step == replace(of_line(line) or step, step=3)


@pytest.mark.parametrize("line", ["", "Traceback", "[Epoch 0.1] loss=x", "{}"])
def test_other_lines_are_no_steps(line: str) -> None:
    """
    Anything else in the file is left out.
    """
    assert of_line(line) is None


def test_logs_of_an_evaluation_are_no_step() -> None:
    """
    Only what the trainer logs of training makes a line.
    """
    logs = {"eval_reward": 0.5, "eval_loss": 0.1, "epoch": 1.0}

    assert of_logs(logs, name="syntax_aware_reward", step=3) is None
