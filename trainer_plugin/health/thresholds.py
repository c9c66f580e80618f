"""Thresholds of the rules of health, and the type of their results."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..learning import LearningStep


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation:
    """An observation in a few words, and its level: 2 is twice as bad as 1.

    `since` is the first of the steps that show it; by default the last step.
    """

    text: str
    level: float = 1.0
    since: LearningStep | None = field(default=None, compare=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Milestone:
    """Required figures of a run at an epoch; None is no requirement."""

    epoch: float
    reward: float
    zero_std: float | None = None
    passes: float | None = None

    def scaled_for_solved(self, solved: float) -> Milestone:
        """Scale the requirements for a scheme that keeps `solved` of a reward for
        solved problems.
        """
        return replace(self, reward=_paid(self.reward, self.passes or 0.0, solved))


@dataclass(frozen=True, kw_only=True, slots=True)
class Thresholds:
    """Thresholds of the rules.

    Attributes:
        window: Number of logged steps that are examined.
        recent: Number of steps that show the current state.
        few: Minimum number of steps for the current state.
        settled: Minimum number of steps for a trend or a mean.
        quiet: A finding is reported again after this many steps without it.
        worse: A finding is also reported again if its level grew by this factor.
    """

    window: int = 50
    recent: int = 5
    few: int = 3
    settled: int = 20
    quiet: int = 20
    worse: float = 1.5
    zero_std_critical: float = 0.8
    zero_std_warning: float = 0.5
    zero_std_usual: float = 0.10
    impossible: float = 0.02
    entropy_floor: float = 0.04
    clipped: float = 0.95
    clocked: float = 0.02
    pinned_reward: float = 0.05
    grad_norm: float = 10.0
    grad_spike: float = 20.0
    grad_floor: float = 0.001
    loss: float = 0.5
    loss_spike: float = 1.0
    loss_spike_spreads: float = 8.0
    loss_jump: float = 0.5
    loss_rise: float = 0.25
    loss_least_rise: float = 0.05
    reward_fall: float = 0.02
    reward_drop: float = 0.3
    plateau_reward: float = 0.3
    plateau_rise: float = 0.02
    plateau_epochs: float = 0.25
    cv: float = 0.5
    entropy_low: float = 0.05
    entropy_high: float = 0.20
    entropy_rise: float = 0.5
    passes_rise: float = 0.05
    passes_most: float = 0.9
    milestones: tuple[Milestone, ...] = (
        Milestone(epoch=0.3, reward=0.15),
        Milestone(epoch=0.5, reward=0.20, zero_std=0.10, passes=0.0),
        Milestone(epoch=1.0, reward=0.35, passes=0.10),
    )
    taught: float = 0.5
    teacher_kl_floor: float = 0.001
    teacher_kl: float = 5.0
    stop_epoch: float = 1.0
    stop_reward: float = 0.15
    stop_zero_std: float = 0.30
    stop_rise: float = 0.005
    stop_diversifying: float = 0.02
    stop_passes: float = 0.05

    def scaled_for_solved(self, solved: float) -> Thresholds:
        """Scale the thresholds for a scheme that keeps `solved` of a reward for solved problems.

        The bounds on the reward are for `seed`, which keeps nothing; for code that solves nothing
        they are multiplied by the remaining weight.
        """
        if not solved:
            return self
        return replace(
            self,
            pinned_reward=_paid(self.pinned_reward, 0.0, solved),
            plateau_reward=_paid(self.plateau_reward, self.stop_passes, solved),
            stop_reward=_paid(self.stop_reward, 0.0, solved),
            milestones=tuple(each.scaled_for_solved(solved) for each in self.milestones),
        )


def _paid(reward: float, passes: float, solved: float) -> float:
    """Convert a mean reward of `seed`, with the given share of passes, to another scheme."""
    return reward * (1 - solved) + passes * solved
