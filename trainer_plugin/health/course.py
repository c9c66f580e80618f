"""Rules about the course of a run: its epochs, its trend over one, its milestones."""

from __future__ import annotations

import itertools
import math
import statistics

from .history import EDGE, Epoch, History, error, trend, typical
from .thresholds import Milestone, Observation, Thresholds

SURE = 2.0
"""Number of standard errors from which a difference is significant."""


def rising_losses(history: History, at: Thresholds) -> Observation | None:
    """Detect an epoch whose mean loss jumped, or two with a large rise."""
    risen = [
        (before, was, now)
        for before, after in itertools.pairwise(history.finished)
        if (was := before.mean("loss")) is not None
        and (now := after.mean("loss")) is not None
        and was > 0
        and now >= was * (1 + at.loss_rise)
        # The mean of a GRPO loss is about 0, so a relative change alone means nothing.
        and now - was > max(at.loss_least_rise, SURE * _between(before, after, "loss"))
    ]
    jumps = [now for _, was, now in risen if now >= was * (1 + at.loss_jump)]
    if len(risen) < 2 and not jumps:
        return None
    shown = ", ".join(
        f"{was:.3f} to {now:.3f} ({now / was - 1:+.0%})" for _, was, now in risen
    )
    text = f"an epoch's mean loss rose: {shown}"
    return Observation(text=text, level=len(risen), since=risen[0][0].opening)


def falling_rewards(history: History, at: Thresholds) -> Observation | None:
    """Detect an epoch whose mean reward fell; it is graver if the best of each group rose."""
    if len(history.finished) < 2:
        return None
    before, after = history.finished[-2:]
    reward, lower = before.mean("reward"), after.mean("reward")
    if not reward or lower is None:
        return None
    chance = SURE * _between(before, after, "reward")
    if reward - lower < max(at.reward_fall * reward, chance):
        return None
    text = f"the epoch's mean reward fell from {reward:.3f} to {lower:.3f}"
    best, higher = before.mean("best_of_n"), after.mean("best_of_n")
    if best is not None and higher is not None and higher > best:
        text += f", while best-of-N rose from {best:.3f} to {higher:.3f}"
    level = (reward - lower) / (at.reward_fall * reward)
    return Observation(text=text, level=level, since=before.opening)


def flat_rewards(history: History, at: Thresholds) -> Observation | None:
    """Detect a reward that is low and constant over an epoch's length or over three epochs."""
    means = [each.mean("reward") for each in history.finished[-3:]]
    known = [mean for mean in means if mean is not None]
    rises = [after - before for before, after in itertools.pairwise(known)]
    slow = len(rises) == 2 and all(abs(rise) <= at.plateau_rise for rise in rises)
    if slow and known[-1] < at.plateau_reward:
        shown = ", ".join(f"{mean:.3f}" for mean in known)
        since = history.finished[-3].opening
        return Observation(text=f"reward is {shown} in three epochs", since=since)
    rewards = history.throughout("reward")
    reward = typical(rewards[-at.recent :])
    if reward is None or len(rewards) < at.settled or reward >= at.plateau_reward:
        return None
    passed = history.course[-1].epoch - history.course[0].epoch
    if passed < at.plateau_epochs - EDGE or abs(trend(rewards)) > at.plateau_rise:
        return None
    text = f"reward stays at {reward:.3f} over {len(rewards)} logged steps"
    return Observation(text=text, since=history.course[0])


def milestones(history: History, at: Thresholds) -> Observation | None:
    """Detect a run that misses milestones that are due."""
    epoch = history.recent[-1].epoch
    due = [each for each in at.milestones if each.epoch <= epoch + EDGE]
    if not due:
        return None
    missed = _missed(history, due[-1], at)
    if not missed:
        return None
    text = f"expected from epoch {due[-1].epoch:g}: {', '.join(missed)}"
    # Each further milestone raises the level, so that missing it is reported again.
    level = at.worse ** len(due)
    return Observation(text=text, level=level, since=history.since(at.settled))


def red_flags(history: History, at: Thresholds) -> Observation | None:
    """Detect a run that after an epoch is low or uniform and does not improve."""
    if history.recent[-1].epoch < at.stop_epoch:
        return None
    rewards, shares = history.values("reward"), history.values("frac_zero_std")
    reward, share = typical(rewards), typical(shares)
    if max(len(rewards), len(shares)) < at.recent:
        return None
    low = reward is not None and reward < at.stop_reward
    uniform = share is not None and share > at.stop_zero_std
    rising = trend(history.throughout("reward")) > at.stop_rise
    diversifying = trend(history.throughout("frac_zero_std")) < -at.stop_diversifying
    known = history.values("pass_at_1")
    passes = statistics.fmean(known) if known else 0.0
    if not (low or uniform) or rising or diversifying or passes >= at.stop_passes:
        return None
    rate = f"{passes:.1%} of the completions pass" if known else "none is known to pass"
    return Observation(
        text=f"at epoch {history.recent[-1].epoch:.2f} reward is {reward or 0:.3f} and"
        f" does not rise, frac_zero_std is {share or 0:.2f}, {rate}",
        since=history.since(),
    )


def _missed(history: History, due: Milestone, at: Thresholds) -> list[str]:
    """Return what a milestone requires and the run significantly misses."""
    missed = []
    for name, wanted, sign, relation in (
        ("reward", due.reward, 1, "at least"),
        ("frac_zero_std", due.zero_std, -1, "at most"),
        ("pass_at_1", due.passes, 1, "above" if due.passes == 0 else "at least"),
    ):
        values = history.values(name, at.settled)
        if wanted is None or len(values) < at.recent:
            continue
        mean = statistics.fmean(values)
        short = sign * (wanted - mean)
        if short > error(values) + EDGE or (mean == 0 and relation == "above"):
            missed.append(f"{name} {relation} {wanted:g}, found {mean:.3f}")
    return missed


def _between(before: Epoch, after: Epoch, name: str) -> float:
    return math.hypot(before.error(name), after.error(name))
