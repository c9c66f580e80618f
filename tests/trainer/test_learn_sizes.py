"""The learning experiment's models and families, by their names."""

from __future__ import annotations

import json
from pathlib import Path

from experiments.learn.base import SIZES, make_base
from experiments.learn.families import ALL_STARTS, FAMILIES


def test_a_base_has_the_size_that_is_asked_for(tmp_path: Path) -> None:
    """More layers and dimensions for the large one."""
    start = ALL_STARTS["lists"]
    family = FAMILIES[start.family]
    training, _ = family.draw(0, start.of_form, 32)
    made = {}
    for name, size in SIZES.items():
        folder = make_base(
            tmp_path / name,
            training[:4],
            mistakes=0.5,
            taught=0.0,
            seed=0,
            steps=1,
            size=size,
            cut_after=family.pieces,
        )
        told = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        made[name] = (told["num_hidden_layers"], told["hidden_size"])

    assert {"small": (3, 96), "large": (6, 192)} == made


def test_every_start_has_a_family() -> None:
    assert FAMILIES.keys() == {start.family for start in ALL_STARTS.values()}
