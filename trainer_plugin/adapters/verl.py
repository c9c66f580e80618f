"""The reward in verl.  Run with verl 0.9.1.

    reward.custom_reward_function.path=pkg://trainer_plugin.adapters.verl
    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.engine=http://127.0.0.1:8700

`compute_score` is for the managers `naive`, `dapo`, `gdpo` and `remote`, `compute_scores`
for the older `batch`.  verl's own workers are many on each machine: name a server as the
engine, or each of them starts an engine.

A completion that our side cannot grade raises: verl's trainer drops that trajectory.  The
manager `rate_limited` would make 0 of it, so a run with that one is ended.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

from .grading import figures, grading, with_reward

_LIMITED: Final = "verl.experimental.reward_loop.reward_manager.limited"
_SETTINGS: Final = ("engine", "scheme", "sandbox", "jobs", "deadline_s", "problems")

log = logging.getLogger("trainer_plugin.adapters")


def compute_score(
    data_source: str,  # noqa: ARG001 (verl names all it gives)
    solution_str: str,
    ground_truth: object,
    extra_info: object = None,  # noqa: ARG001
    **given: Any,
) -> dict[str, float]:
    """Grade one completion.

    Args:
        data_source: The data set's name, which says nothing here.
        solution_str: What the model wrote, without special tokens.
        ground_truth: The problem: its id, an object, or that as JSON.
        extra_info: The row's other columns, not read.
        **given: Settings of `grading`; what else verl gives is not read.

    Returns:
        `score` and figures for verl's metrics, the same for each completion.

    Raises:
        RewardUnavailable: It could not be graded.
        InputError: There is no such problem.
        SystemExit: The reward manager is one that makes 0 of an exception.
    """
    refuse_zeros()
    settings = {name: given[name] for name in _SETTINGS if name in given}
    found = grading(**settings).breakdown(ground_truth, solution_str)
    return figures(found)


def compute_scores(
    data_sources: Sequence[str],  # noqa: ARG001
    solution_strs: Sequence[str],
    ground_truths: Iterable[object],
    extra_infos: object = None,  # noqa: ARG001
    **given: Any,
) -> list[dict[str, float]]:
    """Grade a batch, for the manager `batch`.

    Args:
        data_sources: Not read.
        solution_strs: What the model wrote.
        ground_truths: The problem of each.
        extra_infos: Not read.
        **given: Settings of `grading`; what else verl gives is not read.

    Returns:
        What `compute_score` returns, for each.

    Raises:
        RewardUnavailable: One of them could not be graded; verl has no way to leave one out.
        InputError: There is no such problem.
    """
    settings = {name: given[name] for name in _SETTINGS if name in given}
    asked = [
        (label, text, None)
        for label, text in zip(ground_truths, solution_strs, strict=True)
    ]
    found = grading(**settings).breakdowns(asked)
    return [figures(with_reward(each)) for each in found]


def refuse_zeros() -> None:
    """End the process if its reward manager makes 0 of an exception; raises SystemExit.

    Any other exception would itself become a 0.
    """
    module = sys.modules.get(_LIMITED)
    manager = getattr(module, "RateLimitedRewardManager", None)
    # verl marks the class whose instances a process uses.
    if getattr(manager, "_class_initialized", False):
        message = (
            "verl's reward manager rate_limited makes 0 of every failure of a grader,"
            " which a model would learn from; set reward.reward_manager.name=naive"
        )
        log.error(message)
        raise SystemExit(f"ocaml-reward: {message}")
