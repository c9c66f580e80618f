"""
The problems: generated ones of some families to train on, of others to measure on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from ocaml_reward.engine.printing import Printing
from problem_sets import Oracle, Order, Tally, make, row

__all__ = ["HELD_OUT", "TRAINED", "written"]

TRAINED: Final = (
    *("list-pipeline", "float-pipeline", "text-pipeline", "digits", "divisors"),
    *("ranges", "combining", "neighbours", "record-update", "record-report"),
    *("tree-rebuilt", "tree-listing", "rounding", "updates", "scanning"),
)
HELD_OUT: Final = (
    *("beginnings-and-ends", "places", "optional-sums", "unfolding", "words"),
    *("steps", "samples", "shapes"),
)
"""
Families whose references are short, some 60 to 110 tokens, and have a relative in the others.
"""


def written(path: Path, families: tuple[str, ...], *, count: int, seed: int) -> Path:
    """
    Write problems of these families, unless the file is there, and return it.
    """
    if not path.is_file():
        order = Order(count=count, seed=seed, families=families, tones=("doc",))
        made = make(order, Oracle(Printing()), None, Tally())
        lines = [json.dumps(row(each)) + "\n" for each in made]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(lines), encoding="utf-8")
    return path
