"""
What came of a program's checks: their results, what they took, and what nearly took too long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..model import CheckReport, CheckResult, Spent
from .pace import Pace, is_near
from .values import Witness

__all__ = ["Ran", "ran"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ran:
    """
    What came of a program's checks.

    `spent` is what the first run took; `near` has what of it came near its limit, by name,
    in milliseconds; `cut` tells that a hasty look gave up.
    """

    results: tuple[CheckResult, ...]
    spent: Spent | None = None
    near: Mapping[str, float] = field(default_factory=dict)
    cut: bool = False
    printed: bool = False

    def told_in(self, report: CheckReport, witness: Witness) -> CheckReport:
        """
        Return the report of the compiled code with all of this in it, and what was seen.
        """
        return replace(
            report,
            results=self.results,
            answers=witness.answers(self.results, printed=self.printed),
            spent=self.spent,
            cut=self.cut,
            timings_ms=dict(self.near),
        )


def ran(results: tuple[CheckResult, ...], took: Spent | None, pace: Pace) -> Ran:
    """
    Sum up, with what came near its limit.
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
    return Ran(results=results, spent=took, near=near)
