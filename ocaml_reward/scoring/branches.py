"""Finds which branches of a definition are right or wrong, from the checks that entered them.

A failing check blames, among the branches that it entered, those with the highest failure rate, if
that rate is higher than the rate of the whole definition. A branch that passing checks entered is
right if every failing check that entered it blames another branch.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, zip_longest

from ..model import Branches, CheckResult, Ground, Outcome
from .needs import UNKNOWN, Needed
from .painting import Painted
from .places import Text


@dataclass(frozen=True, kw_only=True, slots=True)
class _Branch:
    start: int
    stop: int
    passed: frozenset[int]
    failed: frozenset[int]

    @property
    def rate(self) -> float:
        """Return the share of the checks entering the branch that failed."""
        return _rate(len(self.passed), len(self.failed))


def by_branches(
    painted: Sequence[Painted],
    *,
    results: Sequence[CheckResult],
    recorded: Branches | None,
    needed: Needed,
    text: Text,
    errors: Sequence[tuple[int, int]],
) -> list[Painted]:
    """Mark the branches of parts that both passing and failing checks need.

    If the branches explain every failing check, the code around them becomes unknown. A part that
    holds an error stays wrong, except for branches that checks went through without reaching a
    hole.
    """
    if recorded is None:
        return list(painted)
    branches = _branches(results, recorded, text)
    pieces = list(_cut(painted, branches, needed))
    blamed = _blamed(pieces, branches, results, needed)
    accused = {branch for each in blamed.values() for branch in each}
    innermost = {*_innermost(branches)}
    sound = {*branches} - {*_holding(branches, errors)}
    # Parts needed by failing checks that blame no branch.
    unexplained: set[int] = set()
    for check in _failing(results):
        if check not in blamed:
            unexplained |= needed.by.get(check, frozenset())
    found = []
    for piece, branch in pieces:
        ground = piece.ground
        is_explained = piece.part not in unexplained
        if branch is None:
            if ground is Ground.FAILING and is_explained and _is_mixed(piece, needed):
                ground = Ground.BOTH
        elif branch in accused:
            ground = Ground.FAILING_BRANCH
        elif branch in sound:
            ground = _ground(
                branch,
                ground,
                is_explained=is_explained,
                is_leaf=branch in innermost,
            )
        entered = None
        if branch and ground is not piece.ground:
            entered = len(branch.passed), len(branch.failed)
        found.append(piece._replace(ground=ground, entered=entered))
    return found


def _ground(branch: _Branch, before: Ground, *, is_explained: bool, is_leaf: bool) -> Ground:
    """Return the ground of a branch that no failing check blames and that holds no error."""
    # A branch with inner branches decides which of them is entered, so it may still be wrong.
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
    """Tell whether a piece is needed by passing and by failing checks, or holds an error."""
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
    """Yield the numbers of the checks that failed."""
    for result in results:
        if result.outcome not in (*UNKNOWN, Outcome.PASSED):
            yield result.index


def _branches(results: Sequence[CheckResult], recorded: Branches, text: Text) -> list[_Branch]:
    """Return the branches with the checks that entered them, outer branches first."""
    failing = {*_failing(results)}
    entering: dict[int, set[int]] = {}
    for result, entered in zip(results, recorded.entered, strict=True):
        if result.outcome not in UNKNOWN:
            for number in entered or ():
                entering.setdefault(number, set()).add(result.index)
    found = []
    for number, span in enumerate(recorded.spans):
        start, stop = text.characters(*span)
        checks = entering.get(number, set())
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
    """Cut mixed parts where branches begin and end; yield each piece with its innermost branch."""
    cuts = sorted({at for branch in branches for at in (branch.start, branch.stop)})
    waiting = deque(branches)
    around: list[_Branch] = []
    for piece in painted:
        if not _is_mixed(piece, needed):
            yield piece, None
            continue
        inner = cuts[bisect_right(cuts, piece.start) : bisect_left(cuts, piece.stop)]
        for start, stop in pairwise([piece.start, *inner, piece.stop]):
            while waiting and waiting[0].start <= start:
                while around and around[-1].stop <= waiting[0].start:
                    around.pop()
                around.append(waiting.popleft())
            while around and around[-1].stop <= start:
                around.pop()
            yield piece._replace(start=start, stop=stop), around[-1] if around else None


def _blamed(
    pieces: Iterable[tuple[Painted, _Branch | None]],
    branches: Sequence[_Branch],
    results: Sequence[CheckResult],
    needed: Needed,
) -> dict[int, list[_Branch]]:
    """Return the branches that each failing check blames."""
    suspects = [
        branch
        for piece, branch in pieces
        if branch
        and branch.failed
        and piece.part is not None
        and branch.rate > _rate(needed.passed[piece.part], needed.failed[piece.part])
    ]
    order = {branch: place for place, branch in enumerate(branches)}
    found: dict[int, list[_Branch]] = {}
    for check in _failing(results):
        own = {branch for branch in suspects if check in branch.failed}
        if own:
            most = max(branch.rate for branch in own)
            alike = sorted((branch for branch in own if branch.rate == most), key=order.__getitem__)
            # If one blamed branch contains another, blame the inner one, which is more precise.
            found[check] = list(_innermost(alike))
    return found


def _holding(branches: Iterable[_Branch], errors: Iterable[tuple[int, int]]) -> Iterator[_Branch]:
    """Yield the branches that contain or overlap an error."""
    ordered = sorted(errors)
    reaching = list(accumulate((stop for _, stop in ordered), max))
    for branch in branches:
        before = bisect_left(ordered, (branch.stop,))
        if before and reaching[before - 1] > branch.start:
            yield branch


def _innermost(branches: Sequence[_Branch]) -> Iterator[_Branch]:
    """Yield those of the sorted branches that contain none of the others."""
    for branch, following in zip_longest(branches, branches[1:]):
        if following is None or following.start >= branch.stop:
            yield branch


def _rate(passed: int, failed: int) -> float:
    """Return the share of checks that failed."""
    # A part can be reached without its name being used, and then no check counts for it. A rate of
    # 1.0 makes sure that no branch has a higher one.
    return failed / (passed + failed) if passed or failed else 1.0
