"""Multi-turn episodes: several tries at a problem, with feedback in between, and their reward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from .model import Breakdown, FeedbackLevel, Problem, PublicCheck, Verdict

AGAIN: Final = "Correct the program, and give the whole program again."


@dataclass(frozen=True, kw_only=True, slots=True)
class Repair:
    """The rules of such an episode.

    The reward is a mean of the tries' rewards, whose weights are the same whatever these are:

        r1 + discount (r2 - r1) + discount^2 (r3 - r2) + ...

    With a discount of 1 this is the reward of the last try.  Below 1 earlier tries count, too, and
    an improvement counts less the later it comes.  As no weight is negative, a worse try never
    increases the reward: a mistake made on purpose to be corrected earns nothing.  An episode that
    ends early counts as if its last try had been repeated.

    Attributes:
        turns: The maximal number of tries, at least 1.
        level: The level of detail of the feedback.
        discount: Above 0 and at most 1.

    Raises:
        ValueError: A rule is out of its range.
    """

    turns: int = 2
    level: FeedbackLevel = FeedbackLevel.LOCATED
    discount: float = 1.0

    def __post_init__(self) -> None:
        """Check the rules; a level may be given by its name."""
        if self.turns < 1:
            raise ValueError(f"turns: at least 1, found {self.turns}")
        if not 0 < self.discount <= 1:
            raise ValueError(f"discount: above 0 and at most 1, found {self.discount:g}")
        object.__setattr__(self, "level", FeedbackLevel(self.level))

    def is_over(self, tries: Sequence[Breakdown]) -> bool:
        """Tell whether the last try passed, or no try is left."""
        return bool(tries) and (tries[-1].verdict is Verdict.PASSED or len(tries) >= self.turns)

    def reward(self, tries: Sequence[Breakdown]) -> float | None:
        """Return the reward of the tries, between 0 and 1.

        Returns None if one could not be graded, or there is none.
        """
        total, weight = 0.0, 1.0
        for number, each in enumerate(tries, 1):
            if each.reward is None:
                return None
            share = 1.0 if number == len(tries) else 1.0 - self.discount
            total += weight * share * each.reward
            weight *= self.discount
        return total if tries else None

    def message(self, last: Breakdown, public: Sequence[PublicCheck] = ()) -> str:
        """Return the feedback to the model before its next try."""
        return f"{last.feedback(self.level, public)}\n\n{AGAIN}"

    def public_of(self, problem: Problem) -> Problem | None:
        """Return the problem with its public tests in place of the hidden ones.

        Returns None if they are not shown, or there are none.
        """
        if self.level is not FeedbackLevel.PUBLIC or not problem.public_tests:
            return None
        return replace(problem, tests=problem.public_tests, public_tests=(), untested=False)
