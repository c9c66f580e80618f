"""Computes the figures of a source in one pass over its completions."""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ocaml_reward import Breakdown, Verdict, metrics
from ocaml_reward.model import Diagnostic, DiagnosticKind, DiagnosticSource, is_impossible
from trainer_plugin.logs.figures import Group, group_figures
from trainer_plugin.outcomes import passed

from .scored import ScoredCompletion

BINS: Final = 20
"""Number of bars of the distribution of rewards; the last one includes a reward of 1."""
CURVES: Final = 24
"""Number of problems with a curve of their own."""
CURVE_POINTS: Final = 60
CHANGE: Final = 0.01
"""A mean reward that changes less is as it was."""
PARTS: Final = ("structural", "type", "compile", "tests", "solved")
BATCH_FIGURES: Final = {
    "reward_mean": "reward",
    "reward_std": "reward_std",
    "pass_at_1": "pass_at_1",
    "pass_at_all": "pass_at_all",
    "best_of_n": "best_of_n",
    "frac_zero_std": "frac_zero_std",
    "impossible_pass_rate": "impossible_pass_rate",
}
"""The figures of groups of completions, with their names in a report."""

Points = Mapping[str, Sequence[float | None]]
"""The values `y` at the positions `x`."""


# The first match counts; OCaml 4.08 to 5.5 word these parts alike.
ERROR_KINDS: Final = (
    (
        r"Unbound (value|module|constructor|record field|type constructor)",
        r"unbound \1",
    ),
    (r"Unbound (type variable|type parameter)", "unbound type variable"),
    (r"Unbound ", "unbound name"),
    (r"This expression has type", "expression of another type"),
    (r"This pattern matches values", "pattern of another type"),
    (r"This function has type .*|This expression is not a function", "not a function"),
    (r"The function applied to this argument", "wrong label or argument"),
    (r"This variant (?:expression|pattern)", "constructor of another type"),
    (r"The constructor \S+ expects", "constructor's arguments"),
    (r"This constant|Integer literal exceeds", "constant of another type"),
    (r"Signature mismatch|The implementation", "signature mismatch"),
    (r"Some record fields? (?:are|is) undefined", "record fields missing"),
    (r"The record (?:field|type)|This record expression", "record of another type"),
    (r"The value .* is not mutable|The record field .* is not mutable", "not mutable"),
    (r"Some type parameters|The type constructor \S+ expects", "type's parameters"),
)
_ERROR_PATTERNS: Final = tuple((re.compile(pattern), kind) for pattern, kind in ERROR_KINDS)


@dataclass(slots=True)
class _ProblemFigures:
    """The results of a problem's completions, and their total time in milliseconds."""

    group: Group = field(default_factory=list)
    total_ms: float = 0.0


@dataclass(slots=True)
class _StepFigures:
    """The results of the completions of one update, or of one evaluation."""

    groups: dict[str, Group] = field(default_factory=dict)
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    credits: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PARTS, 0.0))
    scored: int = 0


