"""Rules about the last logged steps; each returns what it found, or None."""

from __future__ import annotations

import math
import statistics

from ..learning import LearningStep
from .history import History, error, trend, typical
from .thresholds import Observation, Thresholds

__all__ = [
    "Thresholds",
    "collapse",
    "collapsing",
    "gradients",
    "losses",
    "low_entropy",
    "runaways",
    "spread",
    "sudden_drop",
    "swings",
]

SURE = 2.0
DROP = 4.0
"""Significance thresholds in standard errors: for a mean, and for a drop, which is tested at every
step.
"""

# Scales a median absolute deviation to a standard deviation (normal distribution).
PER_MEDIAN = 1.4826


def collapse(history: History, at: Thresholds) -> Observation | None:
    """Detect groups whose completions all get the same reward, which teach nothing."""
    last = list(history.recent)[-2:]
    if len(last) == 2 and all(
        step.loss == 0 and step.grad_norm == 0 and step.frac_zero_std == 1
        for step in last
    ):
        text = "loss and gradient are 0, and every group's rewards are equal"
        return Observation(text=text, since=last[0])
    updates = list(history.updates)[-at.recent :]
    if len(updates) == at.recent and all(
        step.loss == 0 and step.grad_norm == 0 for step in updates
    ):
        text = f"loss and gradient are 0 in the last {at.recent} updates"
        return Observation(text=text, since=updates[0])
    shares = history.values("frac_zero_std", at.recent)
    share = typical(shares)
    if share is None or len(shares) < at.recent or share <= at.zero_std_critical:
        return None
    if _recovering(history):
        return None
    text = f"frac_zero_std is {share:.2f}, above {at.zero_std_critical:g}"
    level = share / at.zero_std_critical
    return Observation(text=text, level=level, since=history.since(at.recent))


def collapsing(history: History, at: Thresholds) -> Observation | None:
    """Detect a share of such groups that is high and does not fall, or that grows."""
    shares = history.values("frac_zero_std")
    share = typical(shares[-at.recent :])
    if share is None or len(shares) < at.recent or trend(shares) < 0:
        return None
    level = share / at.zero_std_usual
    if share > at.zero_std_warning:
        text = f"frac_zero_std is {share:.2f}, above {at.zero_std_warning:g}"
        since = history.since(at.recent)
        return Observation(text=f"{text}, and not falling", level=level, since=since)
    mean = statistics.fmean(shares)
    grows = len(shares) > at.recent and trend(shares) > 0
    if not grows or mean - error(shares) <= at.zero_std_usual:
        return None
    text = f"frac_zero_std is {mean:.2f} over {len(shares)} logged steps, above"
    text = f"{text} {at.zero_std_usual:g}, and rising"
    return Observation(text=text, level=level, since=history.since())


def low_entropy(history: History, at: Thresholds) -> Observation | None:
    """Detect a model whose sampling has become nearly deterministic."""
    entropies = history.values("entropy", at.recent)
    entropy = typical(entropies)
    if entropy is None or len(entropies) < at.few or entropy >= at.entropy_floor:
        return None
    text = f"entropy is {entropy:.4f} in recent updates, below {at.entropy_floor:g}"
    level = at.entropy_floor / max(entropy, at.entropy_floor / 10)
    return Observation(text=text, level=level, since=history.since(at.recent))


def runaways(history: History, at: Thresholds) -> Observation | None:
    """Detect completions that hit their length limit, or that all earn a runaway's reward."""
    ratios = history.values("clipped_ratio", at.recent)
    clipped = typical(ratios)
    if clipped is not None:
        if clipped < at.clipped or len(ratios) < at.few:
            return None
        text = f"{clipped:.0%} of the completions hit the length limit"
        return Observation(text=text, since=history.since(at.recent))
    reward = typical(history.values("reward", at.recent))
    spreads = history.values("reward_std", at.recent)
    if reward is None or not spreads or any(spreads):
        return None
    if not 0 < reward <= at.pinned_reward:
        return None
    text = f"every reward is {reward:.3f}, what a completion without its end earns"
    return Observation(text=text, since=history.since(at.recent))


