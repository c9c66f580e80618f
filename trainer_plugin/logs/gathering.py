"""Gathers the batches of all training processes into one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from ocaml_reward import InputError

from .figures import Batch


def gathered(batch: Batch) -> Batch:
    """Return the batches of all processes as one, in each of them; a single process gets its own.

    Every process has to call this for each batch, as for the trainer's own reductions.
    """
    # Distributed training has already imported it.
    distributed: Any = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available():
        return batch
    if not distributed.is_initialized() or distributed.get_world_size() == 1:
        return batch
    parts: list[Any] = [None] * distributed.get_world_size()
    distributed.all_gather_object(parts, _light(batch))
    return joined(parts)


def joined(parts: Sequence[Batch]) -> Batch:
    """Concatenate batches of one step, in the order of the processes."""
    return replace(
        parts[0],
        samples=tuple(chain.from_iterable(each.samples for each in parts)),
        breakdowns=tuple(chain.from_iterable(each.breakdowns for each in parts)),
        rewards=tuple(chain.from_iterable(each.rewards for each in parts)),
        final_rewards=tuple(chain.from_iterable(each.final_rewards for each in parts)),
        seconds=max(each.seconds for each in parts),
    )


def _light(batch: Batch) -> Batch:
    """Drop the fields that no figure needs."""
    nothing = InputError("scored by another process")
    return replace(
        batch,
        samples=tuple(
            replace(each, prompt="", problem=nothing) for each in batch.samples
        ),
        breakdowns=tuple(replace(each, regions=None) for each in batch.breakdowns),
    )
