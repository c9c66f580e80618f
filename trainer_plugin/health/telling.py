"""
Which findings are news: the first, one that comes back, one that has become much worse.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .findings import Finding, Severity
from .thresholds import Thresholds

__all__ = ["Told"]

Key = tuple[str, Severity, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Last:
    """
    When a finding was last seen, and how bad it was when it was told.
    """

    at: int
    level: float


class Told:
    """
    What has been told of a run so far; it follows from the run's steps alone.
    """

    def __init__(self, thresholds: Thresholds) -> None:
        """
        Begin with nothing told.
        """
        self._quiet = thresholds.quiet
        self._worse = thresholds.worse
        self._now = 0
        self._last: dict[Key, _Last] = {}

    def news(self, found: Iterable[Finding]) -> list[Finding]:
        """
        Return what to tell of a step's findings.
        """
        self._now += 1
        return [each for each in found if self._is_news(each)]

    def _is_news(self, finding: Finding) -> bool:
        # Forms of a rule differ in severity or advice.
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
