"""
One function per rule of health: what it sees in a run, in a few words, or None.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from .history import History, trend, typical

__all__ = [
    "Thresholds",
    "collapse",
    "collapsing",
    "falling_rewards",
    "flat_rewards",
    "gradients",
    "losses",
    "low_entropy",
    "red_flags",
    "runaways",
    "spread",
    "swings",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Thresholds:
    """
    Where the rules begin to fire.

    `window` logged steps are looked at, `recent` of them for where a run stands now;
    `few` are needed before that counts, and `settled` before a trend does.
    """

    window: int = 50
    recent: int = 5
    few: int = 3
    settled: int = 20
    zero_std_critical: float = 0.8
    zero_std_warning: float = 0.5
    entropy_floor: float = 0.04
    clipped: float = 0.95
    pinned_reward: float = 0.05
    grad_norm: float = 10.0
    grad_spike: float = 20.0
    loss: float = 0.5
    loss_rise: float = 0.25
    reward_fall: float = 0.02
    plateau_reward: float = 0.3
    plateau_rise: float = 0.02
    cv: float = 0.5
    entropy_low: float = 0.05
    entropy_high: float = 0.20
    stop_epoch: float = 1.0
    stop_reward: float = 0.15
    stop_zero_std: float = 0.30
    stop_rise: float = 0.005


def collapse(history: History, at: Thresholds) -> str | None:
    """
    Look for groups whose completions all get one reward, which teach nothing.
    """
    last = history.recent[-1]
    if last.loss == 0 and last.grad_norm == 0 and last.frac_zero_std == 1:
        return "loss and gradient are 0, and every group's rewards are equal"
    shares = history.values("frac_zero_std", at.recent)
    share = typical(shares)
    if share is None or len(shares) < at.few or share <= at.zero_std_critical:
        return None
    if _recovering(history):
        return None
    return f"frac_zero_std is {share:.2f}, above {at.zero_std_critical:g}"


def collapsing(history: History, at: Thresholds) -> str | None:
    """
    Look for a share of such groups that is high and does not fall.
    """
    shares = history.values("frac_zero_std")
    share = typical(shares[-at.recent :])
    if share is None or len(shares) < at.recent or trend(shares) < 0:
        return None
    if share <= at.zero_std_warning:
        return None
    return (
        f"frac_zero_std is {share:.2f}, above {at.zero_std_warning:g}, and not falling"
    )


def low_entropy(history: History, at: Thresholds) -> str | None:
    """
    Look for a model that hardly chooses any more.
    """
    entropy = typical(history.values("entropy", at.recent))
    if entropy is None or entropy >= at.entropy_floor:
        return None
    return f"entropy is {entropy:.3f}, below {at.entropy_floor:g}"


def runaways(history: History, at: Thresholds) -> str | None:
    """
    Look for completions that hit their length limit, or all earn what runaways earn.
    """
    clipped = typical(history.values("clipped_ratio", at.recent))
    if clipped is not None:
        if clipped < at.clipped:
            return None
        return f"{clipped:.0%} of the completions hit the length limit"
    reward = typical(history.values("reward", at.recent))
    spreads = history.values("reward_std", at.recent)
    if reward is None or not spreads or any(spreads):
        return None
    if not 0 < reward <= at.pinned_reward:
        return None
    return f"every reward is {reward:.3f}, what a completion without its end earns"


def gradients(history: History, at: Thresholds) -> str | None:
    """
    Look for a gradient that is far too long, or far longer than those before it.
    """
    *before, last = history.updated("grad_norm") or [0.0]
    if last > at.grad_norm:
        return f"grad_norm is {last:.3g}, above {at.grad_norm:g}"
    usual = typical(before)
    # Steps without any gradient say nothing about what is usual.
    if usual and len(before) >= at.settled and last > at.grad_spike * usual:
        return (
            f"grad_norm is {last:.3g}, {last / usual:.0f} times the usual {usual:.3g}"
        )
    return None


def losses(history: History, at: Thresholds) -> str | None:
    """
    Look for a loss that is high, or rose by much from one epoch to the next, twice.
    """
    loss = typical(history.updated("loss", at.recent))
    if loss is not None and loss > at.loss:
        return f"loss is {loss:.3f}, above {at.loss:g}"
    means = [mean for each in history.finished if (mean := each.mean("loss"))]
    rises = [
        f"{before:.3f} to {after:.3f}"
        for before, after in itertools.pairwise(means)
        if before > 0 and after >= before * (1 + at.loss_rise)
    ]
    if len(rises) < 2:
        return None
    return (
        f"an epoch's mean loss rose by {at.loss_rise:.0%} or more: {', '.join(rises)}"
    )


def falling_rewards(history: History, at: Thresholds) -> str | None:
    """
    Look for a mean reward that fell in an epoch in which the best of each group rose.
    """
    if len(history.finished) < 2:
        return None
    before, after = history.finished[-2:]
    reward, lower = before.mean("reward"), after.mean("reward")
    best, higher = before.mean("best_of_n"), after.mean("best_of_n")
    if reward is None or lower is None or best is None or higher is None:
        return None
    if lower > reward * (1 - at.reward_fall) or higher <= best:
        return None
    return (
        f"the epoch's mean reward fell from {reward:.3f} to {lower:.3f}, while best-of-N"
        f" rose from {best:.3f} to {higher:.3f}"
    )


def flat_rewards(history: History, at: Thresholds) -> str | None:
    """
    Look for a reward that is low and stays where it is.
    """
    rewards = history.values("reward")
    reward = typical(rewards[-at.recent :])
    if reward is None or len(rewards) < at.settled or reward >= at.plateau_reward:
        return None
    if abs(trend(rewards)) > at.plateau_rise:
        return None
    return f"reward stays at {reward:.3f} over {len(rewards)} logged steps"


def spread(history: History, at: Thresholds) -> str | None:
    """
    Look for rewards that differ by much of their mean.
    """
    cvs = [
        step.reward_std / step.reward
        for step in history.recent
        if step.reward and step.reward_std is not None
    ][-at.recent :]
    cv = typical(cvs)
    if cv is None or len(cvs) < at.recent or cv <= at.cv:
        return None
    return f"the rewards' std is {cv:.0%} of their mean, above {at.cv:.0%}"


def swings(history: History, at: Thresholds) -> str | None:
    """
    Look for an entropy that leaves its range on both sides.
    """
    entropies = history.values("entropy")
    if not entropies:
        return None
    low, high = min(entropies), max(entropies)
    if low >= at.entropy_low or high <= at.entropy_high:
        return None
    return f"entropy swings between {low:.3f} and {high:.3f}"


def red_flags(history: History, at: Thresholds) -> str | None:
    """
    Look for a run that after an epoch is low or uniform, and in no way gets better.
    """
    if history.recent[-1].epoch < at.stop_epoch:
        return None
    rewards, shares = history.values("reward"), history.values("frac_zero_std")
    reward, share = typical(rewards), typical(shares)
    low = reward is not None and reward < at.stop_reward
    uniform = share is not None and share > at.stop_zero_std
    rising = trend(rewards) > at.stop_rise
    diversifying = trend(shares) < 0
    if not (low or uniform) or rising or diversifying or history.passes:
        return None
    return (
        f"at epoch {history.recent[-1].epoch:.2f} reward is {reward or 0:.3f} and does"
        f" not rise, frac_zero_std is {share or 0:.2f}, no completion passed its tests"
    )


def _recovering(history: History) -> bool:
    """
    Tell a high share that falls while reward and entropy rise, which is healthy.
    """
    return (
        trend(history.values("frac_zero_std")) < 0
        and trend(history.values("reward")) > 0
        and trend(history.values("entropy")) > 0
    )
