"""Records which checks of code with holes have reached one, or depend on one.  Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace

from ..model import CheckResult, Outcome

MOST_BRANCHES = 256
"""At most this many branches are recorded (ocaml/locate/branch_coverage.ml)."""


@dataclass(slots=True)
class ReachedHoles:
    """The holes that the runs of one program have reached.

    A check that reached a hole has no result, whatever the code did afterwards.  Nor has a failed
    check after a hole outside of checks: it may have failed because of the hole.  If checks have
    `shared` state, that also holds for a failed check after a hole in another check.
    """

    shared: bool
    _reached: set[int] = field(default_factory=set)
    _after: set[int] = field(default_factory=set)
    _entered: dict[int, set[int]] = field(default_factory=dict)

    def reach(self, check: int | None, count: int, known: Container[int]) -> None:
        """Note a reached hole.

        Args:
            check: The place of the check that reached it, None outside of checks.
            count: The number of checks.
            known: The places of the checks that had ended before.
        """
        if check is not None:
            self._reached.add(check)
        if check is None or self.shared:
            self._after.update(place for place in range(count) if place not in known)

    def enters(self, check: int | None, branch: int) -> None:
        """Note that a check entered a branch, given by its number."""
        if check is not None and 0 <= branch < MOST_BRANCHES:
            self._entered.setdefault(check, set()).add(branch)

    def entered(self, count: int) -> tuple[tuple[int, ...], ...]:
        """Return, for each of `count` checks, the branches that it entered."""
        return tuple(
            tuple(sorted(self._entered.get(place, ()))) for place in range(count)
        )

    def apply_to(self, results: Iterable[CheckResult]) -> tuple[CheckResult, ...]:
        """Return the results, in the order of the checks, corrected for the reached holes.

        Details are dropped: they describe a program that nobody wrote.
        """
        return tuple(
            replace(result, outcome=self._outcome(place, result.outcome), detail="")
            for place, result in enumerate(results)
        )

    def _outcome(self, place: int, outcome: Outcome) -> Outcome:
        known = outcome in (Outcome.PASSED, Outcome.NOT_RUN)
        if place in self._reached or (place in self._after and not known):
            return Outcome.MET_HOLE
        return outcome
