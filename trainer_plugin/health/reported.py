"""Selects the findings to report: new ones, recurring ones, and ones that became much worse."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .findings import Finding, Severity
from .thresholds import Thresholds

Key = tuple[str, Severity, str]


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
        self._last: dict[Key, _Last] = {}

    def news(self, found: Iterable[Finding]) -> list[Finding]:
        """Return the findings of a step that are to be reported. Call it once per step."""
        self._now += 1
        return [each for each in found if self._is_news(each)]

    def _is_news(self, finding: Finding) -> bool:
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
