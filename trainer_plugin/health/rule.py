"""The definition of a rule of health."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from .history import History
from .thresholds import Observation, Thresholds


class Severity(StrEnum):
    """Severity of a finding: whether the run can still succeed."""

    CRITICAL = "critical"
    WARNING = "warning"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """One rule; rules that share a name are variants of it, and differ in severity or advice.

    Attributes:
        name: Its name in findings and in `stop_on`.
        severity: The severity of its findings.
        look: Returns an observation about the steps so far, or None.
        advice: What to do about it.
        chart: The chart of a report that marks its findings.
    """

    name: str
    severity: Severity
    look: Callable[[History, Thresholds], Observation | None]
    advice: str
    chart: str = "reward"
