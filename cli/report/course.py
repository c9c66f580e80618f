"""How a training went: the figures of its steps, and what its health says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from ocaml_reward.formats import open_bytes
from trainer_plugin.health import Finding, examined
from trainer_plugin.learning import LearningStep
from trainer_plugin.logs.journal import Journal
from trainer_plugin.reading import batches, json_object, rows
from trainer_plugin.watching.log_lines import Line
from trainer_plugin.watching.steps import LoggedStep, StepParser

from .sources import Kind, Source
from .tallies import Points, points_of

FIGURES: Final = (
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
)
OTHERS: Final = {
    "kl": "kl",
    "completions/mean_length": "mean_length",
    "located/share": "located_share",
    "eval_reward": "eval_reward",
    "eval_ocaml/pass_at_1": "eval_pass_at_1",
}
"""What else a trainer logs, by the name that it has in a report."""
BATCH: Final = {
    "reward_mean": "reward",
    "reward_std": "reward_std",
    "pass_at_1": "pass_at_1",
    "pass_at_all": "pass_at_all",
    "best_of_n": "best_of_n",
    "frac_zero_std": "frac_zero_std",
}
PLACES: Final = {
    "mode-collapse": "frac_zero_std",
    "gradient-instability": "grad_norm",
    "vanishing-gradient": "grad_norm",
    "loss-instability": "loss",
    "entropy-swing": "entropy",
    "entropy-rise": "entropy",
    "narrowing": "passes",
}
"""The picture that a finding is marked in, where that is not the rewards'."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Course:
    """What the logs of a training say.

    Attributes:
        places: What its figures stand over: "step", or "logged line" where no step is known.
        series: Values over these, by the names of the figures.
        findings: What the rules of health say, as rows of `health.jsonl` with `at`, the place,
            and `chart`, the picture that it is about.
    """

    places: str = "step"
    series: Mapping[str, Points] = field(default_factory=dict)
    findings: Sequence[Mapping[str, Any]] = ()


def course_of(source: Source, report: Callable[[str], None]) -> Course:
    """Read the logs of a training; a scored file has none.

    Args:
        source: Where they are.
        report: Told of a log that cannot be used, in one line.

    Returns:
        What they say.

    Raises:
        InputError: The file cannot be read.
    """
    if source.kind is Kind.SCORED:
        return Course()
    if source.kind is Kind.LOG:
        with open_bytes(source.path) as stream:
            texts = (raw.decode(errors="replace") for raw in stream)
            steps = _numbered(_read(texts))
        return Course(
            places="logged line", series=_series(steps), findings=_examined(steps)
        )
    return _of_run(source.path, report)


def _of_run(folder: Path, report: Callable[[str], None]) -> Course:
    found = _batches(folder, report)
    training = [row for row in found if row["split"] != "eval"]
    texts = list(Journal(folder / "metrics.jsonl").lines())
    places = "step"
    steps = [each.step for each in _read(texts)]
    if not steps:
        lines = _numbered(_read(Journal(folder / "learning.log").lines()))
        steps = _placed(lines, training)
        places = "step" if training else "logged line"
    series = {**_others(texts), **_series(steps)}
    # What each batch was scored with is exact; a trainer logs means over several.
    series |= _of_batches(training, "")
    series |= _of_batches([row for row in found if row["split"] == "eval"], "eval_")
    told = list(rows(folder / "health.jsonl"))
    findings = [_marked(row) for row in told if _is_finding(row)] or _examined(steps)
    return Course(places=places, series=series, findings=findings)


def _read(texts: Iterable[str]) -> Iterator[LoggedStep]:
    """Yield the steps that were logged, what else stands between them left out."""
    steps = StepParser()
    for number, text in enumerate(texts, 1):
        if found := steps.read(Line(file="", number=number, text=text)):
            yield found


def _numbered(found: Iterable[LoggedStep]) -> list[LearningStep]:
    return [replace(each.step, step=number) for number, each in enumerate(found, 1)]


def _placed(
    steps: list[LearningStep], training: Sequence[Mapping[str, Any]]
) -> list[LearningStep]:
    """Give lines, which say no step, those of the batches that were scored: one for one where
    there are as many, else by their epochs.
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
    return [
        replace(each, step=number) for each, number in zip(steps, numbers, strict=True)
    ]


def _batches(folder: Path, report: Callable[[str], None]) -> list[Mapping[str, Any]]:
    try:
        return list(batches(folder))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        # What completions come to by themselves stands in for it.
        path = folder / "batch_metrics.jsonl"
        report(f"{path}: left out, as a row of it is of something else: {error!r}")
        return []


def _series(steps: Sequence[LearningStep]) -> dict[str, Points]:
    found = {
        name: points_of((each.step or 0, getattr(each, name)) for each in steps)
        for name in FIGURES
    }
    return {name: points for name, points in found.items() if points["x"]}


def _others(texts: Iterable[str]) -> dict[str, Points]:
    logged_rows = [row for text in texts if (row := json_object(text)) is not None]
    found = {
        name: points_of(
            (row["step"], row[key])
            for row in logged_rows
            if isinstance(row.get(key), int | float)
            and isinstance(row.get("step"), int)
        )
        for key, name in OTHERS.items()
    }
    return {name: points for name, points in found.items() if points["x"]}


def _of_batches(found: Sequence[Mapping[str, Any]], prefix: str) -> dict[str, Points]:
    series = {
        prefix + name: points_of((row["step"] or 0, row[key]) for row in found)
        for key, name in BATCH.items()
    }
    return {name: points for name, points in series.items() if points["x"]}


def _examined(steps: Sequence[LearningStep]) -> list[Mapping[str, Any]]:
    return [_marked(_row(step, finding)) for step, finding in examined(steps)]


def _row(step: LearningStep, finding: Finding) -> dict[str, Any]:
    return {"step": step.step, "stops": False, **asdict(finding)}


def _is_finding(row: Mapping[str, Any]) -> bool:
    return all(isinstance(row.get(key), str) for key in ("rule", "seen", "advice"))


def _marked(row: Mapping[str, Any]) -> dict[str, Any]:
    rule, seen, at = row["rule"], row["seen"], row.get("step")
    chart = "entropy" if seen.startswith("entropy") else PLACES.get(rule, "reward")
    return {
        "at": at if isinstance(at, int) else None,
        "rule": rule,
        "severity": str(row.get("severity", "warning")),
        "seen": seen,
        "advice": row["advice"],
        "stops": row.get("stops") is True,
        "chart": chart,
    }
