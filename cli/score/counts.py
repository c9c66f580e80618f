"""Figures of a run, updated with each record."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ocaml_reward import Breakdown, JudgeFault, Verdict
from ocaml_reward.penalties import reward_steps
from ocaml_reward.scheme import RewardScheme


@dataclass
class PenaltyTotals:
    """Totals of one penalty.

    Attributes:
        completions: Number of penalised completions.
        reward: The reward that it took from all of them.
        zeroed: Number of completions that pass every check and earn nothing because of it.
    """

    completions: int = 0
    reward: float = 0.0
    zeroed: int = 0


@dataclass
class Summary:
    """Running figures of a run; of each completion only its reward and its pass are kept."""

    scheme: RewardScheme
    total: int = 0
    unscored: int = 0
    misjudged: int = 0
    """Number of unscored completions whose problem's own judge failed."""
    reward_sum: float = 0.0
    credits: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    penalties: dict[str, PenaltyTotals] = field(default_factory=dict)
    groups: dict[str, tuple[list[float], list[bool]]] = field(default_factory=dict)

    @property
    def scored(self) -> int:
        """Return the number of completions with a reward."""
        return self.total - self.unscored

    @property
    def mean(self) -> float | None:
        """Return the mean reward so far, None before the first."""
        return self.reward_sum / self.scored if self.scored else None

    def rewards(self) -> list[float]:
        """Return every reward, by problem."""
        return [reward for rewards, _ in self.groups.values() for reward in rewards]

    def add(self, breakdown: Breakdown) -> None:
        """Add one completion."""
        self.total += 1
        self.verdicts[breakdown.verdict] += 1
        if breakdown.reward is None:
            self.unscored += 1
            fault = breakdown.fault
            self.misjudged += fault is not None and fault.kind == JudgeFault.__name__
            return
        self.reward_sum += breakdown.reward
        for part in breakdown.credited:
            self.credits[part] += getattr(breakdown.credits, part)
        passed = breakdown.verdict is Verdict.PASSED
        rewards, flags = self.groups.setdefault(breakdown.problem_id, ([], []))
        rewards.append(breakdown.reward)
        flags.append(passed)
        self._add_penalties(breakdown, passed=passed)

    def _add_penalties(self, breakdown: Breakdown, *, passed: bool) -> None:
        before = breakdown.credits.total
        for penalty, after in reward_steps(breakdown.credits, breakdown.penalties):
            totals = self.penalties.setdefault(penalty.code, PenaltyTotals())
            totals.completions += 1
            totals.reward += before - after
            totals.zeroed += passed and before > 0 and after == 0
            before = after
