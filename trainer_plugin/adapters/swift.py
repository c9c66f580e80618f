"""The reward for ms-swift, used by examples/swift_plugin.py. Tested with 4.6.0.

    --external_plugins examples/swift_plugin.py --reward_funcs ocaml

A row of the data set has its problem in the column `solution`. A completion that cannot be graded
ends the run, because ms-swift sums rewards with `nansum`, which counts None as 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .grading import figures, grading, with_reward


class OCamlReward:
    """A reward function with the interface of ms-swift's ORM."""

    def __init__(self, args: Any = None, **_: Any) -> None:
        """Read the environment's settings."""
        self.args = args
        self._grading = grading()

    def __call__(
        self,
        completions: Sequence[str],
        *,
        solution: Sequence[object],
        is_truncated: Sequence[bool] | None = None,
        **_: Any,
    ) -> list[float]:
        """Grade a batch.

        Args:
            completions: The texts of the completions.
            solution: The problem of each, an id or an object as JSON.
            is_truncated: Whether each was cut off, if ms-swift knows it.
            **_: Other columns, ignored.

        Returns:
            The rewards.

        Raises:
            RewardUnavailable: One of them could not be graded.
            InputError: There is no such problem.
        """
        ends: Sequence[bool | None] = is_truncated or [None] * len(completions)
        asked = list(zip(solution, completions, ends, strict=True))
        found = self._grading.breakdowns(asked)
        return [figures(with_reward(each))["score"] for each in found]
