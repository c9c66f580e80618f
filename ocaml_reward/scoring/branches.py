"""
Which branches of a definition are right or wrong, by the checks that entered them.

A failing check blames of the branches that it entered those that checks fail in most often,
where that is more often than in the definition as a whole.  One that only passing checks
entered is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

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

    @property
    def counts(self) -> tuple[int, int]:
        return len(self.passed), len(self.failed)


def by_branches(
    painted: Sequence[Painted],
    results: Sequence[CheckResult],
    told: Branches | None,
    needed: Needed,
    text: Text,
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
    found = []
    for piece, branch in pieces:
        part = piece.part
        if part is None or not _is_mixed(piece, needed):
            found.append(piece)
            continue
        explained = piece.ground is not Ground.HOLDS_ERROR and all(
            check in blamed
            for check in _failing(results)
            if part in needed.by.get(check, ())
        )
        if branch is None:
            ground = Ground.BOTH if explained else piece.ground
            found.append(piece._replace(ground=ground))
        elif any(branch in each for each in blamed.values()):
            found.append(_marked(piece, branch, Ground.FAILING_BRANCH))
        elif branch.passed and not branch.failed:
            found.append(_marked(piece, branch, Ground.PASSING_BRANCH))
        elif branch.passed and (explained or piece.ground is Ground.HOLDS_ERROR):
            found.append(_marked(piece, branch, Ground.BOTH))
        elif explained and not branch.failed:
            found.append(_marked(piece, branch, Ground.UNTESTED))
        else:
            found.append(piece)
    return found


def _marked(piece: Painted, branch: _Branch, ground: Ground) -> Painted:
    return piece._replace(ground=ground, counts=branch.counts)


def _is_mixed(piece: Painted, needed: Needed) -> bool:
    part = piece.part
    if part is None or not needed.passed[part]:
        return False
    if piece.ground is Ground.HOLDS_ERROR:
        return True
    return piece.ground in (Ground.FAILING, Ground.BOTH) and needed.failed[part] > 0


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
        for start, stop in zip(places, places[1:], strict=False):
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
            found[check] = [branch for _, branch in suspects if branch.rate == most]
    return found
