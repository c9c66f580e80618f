"""The logs that the reward itself keeps: `batch_metrics.jsonl`, and in `reward_logs` what
the model wrote and how each reward came about.

Every call is written before the trainer goes on, so a run that dies loses no more than
the step it was in.  A run that resumes continues its logs from the step it resumes at; a
run that starts anew sets older logs aside.  A disk that fails is said once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ocaml_reward.record import dumps

from ..reading import breakdowns, ranked, ranks
from .disk import survived
from .figures import Batch
from .journal import MOST_BYTES, Journal
from .records import batch_row, breakdown_rows, completion_rows


class RewardLogs:
    """The logs of one rank below `folder`; `name` is that of the reward."""

    def __init__(
        self, folder: Path, *, name: str, most_bytes: int = MOST_BYTES
    ) -> None:
        """Touch nothing yet."""
        self.folder = folder
        self.rank = int(os.environ.get("RANK") or 0)
        self.step = 0
        self._stem = name.removesuffix("_reward")
        inner = folder / "reward_logs"
        self._figures = folder / "batch_metrics.jsonl"
        self._makers: dict[
            Path, Callable[[Batch, int], Sequence[Mapping[str, Any]]]
        ] = {
            inner / "completions.jsonl": completion_rows,
            inner / f"{self._stem}_breakdown.jsonl": breakdown_rows,
            self._figures: lambda batch, rank: [batch_row(batch, rank)],
        }
        self._journals = {
            path: Journal(ranked(path, self.rank), most_bytes=most_bytes)
            for path in self._makers
        }

    def begin(self, step: int, *, training: bool | None) -> None:
        """Make room for a run that has made `step` updates: what an earlier process wrote of
        later ones is removed, or everything set aside when a run starts anew.
        """
        self.step = step
        for path in self._makers:
            for journal in self._mine(path):
                with survived(journal.path, run=self.folder):
                    if step == 0:
                        journal.set_aside()
                    else:
                        journal.cut(lambda line: _stays(line, step, training))

    def write(self, batch: Batch, whole: Batch | None = None) -> None:
        """Write one batch to every log; `whole` is that of all ranks, whose figures the first
        of them writes.
        """
        self.step = batch.step or 0
        for path, make in self._makers.items():
            told = batch
            if path == self._figures and whole is not None and whole is not batch:
                if self.rank:
                    continue
                told = whole
            lines = [dumps(row) for row in make(told, self.rank)]
            with survived(path, run=self.folder):
                self._journals[path].append(lines)

    def seen(self) -> Iterator[tuple[str, int]]:
        """Yield how many checks each completion of the run so far has passed, all ranks'."""
        with survived(self.folder, run=self.folder):
            for beside, breakdown in breakdowns(self.folder, name=self._stem):
                if beside["split"] != "eval":
                    yield breakdown.problem_id, breakdown.tests.passed

    def _mine(self, path: Path) -> list[Journal]:
        """List this rank's journal, and for rank 0 those of ranks that are no more."""
        journals = [self._journals[path]]
        if self.rank == 0:
            world = int(os.environ.get("WORLD_SIZE") or 1)
            gone = [rank for rank in ranks(path) if rank >= world]
            journals += [Journal(ranked(path, rank)) for rank in gone]
        return journals


def _stays(line: str, step: int, training: bool | None) -> bool:
    """Tell whether a line is of what was before a run resumes after update `step`.

    The evaluation after that update was before it, unless it is the one that comes now.
    """
    try:
        row = json.loads(line)
        at, split = row["step"], row["split"]
    except (ValueError, TypeError, KeyError):
        return False
    if not isinstance(at, int):
        return True
    again = split == "eval" and training is False
    return at < step or (at == step and not again)
