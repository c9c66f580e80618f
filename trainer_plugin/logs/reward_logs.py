"""The logs that the reward writes: `batch_metrics.jsonl`, and completions and breakdowns in
`reward_logs`.

Every call is written before the trainer goes on, so a run that dies loses at most its current step.
A resumed run continues its logs from its step; a new run sets older logs aside. A failing disk is
reported once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ocaml_reward.formats.problems import REWARD_LOGS
from ocaml_reward.record import dumps

from ..reading import breakdowns, rank_path, ranks
from .disk import tolerate_disk_errors
from .figures import Batch
from .journal import MOST_BYTES, Journal
from .records import batch_row, breakdown_rows, completion_rows


class RewardLogs:
    """The logs of one rank below `folder`; `name` is that of the reward."""

    def __init__(self, folder: Path, *, name: str, most_bytes: int = MOST_BYTES) -> None:
        """Set the paths without touching the disk."""
        self.folder = folder
        self.rank = int(os.environ.get("RANK") or 0)
        self.step = 0
        self._stem = name.removesuffix("_reward")
        inner = folder / REWARD_LOGS
        self._figures = folder / "batch_metrics.jsonl"
        self._makers: dict[Path, Callable[[Batch, int], Sequence[Mapping[str, Any]]]] = {
            inner / "completions.jsonl": completion_rows,
            inner / f"{self._stem}_breakdown.jsonl": breakdown_rows,
            self._figures: lambda batch, rank: [batch_row(batch, rank)],
        }
        self._journals = {
            path: Journal(rank_path(path, self.rank), most_bytes=most_bytes)
            for path in self._makers
        }

    def begin(self, step: int, *, training: bool | None) -> None:
        """Prepare the logs for a run that has made `step` updates.

        Lines of later updates, written by an earlier process, are removed; for a new run all older
        logs are set aside.
        """
        self.step = step
        for path in self._makers:
            for journal in self._mine(path):
                with tolerate_disk_errors(journal.path, run=self.folder):
                    if step == 0:
                        journal.set_aside()
                    else:
                        journal.cut(lambda line: _stays(line, step, training))

    def write(self, batch: Batch, whole: Batch | None = None) -> None:
        """Write one batch to every log.

        `whole` is the batch of all ranks; rank 0 writes its figures.
        """
        self.step = batch.step or 0
        for path, make in self._makers.items():
            source = batch
            if path == self._figures and whole is not None and whole is not batch:
                if self.rank:
                    continue
                source = whole
            lines = [dumps(row) for row in make(source, self.rank)]
            with tolerate_disk_errors(path, run=self.folder):
                self._journals[path].append(lines)

    def seen(self) -> Iterator[tuple[str, int]]:
        """Yield the number of passed checks of each completion of the run so far, of all ranks."""
        with tolerate_disk_errors(self.folder, run=self.folder):
            for extra_keys, breakdown in breakdowns(self.folder, name=self._stem):
                if extra_keys["split"] != "eval":
                    yield breakdown.problem_id, breakdown.tests.passed

    def _mine(self, path: Path) -> list[Journal]:
        """Return this rank's journal, and for rank 0 also those of ranks that no longer exist."""
        journals = [self._journals[path]]
        if self.rank == 0:
            world = int(os.environ.get("WORLD_SIZE") or 1)
            gone = [rank for rank in ranks(path) if rank >= world]
            journals += [Journal(rank_path(path, rank)) for rank in gone]
        return journals


def _stays(line: str, step: int, training: bool | None) -> bool:
    """Return whether a line was written before a run resumes after update `step`.

    The evaluation after that update is kept, unless the resumed run is about to repeat it.
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
