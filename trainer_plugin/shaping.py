"""Changes of rewards in training: bonuses of the scheme's [shaping], and weights of checks that few
completions pass.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ocaml_reward import Breakdown
from ocaml_reward.model import DiagnosticKind, Outcome
from ocaml_reward.penalties import apply
from ocaml_reward.scheme import Shaping

from .outcomes import compiled

_WARNINGS = frozenset({DiagnosticKind.WARNING, DiagnosticKind.ALERT})


class BestPasses:
    """The largest number of passed checks of each problem so far."""

    def __init__(self, seen: Iterable[tuple[str, int]] = ()) -> None:
        """Begin with the passes of an earlier part of the run."""
        self._most: dict[str, int] = {}
        self.note(seen)

    def of(self, problem_id: str) -> int:
        """Return a problem's best so far, 0 if there is none."""
        return self._most.get(problem_id, 0)

    def note(self, seen: Iterable[tuple[str, int]]) -> None:
        """Update the bests with numbers of passed checks."""
        for problem_id, checks in seen:
            self._most[problem_id] = max(checks, self.of(problem_id))


def with_bonuses(
    breakdowns: Sequence[Breakdown], shaping: Shaping, bests: BestPasses
) -> list[float | None]:
    """Return the rewards with their bonuses.

    All completions of a batch are compared with the best before it. A completion with a penalty
    gets no bonus, so that spam and runaways are not rewarded.
    """
    return [_with_bonus(each, shaping, bests) for each in breakdowns]


def _with_bonus(breakdown: Breakdown, shaping: Shaping, bests: BestPasses) -> float | None:
    """Return a completion's reward with its bonuses."""
    if breakdown.reward is None or breakdown.penalties or not shaping.enabled:
        return breakdown.reward
    bonus = 0.0
    if breakdown.tests.passed > bests.of(breakdown.problem_id):
        bonus += shaping.improvement
    warned = any(each.kind in _WARNINGS for each in breakdown.diagnostics)
    if compiled(breakdown) and not warned:
        bonus += shaping.clean_compile
    return round(breakdown.reward + bonus, 6)


def with_rare_checks(breakdowns: Sequence[Breakdown], available: float) -> list[Breakdown]:
    """Return the breakdowns of a batch with rewards in which rare checks count more.

    Args:
        breakdowns: The breakdowns; those of one problem are a group.
        available: The credit for passing all checks.
    """
    groups: dict[str, list[Breakdown]] = {}
    for each in breakdowns:
        groups.setdefault(each.problem_id, []).append(each)
    weights = {problem_id: rarities(group) for problem_id, group in groups.items()}
    return [weighed(each, weights[each.problem_id], available) for each in breakdowns]


def rarities(group: Sequence[Breakdown]) -> list[float]:
    """Return the share of a group's graded completions that fails it, for each check.

    After VeRPO (arXiv 2601.03525), which weighs checks by how hard a group finds them.
    """
    earned = [_earned(each) for each in group if each.reward is not None]
    checks = range(max((each.tests.total for each in group), default=0) if earned else 0)
    return [1 - statistics.fmean(each.get(check, 0.0) for each in earned) for check in checks]


def weighed(breakdown: Breakdown, weights: Sequence[float], available: float) -> Breakdown:
    """Return a breakdown whose reward has the share of these weights that it passes, in place of the
    share of the checks.
    """
    whole = sum(weights)
    if breakdown.reward is None or not whole or not breakdown.tests.total:
        return breakdown
    share = sum(weights[check] * part for check, part in _earned(breakdown).items()) / whole
    earned = replace(breakdown.credits, tests=available * share)
    return replace(breakdown, reward=apply(earned, breakdown.penalties))


def _earned(breakdown: Breakdown) -> dict[int, float]:
    """Return the share that each check earned, by its place."""
    return {
        place: 1.0 if each.outcome is Outcome.PASSED else each.partial
        for place, each in enumerate(breakdown.tests.results)
    }
