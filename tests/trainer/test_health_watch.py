"""
The callbacks by themselves: what they write, when they stop a run, how they resume.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from trainer_plugin import OCamlReward
from trainer_plugin.callbacks import watchers
from trainer_plugin.health.watch import VALIDATION_METRIC, EarlyStop, Health
from trainer_plugin.logs.evaluating import EvaluationEnd
from trainer_plugin.logs.learning_log import LearningLog
from trainer_plugin.logs.metrics_log import MetricsLog

COLLAPSED = {
    "loss": 0.0,
    "grad_norm": 0.0,
    "reward": 0.21,
    "reward_std": 0.0,
    "frac_reward_zero_std": 1.0,
    "entropy": 0.1,
}


class Run:
    """
    A training run as its callbacks see it.
    """

    def __init__(
        self, folder: Path, callbacks: Sequence[Any], history: Sequence[Any] = ()
    ) -> None:
        self.args = SimpleNamespace(output_dir=str(folder))
        self.control = SimpleNamespace(should_training_stop=False)
        self.callbacks = callbacks
        self.state = SimpleNamespace(
            global_step=history[-1]["step"] if history else 0,
            epoch=(history[-1]["step"] if history else 0) / 10,
            max_steps=100,
            is_world_process_zero=True,
            log_history=list(history),
        )
        for each in callbacks:
            each.on_train_begin(self.args, self.state, self.control)

    def log(self, **logs: Any) -> None:
        """
        Log the next step.
        """
        self.state.global_step += 1
        self.state.epoch = self.state.global_step / 10
        logs = COLLAPSED | {"epoch": self.state.epoch} | logs
        self.state.log_history.append(logs | {"step": self.state.global_step})
        for each in self.callbacks:
            each.on_log(self.args, self.state, self.control, logs=logs)

    def evaluate(self, *values: float | None) -> list[bool]:
        """
        Evaluate after so many further epochs, with these rewards of 64 problems; return
        when the run was to stop.
        """
        stops = []
        for value in values:
            self.state.global_step += 10
            self.state.epoch = self.state.global_step / 10
            metrics = {
                VALIDATION_METRIC: value,
                f"{VALIDATION_METRIC}_variance": 64 * 0.01**2,
            }
            at = {"step": self.state.global_step, "epoch": self.state.epoch}
            self.state.log_history.append(metrics | at)
            for each in self.callbacks:
                each.on_evaluate(
                    self.args,
                    self.state,
                    self.control,
                    metrics=metrics,
                    eval_dataloader=SimpleNamespace(dataset=range(64)),
                )
            stops.append(self.control.should_training_stop)
        return stops


def book(folder: Path) -> list[dict[str, Any]]:
    """
    Return what was told.
    """
    text = (folder / "health.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def health(**settings: Any) -> Health:
    """
    Watch the default reward.
    """
    return Health("syntax_aware_reward", **settings)


def test_a_finding_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """
    One row and one line on the console, with the advice, however long it lasts.
    """
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
    assert line.startswith(
        "health: mode-collapse (critical) at step 2: loss and gradient"
    )
    assert "raise the temperature" in line
    assert not run.control.should_training_stop


def test_a_finding_can_stop_the_run(tmp_path: Path) -> None:
    """
    Only rules that were named stop it, and the row says so.
    """
    other = Run(tmp_path / "a", [health(stop_on=["runaway"])])
    named = Run(tmp_path / "b", [health(stop_on=["mode-collapse"])])
    for each in (other, named, other, named):
        each.log()

    assert not other.control.should_training_stop
    assert named.control.should_training_stop
    assert [True] == [row["stops"] for row in book(tmp_path / "b")]


def test_an_unknown_rule_is_refused() -> None:
    """
    A mistyped rule would never stop anything.
    """
    with pytest.raises(ValueError, match="no rule 'collapse'; there are entropy-rise"):
        health(stop_on=["collapse"])


def test_a_resumed_run_does_not_repeat_itself(tmp_path: Path) -> None:
    """
    Findings after the checkpoint are forgotten, those before it are not told again.
    """
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
    """
    No other epoch follows the last one, whose reward fell.
    """
    run = Run(tmp_path, [health()])
    for number in range(15):
        # Twice an epoch or less often, and never at its end.
        run.log(
            epoch=number * 0.13, reward=0.5 if number * 0.13 <= 1 else 0.4, loss=0.1
        )
    told = [row["rule"] for row in book(tmp_path)]
    for each in run.callbacks:
        each.on_train_end(run.args, run.state, run.control)

    assert "reward-regression" not in told
    assert "reward-regression" in [row["rule"] for row in book(tmp_path)]


def test_falling_validation_stops_the_run(tmp_path: Path) -> None:
    """
    Two epochs below the best end it; one does not, nor do evaluations without a reward.
    """
    nan = float("nan")
    run = Run(tmp_path, [EarlyStop()])

    assert [False] * 5 == run.evaluate(0.5, 0.4, 0.55, 0.44, None)
    assert [False, True] == run.evaluate(nan, 0.43)
    assert [
        "the best was 0.550, and then came 0.440, 0.430; the standard error of the"
        " difference is 0.012"
    ] == [row["seen"] for row in book(tmp_path)]


def test_a_fall_within_the_error_does_not_stop_the_run(tmp_path: Path) -> None:
    """
    Evaluations that differ by less than they are known to say nothing.
    """
    run = Run(tmp_path, [EarlyStop()])

    assert [False] * 4 == run.evaluate(0.30, 0.31, 0.29, 0.285)


def test_evaluations_before_a_resume_count(tmp_path: Path) -> None:
    """
    A resumed run knows the evaluations of its checkpoint, but for those without a reward.
    """
    first = Run(tmp_path, [EarlyStop()])
    first.evaluate(0.5, 0.4, None)

    assert [True] == Run(tmp_path, [EarlyStop()], first.state.log_history).evaluate(0.3)


def test_the_learning_log_is_continued(tmp_path: Path) -> None:
    """
    Lines after the checkpoint go, those before it stay, also where lines are equal.
    """
    callback = LearningLog("syntax_aware_reward")
    first = Run(tmp_path, [callback])
    for _ in range(3):
        first.log(epoch=0.1)
    first.log(reward=0.9)
    history = first.state.log_history[:2]
    second = Run(tmp_path, [LearningLog("syntax_aware_reward")], history)
    second.log(reward=0.7)
    lines = (tmp_path / "learning.log").read_text(encoding="utf-8").splitlines()

    assert ["0.210", "0.210", "0.700"] == [
        line.partition("reward=")[2][:5] for line in lines
    ]


def test_a_new_run_sets_the_learning_log_aside(tmp_path: Path) -> None:
    """
    Two runs are not mixed in one file.
    """
    for _ in range(2):
        Run(tmp_path, [LearningLog("syntax_aware_reward")]).log()

    assert 1 == len((tmp_path / "learning.log").read_text().splitlines())
    assert 1 == len(list(tmp_path.glob("before-*.learning.log")))


def test_updates_from_earlier_completions_are_watched_too(tmp_path: Path) -> None:
    """
    They log no reward: no line in `learning.log`, but their gradients can be a finding.
    """
    run = Run(tmp_path, [LearningLog("syntax_aware_reward"), health()])
    run.log(loss=0.1, grad_norm=0.1)
    run.state.global_step += 1
    logs = {"epoch": 0.2, "loss": 0.1, "grad_norm": 12.0, "entropy": 0.1}
    for each in run.callbacks:
        each.on_log(run.args, run.state, run.control, logs=logs)
    run.state.log_history.append(logs | {"step": 2})
    resumed = Run(tmp_path, [LearningLog("syntax_aware_reward")], run.state.log_history)
    resumed.log()

    assert [("gradient-instability", 2)] == [
        (row["rule"], row["step"]) for row in book(tmp_path)
    ]
    assert 2 == len((tmp_path / "learning.log").read_text().splitlines())


def test_only_rank_0_writes(tmp_path: Path) -> None:
    """
    The other ranks stop with it, and leave the files alone.
    """
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
    """
    Early stopping can be turned off.
    """
    kinds = [type(each) for each in watchers(OCamlReward(), patience=0)]

    assert [EvaluationEnd, LearningLog, MetricsLog, Health] == kinds
