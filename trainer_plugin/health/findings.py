"""Applies the rules of health to a run's steps, and tells which findings are new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..learning import LearningStep
from .history import History
from .rule import Severity
from .rules import RULES
from .thresholds import Thresholds


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """The observation of a rule with its severity and its advice."""

    rule: str
    severity: Severity
    seen: str
    advice: str
    level: float = 1.0
    since: LearningStep | None = field(default=None, compare=False)


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
