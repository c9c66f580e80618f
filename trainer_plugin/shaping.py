"""Bonuses on top of a reward, configured in the scheme's [shaping]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ocaml_reward import Breakdown
from ocaml_reward.model import DiagnosticKind
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
