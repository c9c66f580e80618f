"""
Applies the rules of health to a finished run, from the lines of its log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..learning import LearningStep
from .findings import Finding, findings
from .history import History
from .reported import ReportedFindings
from .thresholds import Thresholds

__all__ = ["examined"]


def examined(
    steps: Iterable[LearningStep], thresholds: Thresholds | None = None
) -> Iterator[tuple[LearningStep, Finding]]:
    """
    Apply the rules of health to the steps of a run.

    Args:
        steps: The logged steps, in their order.
        thresholds: The numbers that the rules go by, the shipped ones if not given.

    Returns:
        Each finding that a live run would have reported, with the step that it came at.
    """
    at = thresholds or Thresholds()
    history, told = History(at.window), ReportedFindings(at)
    step = None
    for step in steps:
        history.add(step)
        for finding in told.news(findings(history, at)):
            yield step, finding
    if step is not None:
        history.end()
        for finding in told.news(findings(history, at)):
            yield step, finding
