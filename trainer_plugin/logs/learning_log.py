"""The callbacks that write `learning.log`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from transformers import TrainerCallback

from ..learning import format_line, parse_solved_share, step_from_logs
from .disk import tolerate_disk_errors
from .journal import Journal
from .log_events import LineLog
from .remarks import (
    EVALUATED,
    LEGEND,
    MARK,
    end_remarks,
    evaluation_text,
    is_outdated,
    solved_remark,
)


class LearningLog(LineLog):
    """Writes `learning.log`: a line per logged step with new completions, and remarks that begin
    with #.
    """

    file = "learning.log"

    def __init__(self, name: str) -> None:
        """Log for the reward of that name."""
        super().__init__()
        self._name = name
        self._held_out: int | None = None
        self._paid = 0.0

    def on_train_begin(self, args: Any, state: Any, _: Any, **more: Any) -> None:
        """Write the description of the columns first."""
        super().on_train_begin(args, state, _, **more)
        if self._journal is not None and not any(self._journal.lines()):
            self.remark(*LEGEND)

    def on_evaluate(
        self, _: Any, __: Any, ___: Any, eval_dataloader: Any = None, **____: Any
    ) -> None:
        """Store the number of held-out problems."""
        with suppress(AttributeError, TypeError):
            self._held_out = len(eval_dataloader.dataset)

    def remark(self, *lines: str) -> None:
        """Write remark lines."""
        if self._journal is not None:
            with tolerate_disk_errors(self._journal.path, run=self._journal.path.parent):
                self._journal.append(lines)

    def close(self, state: Any) -> None:
        """Write the summary of the run."""
        if self._journal is not None:
            self.remark(
                *end_remarks(
                    state.log_history,
                    self._journal.lines(),
                    name=self._name,
                    step=state.global_step,
                    steps=state.max_steps,
                    held_out=self._held_out,
                )
            )

    def line(self, state: Any, logs: Mapping[str, Any]) -> str | None:
        """Return the line of a step, or the remark of an evaluation."""
        if EVALUATED in logs:
            return f"{MARK} step {state.global_step}, held-out: {evaluation_text(logs)}"
        step = step_from_logs(logs, name=self._name, step=state.global_step)
        if step is None or not step.fresh:
            return None
        paid = round(step.solved_share or 0.0, 2)
        if paid != self._paid:
            self._paid = paid
            self.remark(solved_remark(step=state.global_step, paid=paid))
        return format_line(step)

    def resume(self, journal: Journal, state: Any) -> None:
        """Keep the lines of steps before the checkpoint, and their remarks."""
        steps = [
            step_from_logs(each, name=self._name, step=each["step"]) for each in state.log_history
        ]
        past = [format_line(step) for step in steps if step is not None and step.fresh]
        there = list(journal.lines())
        places = [n for n, line in enumerate(there) if not line.startswith(MARK)]
        kept = _common([there[place] for place in places], past)
        journal.keep_first(places[kept] if kept < len(places) else len(there))
        journal.cut(lambda line: not is_outdated(line, state.global_step))
        for line in journal.lines():
            paid = parse_solved_share(line)
            self._paid = self._paid if paid is None else paid


class LearningEnd(TrainerCallback):
    """Closes `learning.log` after all other callbacks of the run."""

    def __init__(self, log: LearningLog) -> None:
        """Set the log to close."""
        self._log = log

    def on_train_end(self, _: Any, state: Any, __: Any, **___: Any) -> None:
        """Close the log."""
        self._log.close(state)


def _common(there: Sequence[str], past: Sequence[str]) -> int:
    """Return how many existing lines belong to a resumed run, whose lines up to its checkpoint are
    `past`.

    Rotation may have removed its first lines. If the lines do not match, all are kept.
    """
    if not past:
        return 0
    best = (0, len(there))
    for end in range(1, len(there) + 1):
        size = min(end, len(past))
        # Compare the last lines first: they differ most between positions.
        if size <= best[0] or there[end - 1] != past[-1]:
            continue
        if there[end - size : end] == past[-size:]:
            best = (size, end)
    return best[1]
