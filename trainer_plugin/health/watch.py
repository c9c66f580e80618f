"""Callbacks that apply the rules of health to a run, and stop it when validation falls."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from transformers import TrainerCallback

from ..learning import finite, step_from_logs
from .findings import Finding, ReportedFindings, findings
from .history import History
from .rule import Severity
from .rules import RULES
from .sinks import FindingSinks
from .stopping import Evaluation, find_fall, standard_error, stretch_length, stretches
from .thresholds import Thresholds

BEST_METRIC: Final = "eval_ocaml/pass_at_1"
"""The metric of the best checkpoint: the trainer's `metric_for_best_model`."""

VALIDATION_METRIC: Final = "eval_ocaml/final_reward"
"""The validation reward for early stopping; a curriculum does not change it."""

VALIDATION_FALLING: Final = "validation-falling"


class Health(TrainerCallback):
    """Applies the rules to each logged step, reports new findings, and may stop the run."""

    def __init__(
        self,
        name: str,
        *,
        stop_on: Collection[str] = (),
        thresholds: Thresholds | None = None,
        remark: Callable[[str], object] | None = None,
    ) -> None:
        """Watch the reward of that name; `remark` writes a line into `learning.log`."""
        known = sorted({rule.name for rule in RULES})
        for rule in stop_on:
            if rule not in known:
                raise ValueError(f"stop_on: no rule {rule!r}; there are {', '.join(known)}")
        self._name = name
        self._stop_on = frozenset(stop_on)
        self._thresholds = thresholds or Thresholds()
        self._history = History(self._thresholds.window)
        self._reported = ReportedFindings(self._thresholds)
        self._sinks = FindingSinks(remark)

    def on_train_begin(self, args: Any, state: Any, _: Any, **__: Any) -> None:
        """Restore the state and the reported findings of a resumed run."""
        self._history = History(self._thresholds.window)
        self._reported = ReportedFindings(self._thresholds)
        for each in state.log_history:
            step = step_from_logs(each, name=self._name, step=each["step"])
            if step is not None:
                self._history.add(step)
                self._reported.select_new(findings(self._history, self._thresholds))
        self._sinks.open(args, state)

    def on_log(
        self,
        _: Any,
        state: Any,
        control: Any,
        logs: Mapping[str, Any] | None = None,
        **__: Any,
    ) -> None:
        """Examine a step."""
        step = step_from_logs(logs or {}, name=self._name, step=state.global_step)
        if step is None:
            return
        self._history.add(step)
        found = list(findings(self._history, self._thresholds))
        news = self._reported.select_new(found)
        for finding in found:
            stops = finding.rule in self._stop_on
            if stops:
                control.should_training_stop = True
            if finding in news or stops:
                self._sinks.write(finding, state, stops=stops)

    def on_train_end(self, _: Any, state: Any, __: Any, **___: Any) -> None:
        """Examine the last epoch, which no other follows."""
        self._history.end()
        for finding in self._reported.select_new(findings(self._history, self._thresholds)):
            self._sinks.write(finding, state, stops=False)

    def on_evaluate(self, _: Any, __: Any, ___: Any, metrics: dict[str, Any], **____: Any) -> None:
        """Add the missing metric of an evaluation that could not be scored at all.

        The trainer needs the metric of the best checkpoint, and NaN is never better.
        """
        if metrics.get(BEST_METRIC) is None:
            metrics[BEST_METRIC] = math.nan


class EarlyStop(TrainerCallback):
    """Ends a run after `patience` epochs of a fallen validation reward."""

    def __init__(
        self,
        patience: int = 2,
        *,
        metric: str = VALIDATION_METRIC,
        remark: Callable[[str], object] | None = None,
    ) -> None:
        """Watch a metric of the evaluations; higher is better."""
        self._patience = patience
        self._metric = metric
        self._evaluations: list[tuple[float, float, float | None]] = []
        self._problems = 1
        self._sinks = FindingSinks(remark)

    def on_train_begin(self, args: Any, state: Any, _: Any, **__: Any) -> None:
        """Restore the evaluations of a resumed run."""
        self._evaluations = []
        for each in state.log_history:
            self._note(each, epoch=each.get("epoch") or 0.0)
        self._sinks.open(args, state)

    def on_evaluate(
        self,
        _: Any,
        state: Any,
        control: Any,
        metrics: Mapping[str, Any],
        eval_dataloader: Any = None,
        **__: Any,
    ) -> None:
        """Examine an evaluation."""
        if not self._note(metrics, epoch=state.epoch or 0.0):
            return
        self._problems = _size(eval_dataloader) or self._problems
        known = [
            Evaluation(
                epoch=epoch,
                value=value,
                error=standard_error(value, variance, self._problems),
            )
            for epoch, value, variance in self._evaluations
        ]
        epochs = (state.epoch or 0.0) * state.max_steps / max(1, state.global_step)
        seen = find_fall(stretches(known, stretch_length(epochs)), self._patience)
        if seen is None:
            return
        control.should_training_stop = True
        finding = Finding(
            rule=VALIDATION_FALLING,
            severity=Severity.CRITICAL,
            seen=seen,
            advice="the run ends here; go on with the best checkpoint, a lower learning"
            " rate or more KL",
        )
        self._sinks.write(finding, state, stops=True)

    def _note(self, metrics: Mapping[str, Any], *, epoch: float) -> bool:
        """Add an evaluation; return whether anything of it was scored."""
        value = finite(metrics.get(self._metric))
        if value is None:
            return False
        variance = finite(metrics.get(f"{self._metric}_variance"))
        self._evaluations.append((epoch, value, variance))
        return True


def _size(loader: Any) -> int | None:
    """Return the size of a loader's data set; None if it is unknown."""
    try:
        return len(loader.dataset)
    except (AttributeError, TypeError):
        return None
