"""Computes settings that follow from the size of a run.

These are how often it evaluates and saves, the length of the warm-up, and the number of problems
per generation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from .checks import batch_problem, generation_batch_size
from .value import Config, ConfigError

Changes = Iterator[tuple[dict[str, Any], str]]

EVALUATED_SHARE: Final = 0.10
"""By default at most this share of all completions is generated for evaluations."""

SAVED: Final = 100
"""Updates between checkpoints, unless evaluations determine them."""

WARM_SHARE: Final = 0.10
"""A warm-up of more than half of a run is shortened to this share."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FittedConfig:
    """A configuration with values for all settings; `lines` describe those computed here."""

    config: Config
    updates: int
    lines: tuple[str, ...]


def fit_to_size(config: Config, *, world: int, training: int, validation: int) -> FittedConfig:
    """Fit a configuration to the numbers of processes and of problems.

    Raises ConfigError if a run of these problems has no update at all.
    """
    lines: list[str] = []
    fits: tuple[Callable[[Config], Changes], ...] = (
        lambda each: _fewer_problems(each, world, training),
        lambda each: _whole_groups(each, world),
        lambda each: _evaluation_intervals(each, world, training, validation),
        lambda each: _warm_up(each, world, training),
    )
    for fit in fits:
        for changed, line in fit(config):
            config = replace(config, grpo=replace(config.grpo, **changed))
            lines.append(line)
    updates = update_count(config, world=world, training=training)
    return FittedConfig(config=config, updates=updates, lines=(f"run: {updates} updates", *lines))


def update_count(config: Config, *, world: int, training: int) -> int:
    """Return the number of updates of a run; the trainer drops an incomplete generation at an
    epoch's end.
    """
    grpo = config.grpo
    if grpo.max_steps is not None:
        return grpo.max_steps
    total = generation_batch_size(config, world)
    parts = total // (grpo.per_device_train_batch_size * world)
    generations = training // (total // grpo.num_generations)
    # An option of TRL without a setting here.
    again = config.extra.get("num_iterations", 1)
    micro = generations * parts * (again if isinstance(again, int) else 1)
    each = max(1, math.ceil(micro / grpo.gradient_accumulation_steps))
    return math.ceil(grpo.num_train_epochs * each)


def _whole_groups(config: Config, world: int) -> Changes:
    """Make an update use a whole generation if few completions of each group are learnt from.

    Otherwise many updates would have none of them.
    """
    reward = config.reward
    if reward.selection == "all" and reward.min_reward is None:
        return
    parts = generation_batch_size(config, world) // (
        config.grpo.per_device_train_batch_size * world
    )
    if config.grpo.gradient_accumulation_steps % parts:
        line = f"updates: each takes a whole generation, grpo.gradient_accumulation_steps={parts}"
        yield {"gradient_accumulation_steps": parts}, f"{line}, as few completions are learnt from"


def _fewer_problems(config: Config, world: int, training: int) -> Changes:
    """Reduce the number of problems per generation to those that exist."""
    grpo = config.grpo
    at_a_time = generation_batch_size(config, world) // grpo.num_generations
    if training >= at_a_time:
        return
    if grpo.generation_batch_size is None:
        for count in range(training, 0, -1):
            changed: dict[str, Any] = {"generation_batch_size": count * grpo.num_generations}
            tried = replace(config, grpo=replace(grpo, **changed))
            if batch_problem(tried, world) is None:
                yield changed, f"generation: for {count} problems at a time"
                return
    raise ConfigError(
        f"grpo.generation_batch_size: {at_a_time} problems are generated for at a time,"
        f" and there are {training} to train on; grpo.per_device_train_batch_size={grpo.num_generations}"
        f" and grpo.generation_batch_size={grpo.num_generations * world} take the fewest"
    )


def _evaluation_intervals(config: Config, world: int, training: int, validation: int) -> Changes:
    """Choose how often to evaluate and to save, for those set to 0."""
    grpo, updates = config.grpo, update_count(config, world=world, training=training)
    every = grpo.eval_steps
    if every is None or not validation:
        save = grpo.save_steps or SAVED
        yield {"save_steps": save}, f"no evaluations, a checkpoint every {save} updates"
        return
    one = validation * (grpo.num_generations_eval or grpo.num_generations)
    update = grpo.per_device_train_batch_size * grpo.gradient_accumulation_steps * world
    if not every:
        wanted = math.ceil(one * (1 / EVALUATED_SHARE - 1) / update)
        every = _fitting(min(wanted, max(1, updates)), grpo.save_steps)
    # The best checkpoint has to be one that was evaluated.
    save = grpo.save_steps or math.ceil(max(SAVED, every) / every) * every
    share = one / (one + every * update)
    count = updates // every
    line = (
        f"evaluations: {count}, one every {every} updates, of {one} completions"
        f" ({share:.0%} of what is generated); a checkpoint every {save}"
    )
    if not count:
        line += f"; the run ends before the first, grpo.eval_steps={updates} has one"
    elif share > 2 * EVALUATED_SHARE:
        line += "; grpo.eval_steps or dataset.validation_size make it less"
    yield {"eval_steps": every, "save_steps": save}, line


def _fitting(wanted: int, save: int) -> int:
    """Return the first number from `wanted` on that divides the updates between checkpoints.

    Without checkpoints any number will do; if none divides, it is all of these updates.
    """
    if not save:
        return wanted
    return next((each for each in range(wanted, save) if save % each == 0), save)


def _warm_up(config: Config, world: int, training: int) -> Changes:
    """Yield a shorter warm-up, if it would take more than half of the run."""
    updates = update_count(config, world=world, training=training)
    warmup_steps = config.grpo.warmup_steps
    if warmup_steps * 2 > updates:
        steps = int(updates * WARM_SHARE)
        line = f"warm-up: {steps} updates instead of {warmup_steps}, a tenth of the run"
        yield {"warmup_steps": steps}, line
