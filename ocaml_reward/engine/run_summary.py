"""
The result of running a program's checks: their outcomes, the time that they took, and which
of them came near their limits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..model import CheckReport, CheckResult, Spent
from .pace import Pace, is_near

__all__ = ["RunSummary", "summarize"]


@dataclass(frozen=True, kw_only=True, slots=True)
class RunSummary:
    """
    The result of running a program's checks.

    `spent` is the CPU time of the first run.  `near` names the checks that came near their
    limits, each with its milliseconds.  `cut` is True where a hasty first look gave up, and
    `halted` where no run came to the tests.
    """

    results: tuple[CheckResult, ...]
    spent: Spent | None = None
    near: Mapping[str, float] = field(default_factory=dict)
    cut: bool = False
    halted: bool = False

    def added_to(self, report: CheckReport) -> CheckReport:
        """
        Return the report of the compiled code with this result.
        """
        return replace(
            report,
            results=self.results,
            spent=self.spent,
            cut=self.cut,
            halted=self.halted,
            timings_ms=dict(self.near),
        )


def summarize(
    results: tuple[CheckResult, ...], took: Spent | None, pace: Pace
) -> RunSummary:
    """
    Make the summary; a check is near its limit from a quarter of it on (pace.py).
    """
    near: dict[str, float] = {}
    if took is not None:
        if is_near(took.others_s, pace.others_ms):
            near["top level"] = round(took.others_s * 1000, 3)
        for place, (result, cost_s) in enumerate(
            zip(results, took.checks_s, strict=True)
        ):
            if cost_s is not None and is_near(cost_s, pace.own_ms(place)):
                near[f"check {result.index}"] = round(cost_s * 1000, 3)
    return RunSummary(results=results, spent=took, near=near)
