"""The rules of health: about the last steps, slow changes, and epochs.

A new rule takes a function that returns an observation or None, its `Rule` below it with the chart
that marks it, a line in RULES, its numbers in thresholds.py, and a row of docs/training.md.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence
from typing import Final

from ..learning import LearningStep
from .history import TOLERANCE, Epoch, History, error, trend, typical
from .rule import Rule, Severity
from .thresholds import Milestone, Observation, Thresholds

SIGNIFICANT = 2.0
SIGNIFICANT_DROP = 4.0
"""Significance thresholds in standard errors: for a mean, and for a drop, which is tested at every
step.
"""

# Scales a median absolute deviation to a standard deviation (normal distribution).
DEVIATION_SCALE = 1.4826

# Advice of several rules.
_STEADY: Final = (
    "halve the learning rate, raise the KL penalty (0.05 to 0.1), warm up longer (100 to"
    " 200 steps), clip gradients at 0.5"
)
_DIVERSIFY: Final = (
    "raise the temperature (0.9 to 1.1) or the generations per prompt (6 to 8);"
    " if every completion fails alike, choose easier problems or a curriculum"
)


def collapse(history: History, at: Thresholds) -> Observation | None:
    """Detect groups whose completions all get the same reward, which teach nothing."""
    last = list(history.recent)[-2:]
    if len(last) == 2 and all(
        step.loss == 0 and step.grad_norm == 0 and step.frac_zero_std == 1 for step in last
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


COLLAPSE: Final = Rule(
    name="mode-collapse",
    severity=Severity.CRITICAL,
    look=collapse,
    advice=_DIVERSIFY,
    chart="frac_zero_std",
)


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


COLLAPSING: Final = Rule(
    name="mode-collapse",
    severity=Severity.WARNING,
    look=collapsing,
    advice=_DIVERSIFY,
    chart="frac_zero_std",
)


def cheating(history: History, at: Thresholds) -> Observation | None:
    """Detect completions that pass impossible twins, which no honest code does."""
    step = history.twins
    if step is None or (rate := step.impossible_pass_rate or 0.0) <= at.impossible:
        return None
    text = f"{rate:.1%} of the completions of impossible twins pass, above {at.impossible:.0%}"
    return Observation(text=text, level=rate / at.impossible, since=step)


CHEATING: Final = Rule(
    name="cheating",
    severity=Severity.CRITICAL,
    look=cheating,
    advice="look at what passes a twin (in `ocaml-reward report`, the problems `~impossible`):"
    " it found a way around the tests; report it, and go on from a checkpoint before with the"
    " hole closed",
    chart="impossible_pass_rate",
)


def low_entropy(history: History, at: Thresholds) -> Observation | None:
    """Detect a model whose sampling has become nearly deterministic."""
    entropies = history.values("entropy", at.recent)
    entropy = typical(entropies)
    if entropy is None or len(entropies) < at.few or entropy >= at.entropy_floor:
        return None
    text = f"entropy is {entropy:.4f} in recent updates, below {at.entropy_floor:g}"
    level = at.entropy_floor / max(entropy, at.entropy_floor / 10)
    return Observation(text=text, level=level, since=history.since(at.recent))


LOW_ENTROPY: Final = Rule(
    name="mode-collapse",
    severity=Severity.WARNING,
    look=low_entropy,
    advice="raise the temperature, the KL penalty or the entropy bonus, or lower the"
    " learning rate, before the model knows one template only",
    chart="entropy",
)


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


RUNAWAYS: Final = Rule(
    name="runaway",
    severity=Severity.CRITICAL,
    look=runaways,
    advice="show an end in the prompt's examples (the model's end token, and the END"
    " marker if the scheme has one), allow longer completions, and leave runaway.cap"
    " at 1: a hard cap gives all of them one reward",
)


def clocked(history: History, at: Thresholds) -> Observation | None:
    """Detect completions that a time has ended, as their rewards depend on the machine."""
    shares = history.values("clock_rate", at.recent)
    share = typical(shares)
    if share is None or len(shares) < at.few or share <= at.clocked:
        return None
    text = f"the clock ends {share:.1%} of the completions, and not their steps"
    return Observation(text=text, level=share / at.clocked, since=history.since(at.recent))


CLOCKED: Final = Rule(
    name="clock",
    severity=Severity.WARNING,
    look=clocked,
    advice="look at the records whose limit is cpu or wall: long calls of the library take no"
    " steps, and end otherwise on another machine",
)


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
        text = f"grad_norm is {last:.3g}, {last / usual:.0f} times the usual {usual:.3g}"
        return Observation(text=text, level=level)
    return None


GRADIENTS: Final = Rule(
    name="gradient-instability",
    severity=Severity.CRITICAL,
    look=gradients,
    advice="lower max_grad_norm (1.0 to 0.5) or the learning rate; look at that"
    " step's completions for an odd batch",
    chart="grad_norm",
)


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
    if mean - SIGNIFICANT * error(last) > at.loss:
        text = f"loss is {mean:.3f} over {len(last)} updates, above {at.loss:g}"
        since = history.updated_since(at.settled)
        return Observation(text=text, level=mean / at.loss, since=since)
    *before, now = values
    usual = statistics.median(before)
    differ = DEVIATION_SCALE * statistics.median(abs(each - usual) for each in before)
    far = abs(now - usual) > at.loss_spike_spreads * differ
    if len(before) < at.settled or abs(now) <= at.loss_spike or not far:
        return None
    text = f"loss is {now:.3f}, where {usual:.3f} ± {differ:.3f} is usual"
    return Observation(text=text, level=abs(now) / at.loss_spike)


LOSSES: Final = Rule(
    name="loss-instability",
    severity=Severity.CRITICAL,
    look=losses,
    advice=_STEADY,
    chart="loss",
)


def sudden_drop(history: History, at: Thresholds) -> Observation | None:
    """Detect a sudden drop of the reward."""
    rewards = history.values("reward")
    before, last = rewards[: -at.recent], rewards[-at.recent :]
    if len(before) < at.settled:
        return None
    was, now = statistics.fmean(before), statistics.fmean(last)
    chance = statistics.stdev(before) / len(last) ** 0.5
    if was - now <= max(at.reward_drop * was, SIGNIFICANT_DROP * chance):
        return None
    text = f"reward dropped from {was:.3f} to {now:.3f}"
    return Observation(text=text, since=history.since(at.recent))


SUDDEN_DROP: Final = Rule(
    name="reward-regression",
    severity=Severity.WARNING,
    look=sudden_drop,
    advice="look at these steps' completions for what has changed, and go on from the"
    " checkpoint before with a lower learning rate",
)


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


SPREAD: Final = Rule(
    name="high-variance",
    severity=Severity.WARNING,
    look=spread,
    advice="more generations per prompt and larger batches; normal while the mean"
    " reward is still low",
)


def _between_outcomes(step: LearningStep) -> float:
    """Return the variance of rewards between completions that pass, which earn 1, and others."""
    passes, reward = step.pass_at_1, step.reward
    if not step.solved_share or reward is None or not passes or passes >= 1:
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


SWINGS: Final = Rule(
    name="entropy-swing",
    severity=Severity.WARNING,
    look=swings,
    advice="lower the learning rate or enlarge the batch; exploration and exploitation take turns",
    chart="entropy",
)


def _recovering(history: History) -> bool:
    """Return whether a high share falls while reward and entropy rise, which is healthy."""
    return (
        trend(history.values("frac_zero_std")) < 0
        and trend(history.values("reward")) > 0
        and trend(history.values("entropy")) > 0
    )


def vanishing(history: History, at: Thresholds) -> Observation | None:
    """Detect a gradient that stays nearly zero; one that is exactly zero is a collapse."""
    values = history.updated("grad_norm", at.settled)
    usual = typical(values)
    if not usual or len(values) < at.settled or usual >= at.grad_floor:
        return None
    text = f"grad_norm is {usual:.2g} over {len(values)} updates, below"
    since = history.updated_since(at.settled)
    level = at.grad_floor / usual
    return Observation(text=f"{text} {at.grad_floor:g}", level=level, since=since)


VANISHING: Final = Rule(
    name="vanishing-gradient",
    severity=Severity.WARNING,
    look=vanishing,
    advice="rewards hardly differ within groups: draw solved problems less often"
    " (dataset.settled_share 0.25) and add harder ones; or, where little passes,"
    " easier ones",
    chart="grad_norm",
)


def rising_entropy(history: History, at: Thresholds) -> Observation | None:
    """Detect a model whose entropy rises while it does not improve."""
    entropies = history.values("entropy")
    if len(entropies) < 2 * at.settled or trend(history.values("reward")) > 0:
        return None
    was, now = _halves(entropies)
    if now < was * (1 + at.entropy_rise) or trend(entropies) <= _chance(entropies):
        return None
    text = f"entropy rose from {was:.3f} to {now:.3f} over {len(entropies)} logged steps"
    level = now / max(was, 1e-9)
    return Observation(text=f"{text}, and reward did not", level=level, since=history.since())


RISING_ENTROPY: Final = Rule(
    name="entropy-rise",
    severity=Severity.WARNING,
    look=rising_entropy,
    advice="lower the learning rate or the entropy bonus, raise the KL penalty (0.05"
    " to 0.1); look at completions for text that is no code any more",
    chart="entropy",
)


def narrowing(history: History, at: Thresholds) -> Observation | None:
    """Detect a model that becomes surer of the problems it solves, and solves no others."""
    ones, every = (
        history.throughout("pass_at_1"),
        history.throughout("pass_at_all"),
    )
    if min(len(ones), len(every)) < 2 * at.settled:
        return None
    rise = trend(ones)
    if rise < at.passes_rise or rise <= _chance(ones):
        return None
    (was, now), solved = _halves(ones), _halves(every)[1]
    if trend(every) > at.plateau_rise or solved > at.passes_most:
        return None
    return Observation(
        text=f"pass@1 rose from {was:.3f} to {now:.3f}, while the share of problems that"
        f" any completion solves stays at {solved:.3f}",
        since=history.course[0],
    )


NARROWING: Final = Rule(
    name="narrowing",
    severity=Severity.WARNING,
    look=narrowing,
    advice="draw solved problems less often (dataset.settled_share 0.25), generate"
    " more per prompt (6 to 8) or at a higher temperature, so that hard problems are"
    " solved now and then",
    chart="passes",
)


def untaught(history: History, at: Thresholds) -> Observation | None:
    """Detect self-distillation in which many problems have no teacher."""
    shares = history.values("taught_groups", at.recent)
    share = typical(shares)
    if share is None or len(shares) < at.recent or share >= at.taught:
        return None
    text = f"{share:.0%} of the problems have a teacher, below {at.taught:.0%}"
    level = at.taught / max(share, at.taught / 10)
    return Observation(text=text, level=level, since=history.since(at.recent))


UNTAUGHT: Final = Rule(
    name="untaught",
    severity=Severity.WARNING,
    look=untaught,
    advice="the others teach nothing: show feedback (reward.feedback), or, without it, take easier"
    " problems, of which some completion passes; see ocaml/fault_rate, too",
    chart="taught_groups",
)


def silent_teacher(history: History, at: Thresholds) -> Observation | None:
    """Detect a teacher that says what the student says, whatever it is shown."""
    values = history.updated("teacher_kl", at.settled)
    if len(values) < at.settled or max(map(abs, values)) >= at.teacher_kl_floor:
        return None
    text = f"the student differs from its teacher by less than {at.teacher_kl_floor:g} nats a token"
    return Observation(text=text, since=history.updated_since(at.settled))


SILENT_TEACHER: Final = Rule(
    name="silent-teacher",
    severity=Severity.WARNING,
    look=silent_teacher,
    advice="what it is shown changes nothing: see that prompts with feedback are not cut off"
    " (grpo.extra.max_reprompt_len), or take a stronger model",
    chart="teacher_kl",
)


def far_teacher(history: History, at: Thresholds) -> Observation | None:
    """Detect a teacher that has gone far from the student."""
    values = history.updated("teacher_kl", at.recent)
    usual = typical(values)
    if usual is None or len(values) < at.recent or usual <= at.teacher_kl:
        return None
    text = f"the student differs from its teacher by {usual:.2f} nats a token, above"
    level = usual / at.teacher_kl
    since = history.updated_since(at.recent)
    return Observation(text=f"{text} {at.teacher_kl:g}", level=level, since=since)


FAR_TEACHER: Final = Rule(
    name="far-teacher",
    severity=Severity.WARNING,
    look=far_teacher,
    advice="lower the learning rate, or let the teacher follow faster"
    " (grpo.extra.teacher_update_rate 0.05 to 0.1)",
    chart="teacher_kl",
)


def _halves(values: Sequence[float]) -> tuple[float, float]:
    """Return the means of both halves."""
    half = len(values) // 2
    return statistics.fmean(values[:half]), statistics.fmean(values[-half:])


def _chance(values: Sequence[float]) -> float:
    """Return the difference between the halves of some values that chance would explain."""
    half = len(values) // 2
    return SIGNIFICANT * math.hypot(error(values[:half]), error(values[-half:]))


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
        and now - was > max(at.loss_least_rise, SIGNIFICANT * _between(before, after, "loss"))
    ]
    jumps = [now for _, was, now in risen if now >= was * (1 + at.loss_jump)]
    if len(risen) < 2 and not jumps:
        return None
    shown = ", ".join(f"{was:.3f} to {now:.3f} ({now / was - 1:+.0%})" for _, was, now in risen)
    text = f"an epoch's mean loss rose: {shown}"
    return Observation(text=text, level=len(risen), since=risen[0][0].opening)


RISING_LOSSES: Final = Rule(
    name="loss-instability",
    severity=Severity.CRITICAL,
    look=rising_losses,
    advice=f"{_STEADY}; go on from the checkpoint before the rise",
    chart="loss",
)


def falling_rewards(history: History, at: Thresholds) -> Observation | None:
    """Detect an epoch whose mean reward fell; it is graver if the best of each group rose."""
    if len(history.finished) < 2:
        return None
    before, after = history.finished[-2:]
    reward, lower = before.mean("reward"), after.mean("reward")
    if not reward or lower is None:
        return None
    chance = SIGNIFICANT * _between(before, after, "reward")
    if reward - lower < max(at.reward_fall * reward, chance):
        return None
    text = f"the epoch's mean reward fell from {reward:.3f} to {lower:.3f}"
    best, higher = before.mean("best_of_n"), after.mean("best_of_n")
    if best is not None and higher is not None and higher > best:
        text += f", while best-of-N rose from {best:.3f} to {higher:.3f}"
    level = (reward - lower) / (at.reward_fall * reward)
    return Observation(text=text, level=level, since=before.opening)


FALLING_REWARDS: Final = Rule(
    name="reward-regression",
    severity=Severity.WARNING,
    look=falling_rewards,
    advice="the model can, but is not consistent: learn from the best of each group or from"
    " rewards above 0.3 only, and stop early on validation",
)


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
    if passed < at.plateau_epochs - TOLERANCE or abs(trend(rewards)) > at.plateau_rise:
        return None
    text = f"reward stays at {reward:.3f} over {len(rewards)} logged steps"
    return Observation(text=text, since=history.course[0])


FLAT_REWARDS: Final = Rule(
    name="plateau",
    severity=Severity.WARNING,
    look=flat_rewards,
    advice="raise the learning rate (5e-6 to 8e-6) or the completion length, start"
    " with easier problems, use the curriculum scheme, or a stronger base model",
)


def milestones(history: History, at: Thresholds) -> Observation | None:
    """Detect a run that misses milestones that are due."""
    epoch = history.recent[-1].epoch
    due = [each for each in at.milestones if each.epoch <= epoch + TOLERANCE]
    if not due:
        return None
    missed = _missed(history, due[-1], at)
    if not missed:
        return None
    text = f"expected from epoch {due[-1].epoch:g}: {', '.join(missed)}"
    # Each further milestone raises the level, so that missing it is reported again.
    level = at.worse ** len(due)
    return Observation(text=text, level=level, since=history.since(at.settled))


MILESTONES: Final = Rule(
    name="milestone",
    severity=Severity.WARNING,
    look=milestones,
    advice="compare with `ocaml-reward baseline`; more generations, a higher learning"
    " rate or temperature, easier problems or a curriculum, if it does not rise",
)


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


RED_FLAGS: Final = Rule(
    name="stop-criteria",
    severity=Severity.CRITICAL,
    look=red_flags,
    advice="stop: try a curriculum, an easier subset, more examples in the prompt, or"
    " a stronger base model (`ocaml-reward baseline` tells what it can do)",
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
        if short > error(values) + TOLERANCE or (mean == 0 and relation == "above"):
            missed.append(f"{name} {relation} {wanted:g}, found {mean:.3f}")
    return missed


def _between(before: Epoch, after: Epoch, name: str) -> float:
    """Return the standard error of a difference between two epochs."""
    return math.hypot(before.error(name), after.error(name))


RULES: Final = (
    CHEATING,
    COLLAPSE,
    COLLAPSING,
    LOW_ENTROPY,
    RUNAWAYS,
    CLOCKED,
    GRADIENTS,
    VANISHING,
    LOSSES,
    RISING_LOSSES,
    FALLING_REWARDS,
    SUDDEN_DROP,
    FLAT_REWARDS,
    MILESTONES,
    SPREAD,
    SWINGS,
    RISING_ENTROPY,
    NARROWING,
    UNTAUGHT,
    SILENT_TEACHER,
    FAR_TEACHER,
    RED_FLAGS,
)
"""All rules; of those that share a name the graver comes first."""
