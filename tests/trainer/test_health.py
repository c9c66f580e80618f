"""The rules of health, on lines from real runs and on runs made for one rule each."""

from __future__ import annotations

import pytest

from tests.trainer.health_runs import (
    COLLAPSED,
    EARLY,
    HEALTHY,
    RUNAWAY,
    UNSTABLE,
    found,
    run,
    steps_of,
    through,
    told,
    turning,
)
from trainer_plugin.health import RULES
from trainer_plugin.learning import LearningStep


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (HEALTHY, []),
        (COLLAPSED, [(2, "mode-collapse")]),
        (RUNAWAY, [(1, "runaway")]),
        (UNSTABLE, [(1, "gradient-instability")]),
        (EARLY, [(5, "high-variance"), (6, "mode-collapse")]),
    ],
    ids=["healthy", "collapsed", "runaway", "unstable", "early"],
)
def test_known_patterns(lines: str, expected: list[tuple[int, str]]) -> None:
    """The patterns that the project's training guide names are told from their lines."""
    assert len(lines.strip().splitlines()) == len(steps_of(lines))
    assert expected == told(steps_of(lines))


def passing(*halves: tuple[float, float]) -> list[LearningStep]:
    """Build a run in which pass_at_1 and pass_at_all have one value for 20 steps, and another
    for the next.
    """
    return [step for one, every in halves for step in run(20, pass_at_1=one, pass_at_all=every)]


NOISY = [0.49 * sign * scale for scale in (0.2, 1.0, 1.8) for sign in (1, -1)] * 10
"""The losses of updates of four completions each, whose deviation is 0.49 or more."""


@pytest.mark.parametrize(
    ("steps", "rules"),
    [
        (run(60), set()),
        (run(5, frac_zero_std=0.9), {"mode-collapse critical"}),
        (run(4, frac_zero_std=0.9), set()),
        (run(5, frac_zero_std=0.6), {"mode-collapse warning"}),
        (run(4, frac_zero_std=0.6), set()),
        (turning("frac_zero_std", 0.9, 0.8, 0.7, 0.6, 0.55, 0.55), set()),
        (run(5, loss=0.0, grad_norm=0.0), {"mode-collapse critical"}),
        (run(4, loss=0.0, grad_norm=0.0), set()),
        (run(3, entropy=0.03), {"mode-collapse warning"}),
        (run(2, entropy=0.03), set()),
        (run(3, clipped_ratio=0.99), {"runaway critical"}),
        (run(2, clipped_ratio=0.99), set()),
        (run(3, clock_rate=0.05), {"clock warning"}),
        (run(2, clock_rate=0.05), set()),
        (run(3, clock_rate=0.01), set()),
        (run(2, reward=0.05, reward_std=0.0, clipped_ratio=0.2), set()),
        ([*run(30), *run(1, grad_norm=1.0)], {"gradient-instability critical"}),
        ([*run(10), *run(1, grad_norm=1.0)], set()),
        (run(20, loss=0.6), {"loss-instability critical"}),
        (run(19, loss=0.6), set()),
        (turning("loss", *NOISY), set()),
        (turning("loss", *NOISY, 9.0), {"loss-instability critical"}),
        ([*run(20), *run(1, loss=1.2)], {"loss-instability critical"}),
        ([*run(10), *run(1, loss=1.2)], set()),
        (through(0.1, 0.35, 20, reward=0.25), {"plateau warning"}),
        (through(0.1, 0.35, 19, reward=0.25), set()),
        (through(0.1, 0.3, 20, reward=0.25), set()),
        ([*run(20, reward=0.6), *run(5, reward=0.3)], {"reward-regression warning"}),
        (run(5, reward_std=0.3), {"high-variance warning"}),
        (turning("entropy", 0.04, 0.12, 0.21), {"entropy-swing warning"}),
        (turning("entropy", 0.06, 0.12, 0.21), set()),
        (run(20, grad_norm=0.0005), {"vanishing-gradient warning"}),
        (run(19, grad_norm=0.0005), set()),
        (run(20, grad_norm=0.002), set()),
        ([*run(20), *run(20, entropy=0.16)], {"entropy-rise warning"}),
        ([*run(20), *run(19, entropy=0.16)], set()),
        ([*run(20), *run(20, entropy=0.14)], set()),
        ([*run(20), *run(20, entropy=0.16, reward=0.6)], set()),
        (run(5, taught_groups=0.4), {"untaught warning"}),
        (run(4, taught_groups=0.4), set()),
        # Where a teacher knows more, equal rewards teach, and the loss is a log ratio.
        (run(20, taught_groups=1.0, frac_zero_std=0.9, loss=0.6), set()),
        (run(20, taught_groups=1.0, teacher_kl=0.0005), {"silent-teacher warning"}),
        (run(19, taught_groups=1.0, teacher_kl=0.0005), set()),
        (run(20, taught_groups=1.0, teacher_kl=-0.04), set()),
        (run(5, taught_groups=1.0, teacher_kl=6.0), {"far-teacher warning"}),
        (run(4, taught_groups=1.0, teacher_kl=6.0), set()),
        (passing((0.2, 0.4), (0.3, 0.4)), {"narrowing warning"}),
        (passing((0.2, 0.4), (0.24, 0.4)), set()),
        (passing((0.2, 0.4), (0.3, 0.5)), set()),
        (passing((0.7, 0.95), (0.8, 0.95)), set()),
    ],
)
def test_each_rule(steps: list[LearningStep], rules: set[str]) -> None:
    """A rule fires on what it is for, and not just before."""
    assert rules == found(steps)


def test_every_rule_has_advice() -> None:
    """A finding says what to do."""
    assert [] == [rule.name for rule in RULES if len(rule.advice) < 20]