class ReportFigures:
    """The figures of a source; of each completion only its reward is kept."""

    def __init__(self) -> None:
        """Start without completions."""
        self.completions = 0
        self.unscored = 0
        self.verdicts: Counter[Verdict] = Counter()
        self._bins = [0] * BINS
        self._kinds: Counter[str] = Counter()
        self._made_by: dict[tuple[str, str], None] = {}
        self._problems: dict[str, _ProblemFigures] = {}
        self._steps: dict[tuple[int | None, str | None], _StepFigures] = {}

    def add(self, scored: ScoredCompletion) -> None:
        """Count a completion; the rewards of impossible twins do not count."""
        breakdown = scored.breakdown
        self.completions += 1
        self.verdicts[breakdown.verdict] += 1
        self._made_by.setdefault((breakdown.scheme, breakdown.toolchain))
        reward = breakdown.reward
        twin = is_impossible(breakdown.problem_id)
        if reward is None:
            self.unscored += 1
        elif not twin:
            self._bins[min(int(reward * BINS), BINS - 1)] += 1
        self._kinds.update(_error_kinds(breakdown))
        entry = (reward, passed(breakdown))
        problem = self._problems.setdefault(breakdown.problem_id, _ProblemFigures())
        problem.group.append(entry)
        problem.total_ms += elapsed_ms(breakdown)
        step = self._steps.setdefault((scored.step, scored.split), _StepFigures())
        step.verdicts[breakdown.verdict] += 1
        if reward is None:
            return
        step.groups.setdefault(breakdown.problem_id, []).append(entry)
        if twin:
            return
        step.scored += 1
        for part in breakdown.credited:
            step.credits[part] += getattr(breakdown.credits, part)

    def summary(self) -> dict[str, Any]:
        """Return the figures of all completions."""
        return {
            "completions": self.completions,
            "unscored": self.unscored,
            "made_by": [" · ".join(names) for names in self._made_by],
            "figures": _group_figures({name: each.group for name, each in self._problems.items()})
            | {"problems": len(self._problems)},
            "verdicts": {each: self.verdicts[each] for each in Verdict},
            "credits": self._credits(self._steps.values()),
            "bins": self._bins,
            "errors": sorted(self._kinds.items(), key=lambda pair: (-pair[1], pair[0])),
        }

    def problems(self) -> dict[str, list[Any]]:
        """Return a table of all problems as columns, sorted by id."""
        columns: dict[str, list[Any]] = defaultdict(list)
        for name, problem in sorted(self._problems.items()):
            rewards = [reward for reward, _ in problem.group]
            known = [reward for reward in rewards if reward is not None]
            columns["id"].append(name)
            columns["tries"].append(len(rewards))
            columns["passed"].append(sum(flag is True for _, flag in problem.group))
            columns["mean"].append(rounded(metrics.mean(rewards)))
            columns["best"].append(max(known, default=None))
            columns["ms"].append(round(problem.total_ms / len(rewards), 1))
        return columns

    def series(self) -> dict[str, Points]:
        """Return the figures of each step; those of evaluations have the prefix `eval_`.

        Empty outside a training.
        """
        found: dict[str, Points] = {}
        for prefix in ("", "eval_"):
            steps = self._ordered_steps(evaluations=bool(prefix))
            rows = [(at, _group_figures(each.groups)) for at, each in steps]
            for name in rows[0][1] if rows else ():
                found[prefix + name] = points_of((at, row[name]) for at, row in rows)
        return found

    def by_step(self) -> dict[str, Any]:
        """Return credits and verdicts of each step; empty outside a training."""
        steps = self._ordered_steps(evaluations=False)
        if not steps:
            return {}
        present = [each for each in Verdict if self.verdicts[each]]
        return {
            "x": [at for at, _ in steps],
            "credits": {
                part: [rounded(self._credits([step])[part]) for _, step in steps] for part in PARTS
            },
            "verdicts": {
                each.value: [step.verdicts[each] for _, step in steps] for each in present
            },
        }

    def curves(self) -> list[dict[str, Any]]:
        """Return the mean reward at each step of the problems for which it changes most.

        The change is from the mean of the first third of a problem's steps to that of the last.
        Problems of training and of validation are apart.
        """
        found: dict[tuple[str, bool], list[tuple[int, float]]] = defaultdict(list)
        for evaluations in (False, True):
            for at, step in self._ordered_steps(evaluations=evaluations):
                for name, group in step.groups.items():
                    mean = metrics.mean(reward for reward, _ in group)
                    if mean is not None:
                        found[name, evaluations].append((at, mean))
        ends = {key: _ends([y for _, y in points]) for key, points in found.items()}
        changed = [key for key, (before, after) in ends.items() if abs(after - before) >= CHANGE]
        changed.sort(key=lambda key: (-abs(ends[key][1] - ends[key][0]), key))
        return [
            {
                "problem": key[0],
                "eval": key[1],
                "from": rounded(ends[key][0]),
                "to": rounded(ends[key][1]),
                **points_of(_thinned(found[key])),
            }
            for key in changed[:CURVES]
        ]

    def _ordered_steps(self, *, evaluations: bool) -> list[tuple[int, _StepFigures]]:
        """List the steps of training, or the evaluations, in order."""
        found = [
            (at, step)
            for (at, split), step in self._steps.items()
            if at is not None and (split == "eval") is evaluations
        ]
        return sorted(found, key=lambda pair: pair[0])

    @staticmethod
    def _credits(steps: Iterable[_StepFigures]) -> dict[str, float | None]:
        steps = list(steps)
        scored = sum(step.scored for step in steps)
        return {
            part: sum(step.credits[part] for step in steps) / scored if scored else None
            for part in PARTS
        }


def points_of(pairs: Iterable[tuple[float, float | None]]) -> Points:
    """Convert pairs of positions and values to columns, without unknown and infinite values."""
    known = [(x, rounded(y)) for x, y in pairs if y is not None and math.isfinite(y)]
    return {"x": [x for x, _ in known], "y": [y for _, y in known]}


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """Return the means of the first and of the last third of some values."""
    size = max(len(values) // 3, 1)
    return statistics.fmean(values[:size]), statistics.fmean(values[-size:])


def _thinned(points: Sequence[tuple[int, float]]) -> Iterator[tuple[float, float]]:
    """Yield the means of so many neighbours that at most CURVE_POINTS are left."""
    size = math.ceil(len(points) / CURVE_POINTS)
    for start in range(0, len(points), size):
        near = points[start : start + size]
        yield near[0][0], statistics.fmean(y for _, y in near)


def rounded(value: float | None) -> float | None:
    """Round to seven digits, which is more than a chart can show."""
    return None if value is None else float(f"{value:.7g}")


def elapsed_ms(breakdown: Breakdown) -> float:
    """Return the duration of a grading in milliseconds."""
    timings = breakdown.timings_ms
    return timings.get("total", sum(timings.values()))


def _group_figures(groups: Mapping[str, Group]) -> dict[str, float | None]:
    found = group_figures(groups)
    return {name: rounded(found[key]) for key, name in BATCH_FIGURES.items()}


def _error_kinds(breakdown: Breakdown) -> Iterable[str]:
    """Yield the kind of each type error."""
    for each in breakdown.diagnostics:
        if kind := error_kind(each):
            yield kind


def error_kind(diagnostic: Diagnostic) -> str | None:
    """Return the kind of a type error in a few words; None for other diagnostics."""
    if diagnostic.kind is not DiagnosticKind.ERROR:
        return None
    if diagnostic.source is not DiagnosticSource.TYPER:
        return None
    for pattern, kind in _ERROR_PATTERNS:
        if match := pattern.match(diagnostic.message):
            return match.expand(kind)
    return "other"
