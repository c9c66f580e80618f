"""The points of groups of cases.  Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..model import CaseGroup, CheckResult, Outcome

_MOST_UNSOLVED: Final = 0.9999
"""The share of all points that is earned at the most where some case fails: points may be so few
that a reward could not tell.
"""


def earned(groups: Sequence[CaseGroup], results: Sequence[CheckResult]) -> list[float]:
    """Return what each group earns.

    That is its points times the least that one of its cases earns, or nothing unless all of the
    groups that it needs have passed.
    """
    shares = {
        each.index: 1.0 if each.outcome is Outcome.PASSED else each.partial for each in results
    }
    passed: set[str] = set()
    found = []
    for group in groups:
        share = min(shares.get(check, 0.0) for check in group.checks)
        if not passed.issuperset(group.needs):
            share = 0.0
        if share == 1:
            passed.add(group.name)
        found.append(group.points * share)
    return found


def share_of(groups: Sequence[CaseGroup], results: Sequence[CheckResult]) -> float:
    """Return the share of all points that is earned; 1 exactly if all cases pass."""
    share = sum(earned(groups, results)) / sum(group.points for group in groups)
    has_all = all(each.outcome is Outcome.PASSED for each in results)
    cases = sum(len(group.checks) for group in groups)
    return share if has_all and len(results) == cases else min(share, _MOST_UNSOLVED)
