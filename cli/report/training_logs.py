"""Reads a training's logs: the figures of its steps, and the findings of health."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from ocaml_reward.formats import open_bytes
from trainer_plugin.health import RULES, Finding, apply_rules
from trainer_plugin.learning import LearningStep
from trainer_plugin.logs.journal import Journal
from trainer_plugin.reading import batches, json_object, rows
from trainer_plugin.watching.log_lines import Line
from trainer_plugin.watching.steps import LoggedStep, StepParser

from .figures import BATCH_FIGURES, Points, points_of
from .sources import Kind, Source

STEP_FIGURES: Final = (
    "reward",
    "reward_std",
    "entropy",
    "grad_norm",
    "loss",
    "learning_rate",
    "frac_zero_std",
    "clipped_ratio",
    "pass_at_1",
    "pass_at_all",
    "best_of_n",
    "impossible_pass_rate",
    "taught_groups",
    "feedback_used",
    "teacher_kl",
)
OTHER_METRICS: Final = {
    "kl": "kl",
    "completions/mean_length": "mean_length",
    "located/share": "located_share",
    "eval_reward": "eval_reward",
    "eval_ocaml/pass_at_1": "eval_pass_at_1",
    "eval_ocaml/impossible_pass_rate": "eval_impossible_pass_rate",
}
"""Further metrics of a trainer, with their names in a report."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingLogs:
    """The logs of a training.

    Attributes:
        places: The unit of the horizontal axis: "step", or "logged line" if steps are unknown.
        series: The values of each figure.
        findings: The findings of health, as rows of `health.jsonl` with their position `at` and
            their `chart`.
    """

    places: str = "step"
    series: Mapping[str, Points] = field(default_factory=dict)
    findings: Sequence[Mapping[str, Any]] = ()


def read_training_logs(source: Source, report: Callable[[str], None]) -> TrainingLogs:
    """Read the logs of a training; a scored file has none.

    Args:
        source: The source.
        report: Called with a message for a log that cannot be used.

    Raises:
        InputError: The file cannot be read.
    """
    if source.kind is Kind.SCORED:
        return TrainingLogs()
    if source.kind is Kind.LOG:
        with open_bytes(source.path) as stream:
            texts = (raw.decode(errors="replace") for raw in stream)
            steps = _number_steps(_logged_steps(texts))
        return TrainingLogs(
            places="logged line", series=_series(steps), findings=_apply_rules(steps)
        )
    return _read_run(source.path, report)


def _read_run(folder: Path, report: Callable[[str], None]) -> TrainingLogs:
    found = _batches(folder, report)
    training = [row for row in found if row["split"] != "eval"]
    texts = list(Journal(folder / "metrics.jsonl").lines())
    places = "step"
    steps = [each.step for each in _logged_steps(texts)]
    if not steps:
        lines = _number_steps(_logged_steps(Journal(folder / "learning.log").lines()))
        steps = _assign_steps(lines, training)
        places = "step" if training else "logged line"
    series = {**_other_series(texts), **_series(steps)}
    # Figures of batches are exact; those of the trainer are means over several steps.
    series |= _batch_series(training, "")
    series |= _batch_series([row for row in found if row["split"] == "eval"], "eval_")
    logged = list(rows(folder / "health.jsonl"))
    findings = [_finding_row(row) for row in logged if _is_finding(row)] or _apply_rules(steps)
    return TrainingLogs(places=places, series=series, findings=findings)


def _logged_steps(texts: Iterable[str]) -> Iterator[LoggedStep]:
    """Yield the logged steps; other lines are skipped."""
    steps = StepParser()
    for number, text in enumerate(texts, 1):
        if found := steps.read(Line(file="", number=number, text=text)):
            yield found


def _number_steps(found: Iterable[LoggedStep]) -> list[LearningStep]:
    return [replace(each.step, step=number) for number, each in enumerate(found, 1)]


def _assign_steps(
    steps: list[LearningStep], training: Sequence[Mapping[str, Any]]
) -> list[LearningStep]:
    """Assign the steps of the scored batches to lines, which have no step number.

    They are matched one to one if there are as many, otherwise by epoch.
    """
    if not training:
        return steps
    if len(steps) == len(training):
        numbers = [row["step"] or 0 for row in training]
    else:
        last = training[-1]
        if not last["epoch"] or not last["step"]:
            return []
        numbers = [round(each.epoch * last["step"] / last["epoch"]) for each in steps]
    return [replace(each, step=number) for each, number in zip(steps, numbers, strict=True)]


def _batches(folder: Path, report: Callable[[str], None]) -> list[Mapping[str, Any]]:
    try:
        return list(batches(folder))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        # The figures of the completions replace it.
        path = folder / "batch_metrics.jsonl"
        report(f"{path}: left out, as a row of it is of something else: {error!r}")
        return []


def _series(steps: Sequence[LearningStep]) -> dict[str, Points]:
    found = {
        name: points_of(
            (each.step or 0, getattr(each, name)) for each in steps if not each.is_evaluation
        )
        for name in STEP_FIGURES
    }
    return {name: points for name, points in found.items() if points["x"]}


def _other_series(texts: Iterable[str]) -> dict[str, Points]:
    logged_rows = [row for text in texts if (row := json_object(text)) is not None]
    found = {
        name: points_of(
            (row["step"], row[key])
            for row in logged_rows
            if isinstance(row.get(key), int | float) and isinstance(row.get("step"), int)
        )
        for key, name in OTHER_METRICS.items()
    }
    return {name: points for name, points in found.items() if points["x"]}


def _batch_series(found: Sequence[Mapping[str, Any]], prefix: str) -> dict[str, Points]:
    series = {
        prefix + name: points_of((row["step"] or 0, row[key]) for row in found)
        for key, name in BATCH_FIGURES.items()
    }
    return {name: points for name, points in series.items() if points["x"]}


def _apply_rules(steps: Sequence[LearningStep]) -> list[Mapping[str, Any]]:
    return [_finding_row(_finding_fields(step, finding)) for step, finding in apply_rules(steps)]


def _finding_fields(step: LearningStep, finding: Finding) -> dict[str, Any]:
    return {"step": step.step, "stops": False, **asdict(finding)}


def _is_finding(row: Mapping[str, Any]) -> bool:
    return all(isinstance(row.get(key), str) for key in ("rule", "seen", "advice"))


def _finding_row(row: Mapping[str, Any]) -> dict[str, Any]:
    at = row.get("step")
    return {
        "at": at if isinstance(at, int) else None,
        "rule": row["rule"],
        "severity": str(row.get("severity", "warning")),
        "seen": row["seen"],
        "advice": row["advice"],
        "stops": row.get("stops") is True,
        "chart": _chart(row["rule"], row["advice"]),
    }


def _chart(rule: str, advice: str) -> str:
    """Return the chart of a rule's variant with this advice, else of its first."""
    variants = [each for each in RULES if each.name == rule]
    same = [each for each in variants if each.advice == advice]
    return next((each.chart for each in same + variants), "reward")
