"""Sets with a name: the orders that give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .making import Order
from .registry import all_families

_STARTER: Final = tuple(
    name
    for name, family in all_families().items()
    # What came later is not in the set that was measured.
    if family.topic != "many right answers"
)

SETS: Final[Mapping[str, Order]] = {
    "starter": Order(count=600, seed=1, families=_STARTER),
    "starter-held-out": Order(count=120, seed=1, families=_STARTER, split="held-out"),
    # What the preset `smoke` trains on: a file of it ships with the trainer plugin.
    "smoke": Order(
        count=12,
        seed=3,
        families=("list-pipeline", "places", "ranges", "record-report"),
        levels=("easy",),
        tones=("plain", "doc"),
    ),
}
"""Named orders: with the same version of the generator they give the same problems anywhere."""
