"""What the completions of a source come to, counted one after the other."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ocaml_reward import Breakdown, Verdict, metrics
from ocaml_reward.model import Diagnostic, DiagnosticKind, DiagnosticSource

from .scored import Scored

BINS: Final = 20
"""Bars of the distribution of rewards; the last one holds a reward of 1 as well."""
PARTS: Final = ("structural", "type", "compile", "tests", "solved")

Points = Mapping[str, Sequence[float | None]]
"""Values `y` at the places `x`."""
Group = list[tuple[float | None, bool]]


# The first that matches; the wording of 4.08 to 5.5 is the same as far as it is looked at.
KINDS: Final = (
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
_PATTERNS: Final = tuple((re.compile(pattern), kind) for pattern, kind in KINDS)


@dataclass(slots=True)
class _Problem:
    """What a problem's completions came to, and how long they took in milliseconds."""

    group: Group = field(default_factory=list)
    total_ms: float = 0.0


@dataclass(slots=True)
class _Step:
    """The completions that were scored for one update, or in one evaluation."""

    groups: dict[str, Group] = field(default_factory=dict)
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    credits: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PARTS, 0.0))
    scored: int = 0


class Tallies:
    """Figures of a source.  What is kept of a completion is its reward, twice."""

    def __init__(self) -> None:
        """Begin with no completion."""
        self.completions = 0
        self.unscored = 0
        self.verdicts: Counter[Verdict] = Counter()
        self._bins = [0] * BINS
        self._kinds: Counter[str] = Counter()
        self._made_by: dict[tuple[str, str], None] = {}
        self._problems: dict[str, _Problem] = {}
        self._steps: dict[tuple[int | None, str | None], _Step] = {}

    def add(self, scored: Scored) -> None:
        """Count a completion."""
        breakdown = scored.breakdown
        self.completions += 1
        self.verdicts[breakdown.verdict] += 1
        self._made_by.setdefault((breakdown.scheme, breakdown.toolchain))
        reward = breakdown.reward
        if reward is None:
            self.unscored += 1
        else:
            self._bins[min(int(reward * BINS), BINS - 1)] += 1
        self._kinds.update(_kinds(breakdown))
        entry = (reward, breakdown.verdict is Verdict.PASSED)
        problem = self._problems.setdefault(breakdown.problem_id, _Problem())
        problem.group.append(entry)
        problem.total_ms += elapsed_ms(breakdown)
        step = self._steps.setdefault((scored.step, scored.split), _Step())
        step.verdicts[breakdown.verdict] += 1
        if reward is None:
            return
        step.groups.setdefault(breakdown.problem_id, []).append(entry)
        step.scored += 1
        for part in breakdown.credited:
            step.credits[part] += getattr(breakdown.credits, part)

    def summary(self) -> dict[str, Any]:
        """Return what is said of all completions together."""
        return {
            "completions": self.completions,
            "unscored": self.unscored,
            "made_by": [" · ".join(names) for names in self._made_by],
            "figures": _figures([each.group for each in self._problems.values()])
            | {"problems": len(self._problems)},
            "verdicts": {each: self.verdicts[each] for each in Verdict},
            "credits": self._credits(self._steps.values()),
            "bins": self._bins,
            "errors": sorted(self._kinds.items(), key=lambda pair: (-pair[1], pair[0])),
        }

    def problems(self) -> dict[str, list[Any]]:
        """Return a column for each thing to know of a problem, in the order of their names."""
        columns: dict[str, list[Any]] = defaultdict(list)
        for name, problem in sorted(self._problems.items()):
            rewards = [reward for reward, _ in problem.group]
            known = [reward for reward in rewards if reward is not None]
            columns["id"].append(name)
            columns["tries"].append(len(rewards))
            columns["passed"].append(sum(flag for _, flag in problem.group))
            columns["mean"].append(rounded(metrics.mean(rewards)))
            columns["best"].append(max(known, default=None))
            columns["ms"].append(round(problem.total_ms / len(rewards), 1))
        return columns

    def course(self) -> dict[str, Points]:
        """Return the figures of each step, those of evaluations with `eval_` before their names;
        empty outside of a training.
        """
        found: dict[str, Points] = {}
        for prefix in ("", "eval_"):
            steps = self._placed(evaluations=bool(prefix))
            rows = [(at, _figures(list(each.groups.values()))) for at, each in steps]
            for name in rows[0][1] if rows else ():
                found[prefix + name] = points_of((at, row[name]) for at, row in rows)
        return found

    def stacks(self) -> dict[str, Any]:
        """Return credits and verdicts of each step of training, None outside of one."""
        steps = self._placed(evaluations=False)
        if not steps:
            return {}
        present = [each for each in Verdict if self.verdicts[each]]
        return {
            "x": [at for at, _ in steps],
            "credits": {
                part: [rounded(self._credits([step])[part]) for _, step in steps]
                for part in PARTS
            },
            "verdicts": {
                each.value: [step.verdicts[each] for _, step in steps]
                for each in present
            },
        }

    def _placed(self, *, evaluations: bool) -> list[tuple[int, _Step]]:
        """List the steps of training, or the evaluations, in their order."""
        found = [
            (at, step)
            for (at, split), step in self._steps.items()
            if at is not None and (split == "eval") is evaluations
        ]
        return sorted(found, key=lambda pair: pair[0])

    @staticmethod
    def _credits(steps: Iterable[_Step]) -> dict[str, float | None]:
        steps = list(steps)
        scored = sum(step.scored for step in steps)
        return {
            part: sum(step.credits[part] for step in steps) / scored if scored else None
            for part in PARTS
        }


def points_of(pairs: Iterable[tuple[float, float | None]]) -> Points:
    """Make two columns of places and values, without what is not known or no number."""
    known = [(x, rounded(y)) for x, y in pairs if y is not None and math.isfinite(y)]
    return {"x": [x for x, _ in known], "y": [y for _, y in known]}


def rounded(value: float | None) -> float | None:
    """Keep what a picture can show: seven digits."""
    return None if value is None else float(f"{value:.7g}")


def elapsed_ms(breakdown: Breakdown) -> float:
    """Return how long a completion took, in milliseconds."""
    timings = breakdown.timings_ms
    return timings.get("total", sum(timings.values()))


def _figures(groups: Sequence[Group]) -> dict[str, float | None]:
    rewards = [[reward for reward, _ in group] for group in groups]
    passes = [
        [flag if reward is not None else None for reward, flag in group]
        for group in groups
    ]
    every = [reward for group in rewards for reward in group]
    found = {
        "reward": metrics.mean(every),
        "reward_std": metrics.std(every),
        "pass_at_1": metrics.pass_at_1(passes),
        "pass_at_all": metrics.pass_at_all(passes),
        "best_of_n": metrics.best_of_n(rewards),
        "frac_zero_std": metrics.frac_zero_std(rewards),
    }
    return {name: rounded(value) for name, value in found.items()}


def _kinds(breakdown: Breakdown) -> Iterable[str]:
    """Yield the kind of each type error."""
    for each in breakdown.diagnostics:
        if kind := kind_of(each):
            yield kind


def kind_of(diagnostic: Diagnostic) -> str | None:
    """Return the kind of a type error in a few words; None for what is none."""
    if diagnostic.kind is not DiagnosticKind.ERROR:
        return None
    if diagnostic.source is not DiagnosticSource.TYPER:
        return None
    for pattern, kind in _PATTERNS:
        if match := pattern.match(diagnostic.message):
            return match.expand(kind)
    return "other"
