"""Applies the rules of health to a run step by step, from the lines of its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..learning import LearningStep
from .findings import Finding, findings
from .history import History
from .reported import ReportedFindings
from .thresholds import Thresholds


class Examination:
    """Applies the rules of health to a run as it goes; its memory is bounded."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        """Begin before the first step, with the shipped thresholds if none are given."""
        self._at = thresholds or Thresholds()
        self._told = ReportedFindings(self._at)
        self.history = History(self._at.window)
        self.present: list[Finding] = []
        """All findings of the last step, reported or not."""

    def add(self, step: LearningStep) -> list[Finding]:
        """Add the next step; return what a live run would report at it."""
        self.history.add(step)
        return self._look()

    def end(self) -> list[Finding]:
        """End the run; return the findings that need its end."""
        self.history.end()
        return self._look() if self.history.updates else []

    def _look(self) -> list[Finding]:
        self.present = list(findings(self.history, self._at))
        return self._told.news(self.present)


def examined(
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
