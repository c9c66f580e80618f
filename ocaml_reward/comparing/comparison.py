"""Compares one source of gradings with an earlier one, problem by problem.

The difference within each problem is independent of how hard the problem is, so intervals are
narrow.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Final

from ..errors import InputError
from ..model import Verdict
from .figures import Figure, figure_of
from .problem_counts import SourceCounts

EDGE: Final = 1e-9
"""Rewards that differ by less are equal; they are rounded to 6 decimals."""
SHOWN: Final = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """A problem that changed: its mean rewards, or its shares of passes if rewards are not
    comparable, and the verdicts of its best completions.
    """

    problem_id: str
    before: float
    after: float
    verdict_before: Verdict
    verdict_after: Verdict


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """The differences over the problems of one group, such as a difficulty."""

    name: str
    problems: int
    reward: Figure
    pass_at_1: Figure


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """Differences in reward and passes over the problems that both sources have.

    Attributes:
        problems: Number of problems in both.
        only_before: Number of problems only in the earlier source.
        only_after: Number of problems only in the later one.
        reward: The difference of the mean rewards; without a value if the sources were scored under
            different schemes.
        pass_at: The difference of pass@k, by k.
        steps: What completions that pass take in steps, as a multiple of what they took: the
            geometric mean over the problems that pass in both.
        better: Number of problems that earn more, or pass more often if rewards are not comparable.
        worse: Number of problems that earn less.
        equal: Number of the other problems.
        transitions: Number of problems by the verdicts of their best completions before and after,
            the most frequent first.
        moved: The 20 problems that changed most, the largest change first.
        groups: The same differences by difficulty, if problems have one.
    """

    problems: int
    only_before: int
    only_after: int
    reward: Figure
    pass_at: Mapping[int, Figure]
    steps: Figure
    better: int
    worse: int
    equal: int
    transitions: tuple[tuple[Verdict, Verdict, int], ...]
    moved: tuple[Moved, ...]
    groups: tuple[Group, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return a representation in JSON types."""
        return asdict(self) | {"pass_at": {k: asdict(f) for k, f in self.pass_at.items()}}


def compare(
    before: SourceCounts,
    after: SourceCounts,
    *,
    ks: Sequence[int] = (1,),
    difficulty: Mapping[str, Iterable[str]] | None = None,
) -> Comparison:
    """Compare gradings of the same problems.

    Args:
        before: The earlier source.
        after: The later one.
        ks: The values of k for pass@k; a problem counts if it has k completions in both.
        difficulty: The groups of each problem.

    Returns:
        The differences, after minus before.

    Raises:
        InputError: The sources have no problem in common.
    """
    shared = sorted(before.problems.keys() & after.problems.keys())
    if not shared:
        raise InputError("they have no problem in common")
    pays = len(before.schemes | after.schemes) == 1
    changes: dict[str, float] = {}
    for name in shared:
        was, now = before.problems[name], after.problems[name]
        value = now.reward - was.reward
        if not pays:
            value = now.passed / now.count - was.passed / was.count
        changes[name] = value if abs(value) > EDGE else 0.0
    verdicts = Counter((before.problems[name].best, after.problems[name].best) for name in shared)
    order = list(Verdict)
    groups: dict[str, list[str]] = {}
    for name in shared:
        for group in (difficulty or {}).get(name, ()):
            groups.setdefault(group, []).append(name)
    better = sum(value > 0 for value in changes.values())
    worse = sum(value < 0 for value in changes.values())
    ranked = sorted(filter(changes.get, shared), key=lambda name: -abs(changes[name]))
    return Comparison(
        problems=len(shared),
        only_before=len(before.problems) - len(shared),
        only_after=len(after.problems) - len(shared),
        reward=_reward(before, after, shared, pays=pays),
        pass_at={k: _pass_at(before, after, shared, k) for k in ks},
        steps=_steps(before, after, shared),
        better=better,
        worse=worse,
        equal=len(shared) - better - worse,
        transitions=tuple(
            (was, now, count)
            for (was, now), count in sorted(
                verdicts.items(),
                key=lambda one: (-one[1], *map(order.index, one[0])),
            )
            if was is not now
        ),
        moved=tuple(_moved(before, after, name, pays=pays) for name in ranked[:SHOWN]),
        groups=tuple(
            Group(
                name=group,
                problems=len(names),
                reward=_reward(before, after, names, pays=pays),
                pass_at_1=_pass_at(before, after, names, 1),
            )
            for group, names in sorted(groups.items())
        ),
    )


def _reward(
    before: SourceCounts, after: SourceCounts, names: Sequence[str], *, pays: bool
) -> Figure:
    """Return the mean change of the problems' rewards."""
    return figure_of(
        after.problems[name].reward - before.problems[name].reward
        for name in (names if pays else ())
    )


def _pass_at(before: SourceCounts, after: SourceCounts, names: Sequence[str], k: int) -> Figure:
    """Return the mean change of pass@k over the problems that have both values."""
    found = []
    for name in names:
        was, now = before.problems[name].pass_at(k), after.problems[name].pass_at(k)
        if was is not None and now is not None:
            found.append(now - was)
    return figure_of(found)


def _steps(before: SourceCounts, after: SourceCounts, names: Sequence[str]) -> Figure:
    """Return the factor between the steps of what passes, over the problems that pass in both."""
    changes = []
    for name in names:
        was, now = before.problems[name].steps, after.problems[name].steps
        if was and now:
            was_log, now_log = (fmean(math.log(max(each, 1)) for each in one) for one in (was, now))
            changes.append(now_log - was_log)
    ends = asdict(figure_of(changes))
    return Figure(**{key: None if end is None else math.exp(end) for key, end in ends.items()})


def _moved(before: SourceCounts, after: SourceCounts, name: str, *, pays: bool) -> Moved:
    """Return how a problem's reward, or its share that passes, has changed."""
    was, now = before.problems[name], after.problems[name]
    return Moved(
        problem_id=name,
        before=was.reward if pays else was.passed / was.count,
        after=now.reward if pays else now.passed / now.count,
        verdict_before=was.best,
        verdict_after=now.best,
    )
