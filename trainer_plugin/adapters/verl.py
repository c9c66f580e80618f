"""The reward for verl. Tested with verl 0.9.1.

    reward.custom_reward_function.path=pkg://trainer_plugin.adapters.verl
    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.engine=http://127.0.0.1:8700

`compute_score` is for the managers `naive`, `dapo`, `gdpo` and `remote`, `compute_scores`
for the older `batch`. verl runs many workers on each machine: use a server as the engine, or each
of them starts an engine.

A completion that cannot be graded raises an exception, and verl drops the trajectory. The manager
`rate_limited` would convert it to 0, so a run with that manager is ended.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

from .grading import SETTINGS, figures, grading, with_reward

_LIMITED: Final = "verl.experimental.reward_loop.reward_manager.limited"

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
        data_source: The name of the data set; ignored.
        solution_str: The text of the completion, without special tokens.
        ground_truth: The problem: its id, an object, or that as JSON.
        extra_info: Other columns of the row; ignored.
        **given: Settings of `grading`; other arguments are ignored.

    Returns:
        `score` and figures for verl's metrics, the same for each completion.

    Raises:
        RewardUnavailable: It could not be graded.
        InputError: There is no such problem.
        SystemExit: The reward manager would convert an exception to 0.
    """
    refuse_zeros()
    settings = {name: given[name] for name in SETTINGS if name in given}
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
        data_sources: Ignored.
        solution_strs: The texts of the completions.
        ground_truths: The problem of each.
        extra_infos: Ignored.
        **given: Settings of `grading`; other arguments are ignored.

    Returns:
        The result of `compute_score` for each.

    Raises:
        RewardUnavailable: One of them could not be graded, and verl cannot skip one.
        InputError: There is no such problem.
    """
    settings = {name: given[name] for name in SETTINGS if name in given}
    asked = [(label, text, None) for label, text in zip(ground_truths, solution_strs, strict=True)]
    found = grading(**settings).breakdowns(asked)
    return [figures(with_reward(each)) for each in found]


def refuse_zeros() -> None:
    """Raise SystemExit if the reward manager of the process converts exceptions to 0.

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
