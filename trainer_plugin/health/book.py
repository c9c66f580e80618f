"""
Where findings are told: `health.jsonl`, and the console.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

from ocaml_reward.wire import dumps

from ..logs.disk import survived
from ..logs.journal import Journal
from .findings import Finding

__all__ = ["HealthBook"]

log = logging.getLogger("trainer_plugin")


class HealthBook:
    """
    `health.jsonl`, and the console.
    """

    def __init__(self) -> None:
        """
        Touch nothing yet.
        """
        self._journal: Journal | None = None

    def open(self, args: Any, state: Any) -> None:
        """
        Continue the book of the run that is resumed, or begin one.
        """
        if state.is_world_process_zero:
            journal = Journal(Path(args.output_dir) / "health.jsonl")
            self._journal = journal
            with survived(journal.path, run=journal.path.parent):
                self._clear(journal, state.global_step)

    def write(self, finding: Finding, state: Any, *, stops: bool) -> None:
        """
        Tell a finding.
        """
        if self._journal is None:
            return
        row = {
            "step": state.global_step,
            "epoch": None if state.epoch is None else round(state.epoch, 6),
            "rule": finding.rule,
            "severity": finding.severity.value,
            "seen": finding.seen,
            "advice": finding.advice,
            "stops": stops,
        }
        end = "; the run stops" if stops else ""
        log.warning(
            "health: %s (%s) at step %d: %s. %s%s",
            finding.rule,
            finding.severity.value,
            state.global_step,
            finding.seen,
            finding.advice,
            end,
        )
        with survived(self._journal.path, run=self._journal.path.parent):
            self._journal.append([dumps(row)])

    @staticmethod
    def _clear(journal: Journal, step: int) -> None:
        if step == 0:
            journal.set_aside()
        else:
            journal.cut(lambda line: _was_before(_row(line), step))


def _row(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}


def _was_before(row: dict[str, Any], step: int) -> bool:
    at = row.get("step")
    return isinstance(at, int) and at <= step
