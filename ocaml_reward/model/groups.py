"""Groups of a program's cases: what is earned only by all cases of one.

(DMOJ/docs docs/problem_format/problem_format.md)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Final

from ..codec.typed import Between, Count
from ..errors import ProblemError
from .problems import StdioCase

MOST_POINTS: Final = 1_000_000
"""The points of a group at the most."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseGroup:
    """Cases that earn their points together.

    Attributes:
        name: Its name, "" for a case by itself.
        checks: The numbers of its cases, from 1.
        points: What it earns.
        needs: The names of earlier groups without which it earns nothing.
    """

    name: str = ""
    checks: tuple[Count, ...]
    points: Annotated[float, Between(0, MOST_POINTS)]
    needs: tuple[str, ...] = ()


def groups_of(cases: str | Sequence[StdioCase]) -> tuple[CaseGroup, ...]:
    """Return the groups of a problem's tests in their order; none where each case earns the same.

    Raises ProblemError if they contradict each other, or a case could fail for nothing.
    """
    if isinstance(cases, str) or not any(map(_is_grouped, cases)):
        return ()
    members: dict[tuple[str, int], list[int]] = {}
    for number, case in enumerate(cases, 1):
        members.setdefault((case.group, 0 if case.group else number), []).append(number)
    groups = tuple(
        _group(name, numbers, [cases[number - 1] for number in numbers])
        for (name, _), numbers in members.items()
    )
    require_payable(groups)
    return groups


def _is_grouped(case: StdioCase) -> bool:
    return bool(case.group or case.needs or case.points is not None)


def _group(name: str, numbers: Sequence[int], cases: Sequence[StdioCase]) -> CaseGroup:
    """Return the group of some cases, which each may say its points."""
    said = {case.points for case in cases if case.points is not None} or {1.0}
    points = max(said)
    if len(said) > 1:
        raise ProblemError(f"tests: the cases of group {name!r} say different points")
    if not (isfinite(points) and 0 <= points <= MOST_POINTS):
        raise ProblemError(f"tests: points: expected a number from 0 to {MOST_POINTS:,}")
    needs = dict.fromkeys(each for case in cases for each in case.needs)
    return CaseGroup(name=name, checks=tuple(numbers), points=points, needs=tuple(needs))


def require_payable(groups: Sequence[CaseGroup]) -> None:
    """Raise ProblemError if some case counts for nothing, or needs what does not come before it."""
    earlier: set[str] = set()
    for group in groups:
        if missing := next((each for each in group.needs if each not in earlier), None):
            case = f"case {group.checks[0]}"
            raise ProblemError(f"tests: {case} needs {missing!r}, which is no earlier group")
        earlier.add(group.name)
    needed: set[str] = set()
    for group in reversed(groups):
        if group.points or (group.name and group.name in needed):
            needed.update(group.needs)
        else:
            case = f"case {group.checks[0]}"
            raise ProblemError(f"tests: {case} earns no points, and no other needs its group")
