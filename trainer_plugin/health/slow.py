"""Rules about slow changes, over tens of logged steps."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from .history import History, error, trend, typical
from .thresholds import Observation, Thresholds

SURE = 2.0
"""Number of standard errors from which a difference is significant."""


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


def rising_entropy(history: History, at: Thresholds) -> Observation | None:
    """Detect a model whose entropy rises while it does not improve."""
    entropies = history.values("entropy")
    if len(entropies) < 2 * at.settled or trend(history.values("reward")) > 0:
        return None
    was, now = _halves(entropies)
    if now < was * (1 + at.entropy_rise) or trend(entropies) <= _chance(entropies):
        return None
    text = (
        f"entropy rose from {was:.3f} to {now:.3f} over {len(entropies)} logged steps"
    )
    level = now / max(was, 1e-9)
    return Observation(
        text=f"{text}, and reward did not", level=level, since=history.since()
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


def _halves(values: Sequence[float]) -> tuple[float, float]:
    half = len(values) // 2
    return statistics.fmean(values[:half]), statistics.fmean(values[-half:])


def _chance(values: Sequence[float]) -> float:
    """Return the difference between the halves of some values that chance would explain."""
    half = len(values) // 2
    return SURE * math.hypot(error(values[:half]), error(values[-half:]))
