"""The callbacks by themselves: what they write, when they stop a run, how they resume."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from tests.trainer.callback_runs import Run, book
from tests.trainer.lines import step_lines
from trainer_plugin import OCamlReward
from trainer_plugin.callbacks import EvaluationEnd, watchers
from trainer_plugin.health.watch import EarlyStop, Health
from trainer_plugin.logs.learning_log import LearningEnd, LearningLog
from trainer_plugin.logs.log_events import MetricsLog


def health(**settings: Any) -> Health:
    """Watch the default reward."""
    return Health("syntax_aware_reward", **settings)


def test_a_finding_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One row and one line on the console, with the advice, however long it lasts."""
    with caplog.at_level(logging.WARNING, "trainer_plugin"):
        run = Run(tmp_path, [health()])
        for _ in range(4):
            run.log()
    (row,) = book(tmp_path)
    (line,) = caplog.messages

    assert ("mode-collapse", "critical", 2) == (
        row["rule"],
        row["severity"],
        row["step"],
    )
    assert "raise the temperature" in row["advice"]
    assert line.startswith("health: mode-collapse (critical) at step 2: loss and gradient")
    assert "raise the temperature" in line
    assert not run.control.should_training_stop


def test_a_finding_can_stop_the_run(tmp_path: Path) -> None:
    """Only rules that were named stop it, and the row says so."""
    other = Run(tmp_path / "a", [health(stop_on=["runaway"])])
    named = Run(tmp_path / "b", [health(stop_on=["mode-collapse"])])
    for each in (other, named, other, named):
        each.log()

    assert not other.control.should_training_stop
    assert named.control.should_training_stop
    assert [True] == [row["stops"] for row in book(tmp_path / "b")]


def test_an_unknown_rule_is_refused() -> None:
    """A mistyped rule would never stop anything."""
    with pytest.raises(
        ValueError, match="no rule 'collapse'; there are cheating, clock, entropy-rise"
    ):
        health(stop_on=["collapse"])


def test_a_resumed_run_does_not_repeat_itself(tmp_path: Path) -> None:
    """Findings after the checkpoint are forgotten, those before it are not told again."""
    first = Run(tmp_path, [health()])
    first.log()
    first.log()
    first.log(grad_norm=11.0)
    second = Run(tmp_path, [health()], first.state.log_history[:2])
    second.log(grad_norm=12.0)

    assert [("mode-collapse", 2), ("gradient-instability", 3)] == [
        (row["rule"], row["step"]) for row in book(tmp_path)
    ]
    assert "12" in book(tmp_path)[1]["seen"]


def test_the_end_of_a_run_is_looked_at(tmp_path: Path) -> None:
    """No other epoch follows the last one, whose reward fell."""
    run = Run(tmp_path, [health()])
    for number in range(15):
        # Twice an epoch or less often, and never at its end.
        run.log(epoch=number * 0.13, reward=0.5 if number * 0.13 <= 1 else 0.4, loss=0.1)
    told = [row["rule"] for row in book(tmp_path)]
    for each in run.callbacks:
        each.on_train_end(run.args, run.state, run.control)

    assert "reward-regression" not in told
    assert "reward-regression" in [row["rule"] for row in book(tmp_path)]


def test_falling_validation_stops_the_run(tmp_path: Path) -> None:
    """Two epochs below the best end it; one does not, nor do evaluations without a reward."""
    nan = float("nan")
    run = Run(tmp_path, [EarlyStop()])

    assert [False] * 5 == run.evaluate(0.5, 0.4, 0.55, 0.44, None)
    assert [False, True] == run.evaluate(nan, 0.43)
    assert [
        "the best was 0.550, and then came 0.440, 0.430; the standard error of the"
        " difference is 0.012"
    ] == [row["seen"] for row in book(tmp_path)]


def test_a_fall_within_the_error_does_not_stop_the_run(tmp_path: Path) -> None:
    """Evaluations that differ by less than they are known to say nothing."""
    run = Run(tmp_path, [EarlyStop()])

    assert [False] * 4 == run.evaluate(0.30, 0.31, 0.29, 0.285)


def test_evaluations_before_a_resume_count(tmp_path: Path) -> None:
    """A resumed run knows the evaluations of its checkpoint, but for those without a reward."""
    first = Run(tmp_path, [EarlyStop()])
    first.evaluate(0.5, 0.4, None)

    assert [True] == Run(tmp_path, [EarlyStop()], first.state.log_history).evaluate(0.3)


def test_updates_from_earlier_completions_are_watched_too(tmp_path: Path) -> None:
    """They log no reward: no line in `learning.log`, but their gradients can be a finding."""
    run = Run(tmp_path, [LearningLog("syntax_aware_reward"), health()])
    run.log(loss=0.1, grad_norm=0.1)
    run.state.global_step += 1
    logs = {"epoch": 0.2, "loss": 0.1, "grad_norm": 12.0, "entropy": 0.1}
    for each in run.callbacks:
        each.on_log(run.args, run.state, run.control, logs=logs)
    run.state.log_history.append(logs | {"step": 2})
    resumed = Run(tmp_path, [LearningLog("syntax_aware_reward")], run.state.log_history)
    resumed.log()

    assert [("gradient-instability", 2)] == [(row["rule"], row["step"]) for row in book(tmp_path)]
    assert 2 == len(step_lines(tmp_path))


def test_only_rank_0_writes(tmp_path: Path) -> None:
    """The other ranks stop with it, and leave the files alone."""
    callbacks = watchers(OCamlReward(), stop_on=["mode-collapse"])
    run = Run(tmp_path / "none", [])
    run.state.is_world_process_zero = False
    for each in callbacks:
        each.on_train_begin(run.args, run.state, run.control)
    run.callbacks = callbacks
    run.log()
    run.log()

    assert run.control.should_training_stop
    assert not (tmp_path / "none").exists()


def test_patience_0_is_no_early_stop() -> None:
    kinds = [type(each) for each in watchers(OCamlReward(), patience=0)]

    assert [EvaluationEnd, LearningLog, MetricsLog, Health, LearningEnd] == kinds
