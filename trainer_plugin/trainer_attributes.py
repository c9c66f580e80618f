"""Reads attributes of the trainer that calls a reward function.

These are where it writes, whether it trains or evaluates, and which tokens end a completion. TRL
passes none of this, but it passes a method of the trainer (`log_metric`), and through it the
trainer's public attributes. They are unknown if a trainer passes no such method or lacks an
attribute; explicit settings of a user take precedence.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .endings import final_tokens


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainerAttributes:
    """The attributes, each empty or None if unknown."""

    output_dir: Path | None = None
    training: bool | None = None
    ends: frozenset[int] = frozenset()
    longest: int | None = None
    an_update: float = 0.0
    """The share of an epoch that an update takes, 0 if unknown."""
    rewards: tuple[object, ...] = ()
    """All reward functions of the trainer."""


def attributes_of(log_metric: object) -> TrainerAttributes:
    """Read the attributes of the trainer that `log_metric` is a method of."""
    trainer = getattr(log_metric, "__self__", None)
    if trainer is None:
        return TrainerAttributes()
    arguments = getattr(trainer, "args", None)
    folder = getattr(arguments, "output_dir", None)
    longest = getattr(arguments, "max_completion_length", None)
    processing = getattr(trainer, "processing_class", None)
    training = getattr(getattr(trainer, "model", None), "training", None)
    return TrainerAttributes(
        output_dir=Path(folder) if isinstance(folder, str | Path) else None,
        training=training if isinstance(training, bool) else None,
        ends=final_tokens(
            getattr(processing, "tokenizer", processing),
            getattr(trainer, "model", None),
        ),
        longest=longest if isinstance(longest, int) else None,
        an_update=_update_share(trainer, arguments),
        rewards=tuple(getattr(trainer, "reward_funcs", None) or ()),
    )


def _update_share(trainer: object, arguments: object) -> float:
    """Return the share of an epoch that an update takes, from the numbers of micro-batches."""
    handler = getattr(trainer, "callback_handler", None)
    loader = getattr(handler, "train_dataloader", None)
    taken = getattr(arguments, "gradient_accumulation_steps", None)
    try:
        micro = len(loader)  # type: ignore[arg-type]
    except TypeError:
        return 0.0
    return taken / micro if isinstance(taken, int) and micro else 0.0