def gradients(history: History, at: Thresholds) -> Observation | None:
    """Detect a gradient that is far too long, or far longer than before."""
    *before, last = history.updated("grad_norm") or [0.0]
    level = last / at.grad_norm
    if last > at.grad_norm:
        text = f"grad_norm is {last:.3g}, above {at.grad_norm:g}"
        return Observation(text=text, level=level)
    usual = typical(before)
    # Steps without a gradient are no baseline.
    if usual and len(before) >= at.settled and last > at.grad_spike * usual:
        text = (
            f"grad_norm is {last:.3g}, {last / usual:.0f} times the usual {usual:.3g}"
        )
        return Observation(text=text, level=level)
    return None


def losses(history: History, at: Thresholds) -> Observation | None:
    """Detect a high mean loss, or a loss far from all before it.

    The loss of a batch of few completions varies by 0.5 or more by chance, so the rule uses the
    mean and the usual spread.
    """
    values = history.updated("loss")
    if len(values) < at.settled:
        return None
    last = values[-at.settled :]
    mean = statistics.fmean(last)
    if mean - SURE * error(last) > at.loss:
        text = f"loss is {mean:.3f} over {len(last)} updates, above {at.loss:g}"
        since = history.updated_since(at.settled)
        return Observation(text=text, level=mean / at.loss, since=since)
    *before, now = values
    usual = statistics.median(before)
    differ = PER_MEDIAN * statistics.median(abs(each - usual) for each in before)
    far = abs(now - usual) > at.loss_spike_spreads * differ
    if len(before) < at.settled or abs(now) <= at.loss_spike or not far:
        return None
    text = f"loss is {now:.3f}, where {usual:.3f} ± {differ:.3f} is usual"
    return Observation(text=text, level=abs(now) / at.loss_spike)


def sudden_drop(history: History, at: Thresholds) -> Observation | None:
    """Detect a sudden drop of the reward."""
    rewards = history.values("reward")
    before, last = rewards[: -at.recent], rewards[-at.recent :]
    if len(before) < at.settled:
        return None
    was, now = statistics.fmean(before), statistics.fmean(last)
    chance = statistics.stdev(before) / len(last) ** 0.5
    if was - now <= max(at.reward_drop * was, DROP * chance):
        return None
    text = f"reward dropped from {was:.3f} to {now:.3f}"
    return Observation(text=text, since=history.since(at.recent))


def spread(history: History, at: Thresholds) -> Observation | None:
    """Detect rewards whose spread is large relative to their mean.

    If the scheme pays for solved problems, the spread between those that pass and the others does
    not count: with a share p that passes it alone is sqrt((1 - p) / p) of the mean.
    """
    cvs = [
        math.sqrt(max(0.0, step.reward_std**2 - _between_outcomes(step))) / step.reward
        for step in history.recent
        if step.reward and step.reward_std is not None
    ][-at.recent :]
    cv = typical(cvs)
    if cv is None or len(cvs) < at.recent or cv <= at.cv:
        return None
    text = f"the rewards' std is {cv:.0%} of their mean, above {at.cv:.0%}"
    return Observation(text=text, since=history.since(at.recent))


def _between_outcomes(step: LearningStep) -> float:
    """Return the variance of rewards between completions that pass, which earn 1, and others."""
    passes, reward = step.pass_at_1, step.reward
    if not step.paid_for_solved or reward is None or not passes or passes >= 1:
        return 0.0
    others = max(0.0, (reward - passes) / (1 - passes))
    return passes * (1 - passes) * (1 - others) ** 2


def swings(history: History, at: Thresholds) -> Observation | None:
    """Detect an entropy that leaves its range on both sides."""
    entropies = history.values("entropy")
    if len(entropies) < at.few:
        return None
    low, high = min(entropies), max(entropies)
    if low >= at.entropy_low or high <= at.entropy_high:
        return None
    text = f"entropy swings between {low:.3f} and {high:.3f}"
    return Observation(text=text, since=history.since())


def _recovering(history: History) -> bool:
    """Return whether a high share falls while reward and entropy rise, which is healthy."""
    return (
        trend(history.values("frac_zero_std")) < 0
        and trend(history.values("reward")) > 0
        and trend(history.values("entropy")) > 0
    )
