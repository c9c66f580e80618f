"""
The sizes of the models that the learning experiment makes.
"""

from __future__ import annotations

import json
from pathlib import Path

from experiments.learn.base import SIZES, make_base
from experiments.learn.tasks import PIECES, problems

TRAINING, _ = problems(0, training=40, held_out=10)


def test_a_base_has_the_size_that_is_asked_for(tmp_path: Path) -> None:
    """
    More layers and dimensions for the large one; what is there already is not made again.
    """
    made = {}
    for name, size in SIZES.items():
        folder = make_base(
            tmp_path / name,
            TRAINING,
            mistakes=0.5,
            taught=0.0,
            seed=0,
            steps=1,
            size=size,
            cut_after=PIECES,
        )
        told = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        made[name] = (told["num_hidden_layers"], told["hidden_size"])

    assert {"small": (3, 96), "large": (6, 192)} == made
