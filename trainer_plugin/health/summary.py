"""Summary of a run by epoch: its figures, and their changes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

from .history import Epoch, History

FIGURES: Final = ("reward", "best_of_n", "pass_at_1", "loss", "seconds", "similarity")

SIGNIFICANT: Final = 2.0
"""Number of standard errors from which a difference is significant."""
MIN_CHANGE: Final = 0.01
"""Relative changes below this count as steady."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """The change of a figure since the epoch before, and whether it is significant."""

    figure: str
    before: float
    now: float
    significant: bool

    @property
    def share(self) -> float | None:
        """Return the relative change; None from 0."""
        return self.now / self.before - 1 if self.before else None

    @property
    def word(self) -> str:
        """Return the direction as a word."""
        if not self.significant:
            return "steady"
        return "rising" if self.now > self.before else "falling"


@dataclass(frozen=True, kw_only=True, slots=True)
class EpochSummary:
    """The means over one epoch's logged steps; epochs count from 1.

    `seconds` is the total of its updates, `similarity` that of a problem's completions. It is
    `whole` once the epoch is over.
    """

    epoch: int
    steps: int
    whole: bool
    reward: float | None
    best_of_n: float | None
    pass_at_1: float | None
    loss: float | None
    seconds: float | None
    similarity: float | None
    changes: tuple[Change, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return a representation in JSON types."""
        record = asdict(self)
        record["changes"] = {
            each.figure: {"share": each.share, "trend": each.word} for each in self.changes
        }
        return record


def summaries(history: History) -> Iterator[EpochSummary]:
    """Yield the epochs so far, each compared with the one before it if both are over."""
    over = len(history.finished)
    before = None
    for place, epoch in enumerate(history.epochs):
        whole = place < over
        yield EpochSummary(
            epoch=epoch.number + 1,
            steps=epoch.steps,
            whole=whole,
            **{name: _figure(epoch, name) for name in FIGURES},
            changes=tuple(_changes(before, epoch)) if whole and before else (),
        )
        before = epoch


def _figure(epoch: Epoch, name: str) -> float | None:
    """Return an epoch's figure; None if it is unknown."""
    return epoch.total(name) if name == "seconds" else epoch.mean(name)


def _changes(before: Epoch, epoch: Epoch) -> Iterator[Change]:
    """Yield the change of each figure from one epoch to another."""
    for name in FIGURES:
        was, now = _figure(before, name), _figure(epoch, name)
        if was is None or now is None:
            continue
        error = 0.0
        if name != "seconds":
            error = SIGNIFICANT * math.hypot(before.error(name), epoch.error(name))
        significant = abs(now - was) > max(error, MIN_CHANGE * abs(was))
        yield Change(figure=name, before=was, now=now, significant=significant)
