"""Writes findings to `health.jsonl`, `learning.log` and the console."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ocaml_reward.record import dumps

from ..logs.disk import tolerate_disk_errors
from ..logs.journal import Journal
from ..logs.remarks import finding_remark
from .findings import Finding

log = logging.getLogger("trainer_plugin")


class FindingSinks:
    """Writes findings to `health.jsonl`, `learning.log` and the console."""

    def __init__(self, remark: Callable[[str], object] | None = None) -> None:
        """Set `remark`, which writes a line into `learning.log`, without touching the disk."""
        self._journal: Journal | None = None
        self._remark = remark

    def open(self, args: Any, state: Any) -> None:
        """Continue the file of the resumed run, or begin a new one."""
        if state.is_world_process_zero:
            journal = Journal(Path(args.output_dir) / "health.jsonl")
            self._journal = journal
            with tolerate_disk_errors(journal.path, run=journal.path.parent):
                self._clear(journal, state.global_step)

    def write(self, finding: Finding, state: Any, *, stops: bool) -> None:
        """Write a finding."""
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
        with tolerate_disk_errors(self._journal.path, run=self._journal.path.parent):
            self._journal.append([dumps(row)])
        if self._remark is not None:
            self._remark(
                finding_remark(
                    step=state.global_step,
                    rule=finding.rule,
                    severity=finding.severity.value,
                    seen=finding.seen,
                    advice=f"{finding.advice}{end}",
                )
            )

    @staticmethod
    def _clear(journal: Journal, step: int) -> None:
        """Remove the rows after a step, as a resumed run writes them again."""
        if step == 0:
            journal.set_aside()
        else:
            journal.cut(lambda line: _was_before(_row(line), step))


def _row(line: str) -> dict[str, Any]:
    """Return the JSON object in a line; an empty one if there is none."""
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}


def _was_before(row: dict[str, Any], step: int) -> bool:
    """Tell whether a row is of a step up to this one."""
    at = row.get("step")
    return isinstance(at, int) and at <= step
