"""
The rewards that are compared, all of them made of the same scored completions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from ocaml_reward import Breakdown
from ocaml_reward.scheme import RewardScheme, load, with_overrides
from trainer_plugin import OCamlReward

from .held_out import scheme

__all__ = ["LOCATED", "STARTS", "VARIANTS", "Start", "make_reward"]

VARIANTS: Final = {
    "graduated": "the reward as it is: every independent type error counts",
    "first error": "the same, but code with any type error earns what one error earns",
    "pass or fail": "1 if every test passes, else 0",
    "shuffled": "the reward as it is, dealt out at random among the batch: the control",
    "mostly tests": "the reward, but tests are worth 0.85 of it instead of 0.65",
    "solved": "the scheme decisive: 0.8 if every test passes, and a fifth of the reward",
    "located": "solved, and half of a token's credit goes by the part that it is in",
    "located at random": "the same, with the parts' places moved round the completion: the"
    " control of that",
}

LOCATED: Final = ("located", "located at random")
"""
The variants with credit per token.
"""

MOSTLY_TESTS: Final = (
    "available.structural=0.02",
    "available.type=0.08",
    "available.compile=0.05",
    "available.tests=0.85",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Start:
    """
    A kind of base model: the share of functions it was taught to get wrong, whether in
    their form alone, and behind how large a share of lessons without a mistake; and the
    variants that are trained from it, from which seed on; the family of generated problems,
    "" for three small functions each; how many problems a step has.
    """

    mistakes: float
    variants: tuple[str, ...]
    of_form: bool = False
    taught: float = 0.0
    first: int = 0
    family: str = ""
    problems: int = 8


STARTS: Final = {
    "common": Start(
        mistakes=0.55,
        # What docs/learning.md shows; others are named on the command line.
        variants=(
            "graduated",
            "first error",
            "pass or fail",
            "shuffled",
            "mostly tests",
        ),
    ),
    "rare": Start(
        mistakes=0.85, variants=("graduated", "pass or fail", "mostly tests")
    ),
    # Poor in form, not in knowledge: it first learns which operator each word asks for.
    "none": Start(
        mistakes=0.97,
        of_form=True,
        taught=0.4,
        variants=("pass or fail", "graduated", "located", "located at random"),
        first=31,
    ),
    # Without these lessons most bases never learn it, and no reward tells them.
    "unknowing": Start(
        mistakes=0.97, variants=("pass or fail", "graduated", "located"), first=31
    ),
}
"""
Success is common enough to learn from it alone, or rare, or there is next to none.
"""


class Variant(OCamlReward):
    """
    A reward whose numbers are changed after scoring.
    """

    def __init__(self, kind: str, seed: int, base: RewardScheme) -> None:
        """
        Choose the change, with random numbers of its own for the shuffled one.
        """
        super().__init__(base, regions=kind in LOCATED)
        self.kind = kind
        self.rng = Random(seed)

    def __call__(self, *args: Any, **columns: Any) -> list[float | None]:
        """
        Score a batch, then change the rewards.
        """
        rewards = super().__call__(*args, **columns)
        if self.kind == "located at random" and self.last is not None:
            self.last = replace(
                self.last,
                breakdowns=[
                    moved(breakdown, len(sample.completion.text), self.rng)
                    for sample, breakdown in zip(
                        self.last.samples, self.last.breakdowns, strict=True
                    )
                ],
            )
        if self.kind == "shuffled":
            self.rng.shuffle(rewards)
        if self.kind == "pass or fail":
            # Without the marker a solution that passes has all but its credit.
            return [None if one is None else float(one > 0.94) for one in rewards]
        return rewards


def moved(breakdown: Breakdown, length: int, rng: Random) -> Breakdown:
    """
    Move the places of all regions round a completion by one random number of characters:
    what is known stays, and as many tokens have credit for it, but others.
    """
    by = rng.randrange(length) if length else 0
    regions = [
        replace(region, places=tuple(turned(region.places, by, length)))
        for region in breakdown.regions or ()
    ]
    return replace(breakdown, regions=tuple(regions))


def turned(
    places: Iterable[tuple[int, int]], by: int, length: int
) -> Iterator[tuple[int, int]]:
    """
    Yield ranges moved to the right, what leaves the end coming in at the start.
    """
    for start, stop in places:
        first = (start + by) % length
        last = first + stop - start
        yield first, min(last, length)
        if last > length:
            yield 0, last - length


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
    if kind == "solved" or kind in LOCATED:
        base = replace(base, available=load("decisive").available)
    return Variant(kind, seed, base)
