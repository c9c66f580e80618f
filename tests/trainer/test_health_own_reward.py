"""Health judges our reward, whatever other reward functions add to it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.trainer.health_runs import found
from trainer_plugin.health import apply_rules
from trainer_plugin.learning import (
    LearningStep,
    format_line,
    parse_line,
    step_from_logs,
)

NAME = "OCamlReward"


def logs(epoch: float, own: float, penalty: float) -> dict[str, Any]:
    """Return what TRL logs of our reward and one beside it."""
    return {
        "epoch": epoch,
        "loss": 0.01,
        "grad_norm": 0.05,
        "reward": own + penalty,
        "reward_std": 0.2,
        f"rewards/{NAME}/mean": own,
        f"rewards/{NAME}/std": 0.15,
        "entropy": 0.1,
        "frac_reward_zero_std": 0.05,
        "ocaml/final_reward": own,
        "ocaml/pass_at_1": max(0.0, own - 0.4),
    }


def rising(penalty: float, count: int = 200) -> list[LearningStep]:
    """Return a run of two epochs whose reward rises from 0.45 to 0.69 beside a penalty."""
    rows = [
        logs(2 * (place + 1) / count, 0.45 + 0.24 * place / count, penalty)
        for place in range(count)
    ]
    steps = [step_from_logs(row, name=NAME, step=None) for row in rows]
    return [each for each in steps if each is not None]


def test_a_penalty_beside_a_rising_reward_is_no_plateau() -> None:
    """Nor does the run miss its milestones, which are about our reward."""
    assert set() == found(rising(0.0))
    assert set() == found(rising(-0.85))


def test_a_step_without_a_score_is_not_judged_by_other_rewards() -> None:
    """Nor does it count as one whose groups differ."""
    row = logs(0.5, math.nan, math.nan) | {"reward": -0.9, "frac_reward_zero_std": 0.0}
    del row["ocaml/final_reward"]
    step = step_from_logs(row, name=NAME, step=None)
    assert step is not None
    own = step.with_own_reward()

    assert (None, None, None) == (own.reward, own.reward_std, own.frac_zero_std)


def test_the_same_from_the_lines_of_a_log() -> None:
    """A line has our reward as `syntax_rew`."""
    steps = [parse_line(format_line(each)) for each in rising(-0.85)]

    assert set() == found(each for each in steps if each is not None)


def test_a_bonus_does_not_hide_a_plateau() -> None:
    rows = [logs((place + 1) / 100, 0.1, 0.6) for place in range(100)]
    steps = [step_from_logs(row, name=NAME, step=None) for row in rows]
    seen = [each for _, each in apply_rules(step for step in steps if step)]

    assert {"plateau", "milestone"} <= {each.rule for each in seen}
    assert all("0.100" in each.seen for each in seen if each.rule == "plateau")


@pytest.mark.parametrize("passes", [0.1, 0.3, 0.5, 0.7])
def test_a_reward_that_passing_decides_has_its_usual_spread(passes: float) -> None:
    """A scheme that pays for solved problems: 1 for those that pass, 0.1 for the others."""
    reward = passes + (1 - passes) * 0.1
    spread = 0.9 * (passes * (1 - passes)) ** 0.5
    step = LearningStep(
        epoch=0.1, loss=0.01, grad_norm=0.05, reward=reward, reward_std=spread,
        pass_at_1=passes, solved_share=0.5, entropy=0.1, frac_zero_std=0.0,
    )  # fmt: skip

    assert set() == found([step] * 20)


def test_more_spread_than_passing_explains_is_told() -> None:
    step = LearningStep(
        epoch=0.1, loss=0.01, grad_norm=0.05, reward=0.3, reward_std=0.4,
        pass_at_1=0.1, solved_share=0.5, entropy=0.1, frac_zero_std=0.0,
    )  # fmt: skip

    assert {"high-variance warning"} == found([step] * 20)
