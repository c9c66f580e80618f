"""The problems: generated ones, of a few easy families to warm up and to train on, and of others that
a model meets only when it is measured.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from ocaml_reward.engine.engines.printing import Printing
from problem_sets import Oracle, Order, Tally, make, row

EASY: Final = ("list-pipeline", "record-report", "ranges")
"""Families that the base learns from and the rewards train on: of all that are short, some of the
easiest, and alike in their conditions and sums, so that a CPU can teach them.
"""
TRAINED: Final = (
    *("list-pipeline", "float-pipeline", "text-pipeline", "digits", "divisors"),
    *("ranges", "combining", "neighbours", "record-update", "record-report"),
    *("tree-rebuilt", "tree-listing", "rounding", "updates", "scanning"),
)
"""Families that the rewards of the first run trained on; results/h200.md."""
HELD_OUT: Final = (
    *("beginnings-and-ends", "places", "optional-sums", "unfolding", "words"),
    *("steps", "samples", "shapes"),
)
"""Families that nothing is trained on; each has a relative in the others."""
WARMED: Final = (
    *("recovering", "float-rounding", "forcing", "raising", "matrix", "ranking"),
    *("runs", "list-text", "tree-counts", "rearranging", "lookups", "number-text"),
    *("in-place", "ordering", "checked-list", "grouping", "windows", "histogram"),
    *("cipher", "zipped", "number-report", "tree-paths", "kinds", "sets"),
)
"""Families whose references the model learned from before that run.  Like those of the others they
are short, some 60 to 150 tokens.
"""
REFERENCES, TRAINING = 600, 400
"""Problems to warm up on, and to train on with each seed."""


class Files:
    """Where the problems of one seed are, in a folder."""

    def __init__(self, folder: Path, seed: int) -> None:
        """Name the files; nothing is written."""
        self.references = folder / "references.jsonl"
        self.training = folder / f"training{seed}.jsonl"
        self.measured = folder / f"measured{seed}.jsonl"


def files(folder: Path, seed: int, *, measured: int, others: int) -> Files:
    """Write what is not there yet: references, the same for all seeds, problems to train on, and
    `measured` new ones of the same families and `others` of families that nothing is trained on.
    """
    found = Files(folder, seed)
    _written(found.references, (EASY, REFERENCES, 1))
    _written(found.training, (EASY, TRAINING, 100 + seed))
    _written(found.measured, (EASY, measured, 200 + seed), (HELD_OUT, others, 300 + seed))
    return found


def family_of(problem_id: str) -> str:
    """Say which family a problem is of."""
    return problem_id.rpartition("-")[0]


def _written(path: Path, *parts: tuple[tuple[str, ...], int, int]) -> None:
    if path.is_file():
        return
    lines = []
    for families, count, seed in parts:
        order = Order(count=count, seed=seed, families=families, tones=("doc",))
        found = make(order, Oracle(Printing()), None, Tally())
        lines += [json.dumps(row(each)) + "\n" for each in found]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")
