"""A logged step as its line of `learning.log`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.trainer.health_runs import (
    COLLAPSED,
    EARLY,
    HEALTHY,
    RUNAWAY,
    UNSTABLE,
    steps_of,
)
from trainer_plugin.learning import (
    LearningStep,
    format_line,
    parse_line,
    step_from_logs,
)


def test_a_line_reads_back() -> None:
    steps = steps_of(HEALTHY + COLLAPSED + RUNAWAY + UNSTABLE + EARLY)

    assert 14 == len(steps)
    assert steps == [parse_line(format_line(step)) for step in steps]


def test_the_exact_form_of_a_line() -> None:
    """The line is the one that the training guide gives, to the blank."""
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

    assert EARLY.strip().splitlines()[0] == format_line(step)


def test_what_rounds_to_zero_has_no_sign() -> None:
    """A loss of next to nothing below 0 is written as 0."""
    step = LearningStep(epoch=0.5, loss=-0.00001, entropy=-0.0)

    assert "loss=0.0000" in format_line(step)
    assert "entropy=0.000" in format_line(step)


def test_what_is_unknown_is_written_as_nan() -> None:
    """A batch without any reward still has its line, which reads back as unknown."""
    logs = {"epoch": 0.5, "reward": None, "loss": 0.0, "entropy": float("nan")}
    step = step_from_logs(logs, name="syntax_aware_reward", step=3)
    assert step is not None
    line = format_line(step)

    assert "reward=nan±nan" in line
    assert step == replace(parse_line(line) or step, step=3)


@pytest.mark.parametrize("line", ["", "Traceback", "[Epoch 0.1] loss=x", "{}"])
def test_other_lines_are_no_steps(line: str) -> None:
    """Anything else in the file is left out."""
    assert parse_line(line) is None


def test_logs_of_an_evaluation_are_no_step() -> None:
    """Only what the trainer logs of training makes a line."""
    logs = {"eval_reward": 0.5, "eval_loss": 0.1, "epoch": 1.0}

    assert step_from_logs(logs, name="syntax_aware_reward", step=3) is None


@pytest.mark.parametrize(
    ("theirs", "ours", "expected"),
    [(0.25, 0.5, 0.25), (0.0, 0.5, 0.5), (0.0, None, 0.0), (None, 0.5, 0.5)],
)
def test_groups_that_are_all_alike_are_seen_however_rewards_are_divided(
    theirs: float | None, ours: float | None, expected: float
) -> None:
    """TRL looks at the whole batch where it divides by its spread, and finds it never alike."""
    told = {"frac_reward_zero_std": theirs, "ocaml/frac_zero_std": ours}
    logs = {"reward": 0.2, **{key: one for key, one in told.items() if one is not None}}
    step = step_from_logs(logs, name="syntax_aware_reward", step=1)

    assert step is not None
    assert expected == step.frac_zero_std
