"""Which checks of code with holes have met one, and which hang on what a hole left undone.
Pure.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace

from ..model import CheckResult, Outcome

MOST_BRANCHES = 256
"""As many are watched (ocaml/locate/branch_coverage.ml)."""


@dataclass(slots=True)
class HoleWatch:
    """The holes that the runs of one program have met.

    A check that met one says nothing, whatever the code did after it.  Behind a hole outside
    of checks, and where checks find what others `share` also behind one in a check, one that
    fails may do so for what is missing, and says nothing either.
    """

    shared: bool
    _met: set[int] = field(default_factory=set)
    _behind: set[int] = field(default_factory=set)
    _entered: dict[int, set[int]] = field(default_factory=dict)

    def met_in(self, check: int | None, count: int, known: Container[int]) -> None:
        """Take note of a hole.

        Args:
            check: The place of the check that has met it, None outside of checks.
            count: How many checks there are.
            known: The places of those that had ended before.
        """
        if check is not None:
            self._met.add(check)
        if check is None or self.shared:
            self._behind.update(place for place in range(count) if place not in known)

    def enters(self, check: int | None, branch: int) -> None:
        """Take note of a branch, by its number, that a check enters."""
        if check is not None and 0 <= branch < MOST_BRANCHES:
            self._entered.setdefault(check, set()).add(branch)

    def entered(self, count: int) -> tuple[tuple[int, ...], ...]:
        """List for each of `count` checks the branches that it entered."""
        return tuple(
            tuple(sorted(self._entered.get(place, ()))) for place in range(count)
        )

    def leave(self, results: Iterable[CheckResult]) -> tuple[CheckResult, ...]:
        """Return the results, in the order of the checks, as the holes leave them; without
        details, as these are about a program that nobody wrote.
        """
        return tuple(
            replace(result, outcome=self._left(place, result.outcome), detail="")
            for place, result in enumerate(results)
        )

    def _left(self, place: int, outcome: Outcome) -> Outcome:
        known = outcome in (Outcome.PASSED, Outcome.NOT_RUN)
        if place in self._met or (place in self._behind and not known):
            return Outcome.MET_HOLE
        return outcome
