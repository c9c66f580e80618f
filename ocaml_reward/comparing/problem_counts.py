"""Per-problem counts of passed and graded completions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ..metrics import unbiased_pass_at_k
from ..model import Breakdown, Verdict, is_impossible

_BEST_FIRST: Final = {verdict: place for place, verdict in enumerate(Verdict)}


class Graded(NamedTuple):
    """The fields of a grading that a comparison uses; `steps` are those of all checks, if known."""

    problem_id: str
    reward: float | None
    verdict: Verdict
    scheme: str
    steps: int | None = None

    @classmethod
    def of(cls, breakdown: Breakdown) -> Graded:
        """Return the fields of a breakdown."""
        return cls(
            breakdown.problem_id,
            breakdown.reward,
            breakdown.verdict,
            breakdown.scheme,
            breakdown.tests.steps,
        )


@dataclass(slots=True)
class ProblemCounts:
    """Counts of one problem's graded completions; `best` is the verdict of the best one, and
    `steps` are those of the completions that pass.
    """

    count: int = 0
    passed: int = 0
    rewards: float = 0.0
    steps: list[int] = field(default_factory=list)
    best: Verdict = Verdict.UNGRADED

    @property
    def reward(self) -> float:
        """Return the mean reward."""
        return self.rewards / self.count

    def pass_at(self, k: int) -> float | None:
        """Return the problem's pass@k; None with fewer than k completions."""
        return unbiased_pass_at_k(self.count, self.passed, k)


@dataclass(slots=True)
class SourceCounts:
    """Counts of all problems of one source that have a graded completion."""

    problems: dict[str, ProblemCounts] = field(default_factory=dict)
    completions: int = 0
    unscored: int = 0
    schemes: set[str] = field(default_factory=set)

    def add(self, new: Graded) -> None:
        """Count a completion; those that our machine could not score are counted separately.

        Impossible twins do not count as problems.
        """
        self.completions += 1
        self.schemes.add(new.scheme)
        if new.reward is None:
            self.unscored += 1
            return
        if is_impossible(new.problem_id):
            return
        tally = self.problems.setdefault(new.problem_id, ProblemCounts())
        tally.count += 1
        tally.passed += new.verdict is Verdict.PASSED
        tally.rewards += new.reward
        if new.verdict is Verdict.PASSED and new.steps is not None:
            tally.steps.append(new.steps)
        tally.best = min(tally.best, new.verdict, key=_BEST_FIRST.__getitem__)

    @classmethod
    def counted(cls, outcomes: Iterable[Graded]) -> SourceCounts:
        """Count all completions of a source."""
        made = cls()
        for each in outcomes:
            made.add(each)
        return made
