"""
The rewards that are compared, all of them made of the same scored completions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from ocaml_reward.scheme import RewardScheme, load, with_overrides
from trainer_plugin import OCamlReward

from .held_out import scheme

__all__ = ["STARTS", "VARIANTS", "Start", "make_reward"]

VARIANTS: Final = {
    "graduated": "the reward as it is: every independent type error counts",
    "first error": "the same, but code with any type error earns what one error earns",
    "pass or fail": "1 if every test passes, else 0",
    "shuffled": "the reward as it is, dealt out at random among the batch: the control",
    "mostly tests": "the reward, but tests are worth 0.85 of it instead of 0.65",
    "decisive": "the scheme decisive: 0.8 if every test passes, and a fifth of the reward",
}


MOSTLY_TESTS: Final = (
    "available.structural=0.02",
    "available.type=0.08",
    "available.compile=0.05",
    "available.tests=0.85",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Start:
    """
    A kind of base model: the share of functions it was taught to get wrong, and the
    variants that are trained from it.
    """

    mistakes: float
    variants: tuple[str, ...]


STARTS: Final = {
    "common": Start(
        mistakes=0.55,
        # What docs/learning.md shows; others are named on the command line.
        variants=tuple(name for name in VARIANTS if name != "decisive"),
    ),
    "rare": Start(
        mistakes=0.85, variants=("graduated", "pass or fail", "mostly tests")
    ),
}
"""
Success is common enough to learn from it alone, or rare.
"""


class Variant(OCamlReward):
    """
    A reward whose numbers are changed after scoring.
    """

    def __init__(self, kind: str, seed: int, base: RewardScheme) -> None:
        """
        Choose the change, with random numbers of its own for the shuffled one.
        """
        super().__init__(base)
        self.kind = kind
        self.rng = Random(seed)

    def __call__(self, *args: Any, **columns: Any) -> list[float | None]:
        """
        Score a batch, then change the rewards.
        """
        rewards = super().__call__(*args, **columns)
        if self.kind == "shuffled":
            self.rng.shuffle(rewards)
        if self.kind == "pass or fail":
            # Without the marker a solution that passes has all but its credit.
            return [None if one is None else float(one > 0.94) for one in rewards]
        return rewards


def make_reward(kind: str, seed: int) -> OCamlReward:
    """
    Make a variant by its name.
    """
    base = scheme()
    if kind == "first error":
        ladder = base.type.ladder[:2]
        base = replace(base, type=replace(base.type, ladder=ladder))
    if kind == "mostly tests":
        base = with_overrides(base, MOSTLY_TESTS)
    if kind == "decisive":
        base = replace(base, available=load("decisive").available)
    return Variant(kind, seed, base)
