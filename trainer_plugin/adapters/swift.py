"""The reward in ms-swift, for which examples/swift_plugin.py is the file.  Run with 4.6.0.

    --external_plugins examples/swift_plugin.py --reward_funcs ocaml

A row of the data set names its problem in the column `solution`.  A completion that our side
cannot grade raises and ends the run: ms-swift sums rewards with `nansum`, which makes 0 of a
None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .grading import figures, grading, with_reward


class OCamlReward:
    """A reward function of the shape of ms-swift's ORM."""

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
            completions: What the model wrote.
            solution: The problem of each, an id or an object as JSON.
            is_truncated: Whether each was cut off, as far as ms-swift knows.
            **_: Other columns, not read.

        Returns:
            A reward each.

        Raises:
            RewardUnavailable: One of them could not be graded.
            InputError: There is no such problem.
        """
        ends: Sequence[bool | None] = is_truncated or [None] * len(completions)
        asked = list(zip(solution, completions, ends, strict=True))
        found = self._grading.breakdowns(asked)
        return [figures(with_reward(each))["score"] for each in found]
