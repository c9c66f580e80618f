"""Shows completions with their verdicts on the console during a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from ..logs.figures import Batch
from ..logs.log_events import LogEventCallback
from ..reward import OCamlReward

LINES: Final = 24
"""Longer completions are cut; the logs have all lines."""


class ShownCompletions(LogEventCallback):
    """Shows some completions of the last batch at each logged step."""

    def __init__(self, score: OCamlReward, count: int) -> None:
        """Set the reward, and the number of completions to show."""
        self._score = score
        self._count = count

    def on_log_event(self, state: Any, logs: Mapping[str, Any]) -> None:
        """Show completions after a step with new ones."""
        del state
        batch = self._score.last
        if "reward" not in logs or batch is None or batch.training is False:
            return
        console = Console()
        for place in chosen(batch.rewards, self._count):
            console.print(panel(batch, place))


def chosen(rewards: Sequence[float | None], count: int) -> list[int]:
    """Return positions of a batch evenly spread from best to worst; unscored ones count
    as worst.
    """
    ranked = sorted(
        range(len(rewards)), key=lambda at: (rewards[at] is None, -(rewards[at] or 0.0))
    )
    count = min(count, len(ranked))
    if count < 2:
        return ranked[:count]
    step = (len(ranked) - 1) / (count - 1)
    return [ranked[round(number * step)] for number in range(count)]


def panel(batch: Batch, place: int) -> Panel:
    """Return a frame with a completion, its verdict, checks and reward."""
    breakdown, reward = batch.breakdowns[place], batch.rewards[place]
    earned = "not scored" if reward is None else f"reward {reward:.3f}"
    checks = f"{breakdown.tests.passed} of {breakdown.tests.total} checks"
    title = f"{breakdown.problem_id}: {breakdown.verdict.value}, {checks}, {earned}"
    lines = batch.samples[place].completion.text.splitlines()
    more = [f"... and {len(lines) - LINES} lines more"] if len(lines) > LINES else []
    return Panel(
        Text(_clean("\n".join([*lines[:LINES], *more]))),
        title=Text(_clean(title)),
        title_align="left",
    )


def _clean(text: str) -> str:
    """Replace control characters of terminals."""
    return "".join(
        each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}"
        for each in text
    )
