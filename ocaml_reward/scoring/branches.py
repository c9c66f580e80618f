"""
Which branches of a definition are right or wrong, by the checks that entered them.

A failing check blames of the branches that it entered those that checks fail in most often,
where that is more often than in the definition as a whole.  One that passing checks entered
is right, if each failing one that did has another to blame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from ..model import Branches, CheckResult, Ground, Outcome
from .needs import UNKNOWN, Needed
from .painting import Painted
from .places import Text

__all__ = ["by_branches"]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Branch:
    start: int
    stop: int
    passed: frozenset[int]
    failed: frozenset[int]

    @property
    def rate(self) -> Fraction:
        return Fraction(len(self.failed), len(self.failed) + len(self.passed))

    def holds(self, errors: Iterable[tuple[int, int]]) -> bool:
        return any(self.start < stop and start < self.stop for start, stop in errors)

    def is_around(self, other: _Branch) -> bool:
        return (
            self.start <= other.start
            and other.stop <= self.stop
            and (self.start, self.stop) != (other.start, other.stop)
        )


def by_branches(
    painted: Sequence[Painted],
    *,
    results: Sequence[CheckResult],
    told: Branches | None,
    needed: Needed,
    text: Text,
    errors: Sequence[tuple[int, int]],
) -> list[Painted]:
    """
    Mark the branches in parts that checks of both kinds need; where they explain each check
    that failed, nothing is known of what stands around them.  What holds an error stays
    wrong but for the branches that checks went through which met no hole.
    """
    if told is None:
        return list(painted)
    branches = _branches(results, told, text)
    pieces = list(_cut(painted, branches, needed))
    if not branches or not any(branch for _, branch in pieces):
        return list(painted)
    blamed = _blamed(pieces, results, needed)
    explained = {
        part
        for part in {piece.part for piece, _ in pieces if piece.part is not None}
        if all(
            check in blamed
            for check in _failing(results)
            if part in needed.by.get(check, ())
        )
    }
    accused = {branch for each in blamed.values() for branch in each}
    found = []
    for piece, branch in pieces:
        ground = piece.ground
        is_explained = piece.part in explained
        if branch is None:
            if ground is Ground.FAILING and is_explained and _is_mixed(piece, needed):
                ground = Ground.BOTH
        elif branch in accused:
            ground = Ground.FAILING_BRANCH
        elif not branch.holds(errors):
            is_leaf = not any(map(branch.is_around, branches))
            ground = _ground(branch, ground, is_explained=is_explained, is_leaf=is_leaf)
        entered = None
        if branch and ground is not piece.ground:
            entered = len(branch.passed), len(branch.failed)
        found.append(piece._replace(ground=ground, entered=entered))
    return found


def _ground(
    branch: _Branch, before: Ground, *, is_explained: bool, is_leaf: bool
) -> Ground:
    """
    Say what a branch is marked by that no failing check blames and that holds no error.
    """
    # What stands around other branches decides which of them is entered.
    if branch.passed and (not branch.failed or (is_explained and is_leaf)):
        return Ground.PASSING_BRANCH
    if before is Ground.HOLDS_ERROR:
        if branch.passed:
            return Ground.BOTH
        return Ground.UNTESTED if is_leaf and not branch.failed else before
    if not is_explained:
        return before
    return Ground.BOTH if branch.failed else Ground.UNTESTED


def _is_mixed(piece: Painted, needed: Needed) -> bool:
    part = piece.part
    if part is None:
        return False
    if piece.ground is Ground.HOLDS_ERROR:
        return True
    return (
        piece.ground in (Ground.FAILING, Ground.BOTH)
        and needed.passed[part] > 0
        and needed.failed[part] > 0
    )


def _failing(results: Iterable[CheckResult]) -> Iterator[int]:
    for result in results:
        if result.outcome not in (*UNKNOWN, Outcome.PASSED):
            yield result.index


def _branches(
    results: Sequence[CheckResult], told: Branches, text: Text
) -> list[_Branch]:
    """
    Gather which checks entered each branch; the outer ones come first.
    """
    failing = {*_failing(results)}
    found = []
    for number, span in enumerate(told.spans):
        start, stop = text.characters(*span)
        checks = {
            result.index
            for result, entered in zip(results, told.entered, strict=True)
            if entered is not None
            and number in entered
            and result.outcome not in UNKNOWN
        }
        if start < stop:
            found.append(
                _Branch(
                    start=start,
                    stop=stop,
                    passed=frozenset(checks - failing),
                    failed=frozenset(checks & failing),
                )
            )
    return sorted(found, key=lambda branch: (branch.start, -branch.stop))


def _cut(
    painted: Iterable[Painted], branches: Sequence[_Branch], needed: Needed
) -> Iterator[tuple[Painted, _Branch | None]]:
    """
    Cut what checks of both kinds need where branches begin and end, each piece with the
    innermost branch that it is in.
    """
    for piece in painted:
        if not _is_mixed(piece, needed):
            yield piece, None
            continue
        cuts = {
            at
            for branch in branches
            for at in (branch.start, branch.stop)
            if piece.start < at < piece.stop
        }
        places = [piece.start, *sorted(cuts), piece.stop]
        for start, stop in pairwise(places):
            around = [
                branch
                for branch in branches
                if branch.start <= start and stop <= branch.stop
            ]
            yield piece._replace(start=start, stop=stop), around[-1] if around else None


def _blamed(
    pieces: Iterable[tuple[Painted, _Branch | None]],
    results: Sequence[CheckResult],
    needed: Needed,
) -> dict[int, list[_Branch]]:
    """
    Find for each failing check the branches that it blames.
    """
    places = [(piece.part, branch) for piece, branch in pieces if branch]
    found: dict[int, list[_Branch]] = {}
    for check in _failing(results):
        suspects = [
            (part, branch)
            for part, branch in places
            if part is not None
            and check in branch.failed
            and branch.rate
            > Fraction(needed.failed[part], needed.failed[part] + needed.passed[part])
        ]
        if suspects:
            most = max(branch.rate for _, branch in suspects)
            alike = [branch for _, branch in suspects if branch.rate == most]
            # Of one branch in another the inner one is blamed, which says more.
            found[check] = [
                branch for branch in alike if not any(map(branch.is_around, alike))
            ]
    return found
