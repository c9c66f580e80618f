"""The rules of health: they detect problems in a run's figures and give advice.

A rule takes a History and returns an observation, or None. All thresholds are in one table, which a
user can change. Rules with the same name are tried in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from ..learning import LearningStep
from .history import History
from .rules import (
    cheating,
    clocked,
    collapse,
    collapsing,
    falling_rewards,
    flat_rewards,
    gradients,
    losses,
    low_entropy,
    milestones,
    narrowing,
    red_flags,
    rising_entropy,
    rising_losses,
    runaways,
    spread,
    sudden_drop,
    swings,
    vanishing,
)
from .thresholds import Observation, Thresholds


class Severity(StrEnum):
    """Severity of a finding: whether the run can still succeed."""

    CRITICAL = "critical"
    WARNING = "warning"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """One rule; rules that share a name are variants of it."""

    name: str
    severity: Severity
    look: Callable[[History, Thresholds], Observation | None]
    advice: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """The observation of a rule with its severity and its advice."""

    rule: str
    severity: Severity
    seen: str
    advice: str
    level: float = 1.0
    since: LearningStep | None = field(default=None, compare=False)


_STEADY = (
    "halve the learning rate, raise the KL penalty (0.05 to 0.1), warm up longer (100 to"
    " 200 steps), clip gradients at 0.5"
)
_CONSISTENT = (
    "the model can, but is not consistent: learn from the best of each group or from"
    " rewards above 0.3 only, and stop early on validation"
)

_DIVERSIFY = (
    "raise the temperature (0.9 to 1.1) or the generations per prompt (6 to 8);"
    " if every completion fails alike, choose easier problems or a curriculum"
)

RULES: Final = (
    Rule(
        name="cheating",
        severity=Severity.CRITICAL,
        look=cheating,
        advice="look at what passes a twin (in `ocaml-reward report`, the problems `~impossible`):"
        " it found a way around the tests; report it, and go on from a checkpoint before with the"
        " hole closed",
    ),
    Rule(
        name="mode-collapse",
        severity=Severity.CRITICAL,
        look=collapse,
        advice=_DIVERSIFY,
    ),
    Rule(
        name="mode-collapse",
        severity=Severity.WARNING,
        look=collapsing,
        advice=_DIVERSIFY,
    ),
    Rule(
        name="mode-collapse",
        severity=Severity.WARNING,
        look=low_entropy,
        advice="raise the temperature, the KL penalty or the entropy bonus, or lower the"
        " learning rate, before the model knows one template only",
    ),
    Rule(
        name="runaway",
        severity=Severity.CRITICAL,
        look=runaways,
        advice="show an end in the prompt's examples (the model's end token, and the END"
        " marker if the scheme has one), allow longer completions, and leave runaway.cap"
        " at 1: a hard cap gives all of them one reward",
    ),
    Rule(
        name="clock",
        severity=Severity.WARNING,
        look=clocked,
        advice="look at the records whose limit is cpu or wall: long calls of the library take no"
        " steps, and end otherwise on another machine",
    ),
    Rule(
        name="gradient-instability",
        severity=Severity.CRITICAL,
        look=gradients,
        advice="lower max_grad_norm (1.0 to 0.5) or the learning rate; look at that"
        " step's completions for an odd batch",
    ),
    Rule(
        name="vanishing-gradient",
        severity=Severity.WARNING,
        look=vanishing,
        advice="rewards hardly differ within groups: draw solved problems less often"
        " (dataset.settled_share 0.25) and add harder ones; or, where little passes,"
        " easier ones",
    ),
    Rule(
        name="loss-instability",
        severity=Severity.CRITICAL,
        look=losses,
        advice=_STEADY,
    ),
    Rule(
        name="loss-instability",
        severity=Severity.CRITICAL,
        look=rising_losses,
        advice=f"{_STEADY}; go on from the checkpoint before the rise",
    ),
    Rule(
        name="reward-regression",
        severity=Severity.WARNING,
        look=falling_rewards,
        advice=_CONSISTENT,
    ),
    Rule(
        name="reward-regression",
        severity=Severity.WARNING,
        look=sudden_drop,
        advice="look at these steps' completions for what has changed, and go on from the"
        " checkpoint before with a lower learning rate",
    ),
    Rule(
        name="plateau",
        severity=Severity.WARNING,
        look=flat_rewards,
        advice="raise the learning rate (5e-6 to 8e-6) or the completion length, start"
        " with easier problems, use the curriculum scheme, or a stronger base model",
    ),
    Rule(
        name="milestone",
        severity=Severity.WARNING,
        look=milestones,
        advice="compare with `ocaml-reward baseline`; more generations, a higher learning"
        " rate or temperature, easier problems or a curriculum, if it does not rise",
    ),
    Rule(
        name="high-variance",
        severity=Severity.WARNING,
        look=spread,
        advice="more generations per prompt and larger batches; normal while the mean"
        " reward is still low",
    ),
    Rule(
        name="entropy-swing",
        severity=Severity.WARNING,
        look=swings,
        advice="lower the learning rate or enlarge the batch; exploration and"
        " exploitation take turns",
    ),
    Rule(
        name="entropy-rise",
        severity=Severity.WARNING,
        look=rising_entropy,
        advice="lower the learning rate or the entropy bonus, raise the KL penalty (0.05"
        " to 0.1); look at completions for text that is no code any more",
    ),
    Rule(
        name="narrowing",
        severity=Severity.WARNING,
        look=narrowing,
        advice="draw solved problems less often (dataset.settled_share 0.25), generate"
        " more per prompt (6 to 8) or at a higher temperature, so that hard problems are"
        " solved now and then",
    ),
    Rule(
        name="stop-criteria",
        severity=Severity.CRITICAL,
        look=red_flags,
        advice="stop: try a curriculum, an easier subset, more examples in the prompt, or"
        " a stronger base model (`ocaml-reward baseline` tells what it can do)",
    ),
)
"""All rules; of those that share a name the graver comes first."""


def findings(history: History, thresholds: Thresholds) -> Iterator[Finding]:
    """Apply every rule of health to the steps so far.

    Args:
        history: The steps so far.
        thresholds: The numbers of the rules.

    Returns:
        The current findings, in the order of the rules; only the first per name.
    """
    if not history.recent:
        return
    at = thresholds.scaled_for_solved(history.recent[-1].solved_share or 0.0)
    found: set[str] = set()
    for rule in RULES:
        seen = None if rule.name in found else rule.look(history, at)
        if seen is not None:
            found.add(rule.name)
            yield Finding(
                rule=rule.name,
                severity=rule.severity,
                seen=seen.text,
                advice=rule.advice,
                level=seen.level,
                since=seen.since,
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Last:
    """The step at which a finding was last seen, and its level when last reported."""

    at: int
    level: float


class ReportedFindings:
    """Remembers reported findings, so that a lasting one is not repeated.

    It depends on the run's steps only, so reading a log again gives the same reports.
    """

    def __init__(self, thresholds: Thresholds) -> None:
        """Start with nothing reported."""
        self._quiet = thresholds.quiet
        self._worse = thresholds.worse
        self._now = 0
        self._last: dict[tuple[str, Severity, str], _Last] = {}

    def select_new(self, found: Iterable[Finding]) -> list[Finding]:
        """Return the findings of a step that are to be reported. Call it once per step."""
        self._now += 1
        return [each for each in found if self._is_new(each)]

    def _is_new(self, finding: Finding) -> bool:
        """Tell whether a finding is to be reported: it was not lately, or is much worse."""
        # Variants of a rule differ in severity or advice.
        key = (finding.rule, finding.severity, finding.advice)
        last = self._last.get(key)
        graver = self._last.get((finding.rule, Severity.CRITICAL, finding.advice))
        lasts = last is not None and self._now - last.at <= self._quiet
        worse = lasts and last is not None and finding.level >= last.level * self._worse
        milder = (
            finding.severity is Severity.WARNING
            and graver is not None
            and self._now - graver.at <= self._quiet
        )
        news = not milder and (not lasts or worse)
        level = finding.level if news or last is None else last.level
        self._last[key] = _Last(at=self._now, level=level)
        return news


class Examination:
    """Applies the rules of health to a run as it goes; its memory is bounded."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        """Begin before the first step, with the shipped thresholds if none are given."""
        self._at = thresholds or Thresholds()
        self._reported = ReportedFindings(self._at)
        self.history = History(self._at.window)
        self.present: list[Finding] = []
        """All findings of the last step, reported or not."""

    def add(self, step: LearningStep) -> list[Finding]:
        """Add the next step; return what a live run would report at it."""
        self.history.add(step)
        return self._apply()

    def end(self) -> list[Finding]:
        """End the run; return the findings that need its end."""
        self.history.end()
        return self._apply() if self.history.updates else []

    def _apply(self) -> list[Finding]:
        """Return the findings that are to be reported now."""
        self.present = list(findings(self.history, self._at))
        return self._reported.select_new(self.present)


def apply_rules(
    steps: Iterable[LearningStep], thresholds: Thresholds | None = None
) -> Iterator[tuple[LearningStep, Finding]]:
    """Apply the rules of health to the steps of a run.

    Args:
        steps: The logged steps, in order.
        thresholds: The numbers of the rules; the shipped ones if not given.

    Returns:
        Each finding that a live run would have reported, with its step.
    """
    examination = Examination(thresholds)
    step = None
    for step in steps:
        for finding in examination.add(step):
            yield step, finding
    if step is not None:
        for finding in examination.end():
            yield step, finding
