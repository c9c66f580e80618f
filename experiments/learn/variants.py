"""The rewards that are compared, all of them made of the same scored completions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from ocaml_reward import Breakdown, Ground, Mark, Region, Verdict
from ocaml_reward.scheme import RewardScheme, load, with_overrides
from trainer_plugin import OCamlReward
from trainer_plugin.outcomes import passed
from trainer_plugin.shaping import rarities, weighed

from .held_out import scheme
from .rejection import REJECTION, SELECTED

CONTROL: Final = "SDPO, of another program"
TEACHERS: Final = {
    "SDPO": "self-distillation: the model that is shown located feedback on a failed attempt"
    " teaches itself; no success is shown, and the reward is not used",
    CONTROL: "the same, with the feedback on a failed attempt at another problem: the control",
}
"""What needs a base that reads feedback."""
TEMPLATE: Final = "{feedback}{prompt}"
"""Of what the teacher is asked: a small model finds what it is asked for by its distance."""
TEACHING: Final = (
    "reward.algorithm=sdpo",
    "reward.feedback=located",
    # What the feedback does is to be seen alone.
    "grpo.extra.use_successful_as_teacher=false",
    f"grpo.extra.reprompt_template={TEMPLATE}",
)

VARIANTS: Final = {
    "graduated": "the reward as it is: every independent type error counts",
    "first error": "the same, but code with any type error earns what one error earns",
    "pass or fail": "1 if every test passes, else 0",
    "shuffled": "the reward as it is, dealt out at random among the batch: the control",
    "mostly tests": "the reward, but tests are worth 0.85 of it instead of 0.65",
    "solved": "the scheme decisive: 0.8 if every test passes, and a fifth of the reward",
    "located": "solved, half of a token's credit goes by the part that it is in, and rewards"
    " are divided by the spread of the batch, not of their group",
    "located without holes": "located, of code that neither types nor parses by its errors"
    " alone, as nothing is run through its holes",
    "graduated located": "the reward as it is, with such credit",
    "located at random": "located, with what is known of the parts dealt out at random among"
    " those of the batch: the control of that",
    "located by weights": "located as the trainer has it: of a definition that does not type by how"
    " likely the mistake is at each place, where all others here blame the whole alike",
    "located by group": "located, divided by the spread of the group",
    "graduated located by group": "the same of graduated located",
    "located without holes by group": "the same of located without holes",
    "located at random by group": "the same of located at random",
    "rarity": "the reward as it is, with every check weighed by the share of its group that does"
    " not pass it",
    "rarity at random": "rarity, with these weights dealt out at random among the checks: the control",
    "rarity located": "graduated located, with checks so weighed",
    "pass or fail by batch": "pass or fail, divided by the spread of the batch",
    REJECTION: "no reinforcement: a supervised step on what passes, each completion once, of as many"
    " as the others sample",
    "random reward": "a coin for each completion: the control of what training itself does",
    "furthest phase": "how far the compiler comes, in equal steps: 0.25 if it parses, 0.5 if it"
    " types, 0.75 if it links, 1 if every test passes",
    **TEACHERS,
}

_PARSES: Final = (Verdict.TYPE_ERROR, Verdict.FORBIDDEN, Verdict.COMPILER_LIMIT)
"""What parses, and is not known to type."""
_TYPES: Final = (Verdict.INTERFACE_ERROR, Verdict.LINK_ERROR)
_NOTHING: Final = (Verdict.SYNTAX_ERROR, Verdict.NO_CODE)

# What is behind a name says what rewards are divided by.
_SCALES: Final = ("group", "batch")
# Where checks run through holes, and what they tell.
_HOLED: Final = (Verdict.SYNTAX_ERROR, Verdict.TYPE_ERROR, Verdict.INTERFACE_ERROR)
_TOLD: Final = (
    Ground.PASSING,
    Ground.FAILING,
    Ground.BOTH,
    Ground.PASSING_BRANCH,
    Ground.FAILING_BRANCH,
)

READERS: Final = ("pass or fail", "graduated", "located", *TEACHERS)
"""What is trained from a base that reads feedback."""

Part = tuple[int, tuple[str, ...]]

_LOCATED: Final = (
    "located",
    "located without holes",
    "graduated located",
    "located at random",
    "located by weights",
    "rarity located",
)
_OF_SEED: Final = ("graduated located", "rarity located")
"""Those with credit by place whose scheme is not `decisive`."""

MOSTLY_TESTS: Final = (
    "available.structural=0.02",
    "available.type=0.08",
    "available.compile=0.05",
    "available.tests=0.85",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Start:
    """A kind of base model: the share of functions it was taught to get wrong, whether in
    their form alone, and behind how large a share of lessons without a mistake; and the
    variants that are trained from it, from which seed on; the family of its problems, by its
    name in `families.py`; how many problems a step has, and the learning rate; whether it is
    taught to read feedback too, and of programs that are `mended` after it.
    """

    mistakes: float
    # What docs/learning.md shows; others are named on the command line.
    variants: tuple[str, ...] = ("pass or fail", "graduated", "located")
    of_form: bool = False
    taught: float = 0.0
    first: int = 31
    family: str = "functions"
    problems: int = 8
    rate: float = 5e-4
    reads: bool = False
    mended: bool = False


_STARTS: Final = {
    "common": Start(mistakes=0.55),
    "rare": Start(mistakes=0.85),
    # Poor in form, not in knowledge: it first learns which operator each word asks for.
    "none": Start(
        mistakes=0.97,
        of_form=True,
        taught=0.4,
        # At 5e-4 most of the curves are over after 20 of 80 steps: docs/learning.md.
        rate=1e-4,
    ),
    # Without these lessons most bases never learn it, and no reward tells them.
    "unknowing": Start(mistakes=0.97),
    # All of it types; the first function is mostly right, the last one mostly wrong.
    "uneven": Start(
        mistakes=0.5,
        variants=("graduated", "rarity", "rarity at random", "graduated located", "rarity located"),
        family="uneven",
    ),
    "lists": Start(
        mistakes=0.32,
        family="lists",
    ),
    "lists-rare": Start(
        mistakes=0.65,
        taught=0.3,
        family="lists",
    ),
    "module": Start(
        mistakes=0.28,
        family="module",
    ),
    "module-rare": Start(
        mistakes=0.6,
        taught=0.3,
        family="module",
    ),
}
STARTS: Final = (
    _STARTS
    | {
        f"{name}-reading": replace(_STARTS[name], reads=True, variants=READERS)
        for name in ("rare", "none")
    }
    | {
        f"{name}-mended": replace(_STARTS[name], reads=True, mended=True, variants=(*TEACHERS,))
        for name in ("rare", "none")
    }
)
"""Success is common enough to learn from it alone, or rare, or there is next to none."""


class Variant(OCamlReward):
    """A reward whose numbers are changed after scoring."""

    def __init__(self, kind: str, seed: int, base: RewardScheme) -> None:
        """Choose the change, with random numbers of its own for the shuffled one."""
        rare_checks = kind in ("rarity", "rarity located")
        regions = kind in _LOCATED or kind in TEACHERS
        super().__init__(base, regions=regions, rare_checks=rare_checks)
        self.kind = kind
        self.rng = Random(seed)

    def __call__(self, *args: Any, **columns: Any) -> list[float | None]:
        """Score a batch, then change the rewards."""
        rewards = super().__call__(*args, **columns)
        if self.last is not None:
            # Tokens have their credit by the regions of these.
            found = self._changed(self.last.breakdowns)
            self.last = replace(self.last, breakdowns=found)
            if self.kind == "rarity at random":
                rewards = self._at_random(found)
        if self.kind == "shuffled":
            self.rng.shuffle(rewards)
        if self.kind == "random reward":
            return [None if one is None else float(self.rng.random() < 0.5) for one in rewards]
        if self.kind == "furthest phase" and self.last is not None:
            return [furthest_phase(one.verdict) for one in self.last.breakdowns]
        if self.kind in ("pass or fail", REJECTION):
            # Without the marker a solution that passes has all but its credit.
            return [None if one is None else float(one > 0.94) for one in rewards]
        return rewards

    def _at_random(self, found: Sequence[Breakdown]) -> list[float | None]:
        """Deal the weights of each problem's checks out at random among them."""
        available = self.scheme.available.tests
        weights: dict[str, list[float]] = {}
        for problem in dict.fromkeys(each.problem_id for each in found):
            weights[problem] = rarities([each for each in found if each.problem_id == problem])
            self.rng.shuffle(weights[problem])
        return [weighed(each, weights[each.problem_id], available).reward for each in found]

    def _changed(self, breakdowns: Sequence[Breakdown]) -> Sequence[Breakdown]:
        if self.kind == CONTROL:
            return of_another_program(breakdowns)
        if self.kind == "located by weights" or self.kind in TEACHERS:
            return breakdowns
        breakdowns = [replace(one, blame=None) for one in breakdowns]
        match self.kind:
            case "located at random":
                return dealt(breakdowns, self.rng)
            case "located without holes":
                return [*map(without_holes, breakdowns)]
        return breakdowns


def furthest_phase(verdict: Verdict) -> float | None:
    """Give what the furthest phase earns that code came to; None if that is not known."""
    if verdict is Verdict.UNGRADED:
        return None
    if verdict is Verdict.PASSED:
        return 1.0
    if verdict in _NOTHING:
        return 0.0
    if verdict in _PARSES:
        return 0.25
    return 0.5 if verdict in _TYPES else 0.75


def without_holes(one: Breakdown) -> Breakdown:
    """Forget what checks told of code that does not type or parse: they ran through its holes."""
    if one.verdict not in _HOLED:
        return one
    regions = one.regions or ()
    held = {each.names for each in regions if each.ground is Ground.HOLDS_ERROR}
    known = [each for each in Ground if each not in (*_TOLD, Ground.UNTESTED)]
    return replace(
        one,
        regions=tuple(
            each if each.ground in known else replace(each, ground=ground)
            for each in regions
            for ground in [Ground.HOLDS_ERROR if each.names in held else Ground.UNTESTED]
        ),
    )


def dealt(breakdowns: Sequence[Breakdown], rng: Random) -> list[Breakdown]:
    """Deal what is known of the parts out among all parts of a batch: as many are right and
    wrong as before, in the same places, but others.
    """
    known = [
        _known(number, region)
        for number, one in enumerate(breakdowns)
        for region in one.regions or ()
        if region.mark is not Mark.UNKNOWN
    ]
    order = list(Ground)
    worst: dict[Part, Ground] = {}
    for part, ground in known:
        worst[part] = min(ground, worst.get(part, ground), key=order.index)
    grounds = list(worst.values())
    rng.shuffle(grounds)
    given = dict(zip(worst, grounds, strict=True))
    return [
        replace(
            one,
            regions=tuple(
                replace(region, ground=given.get(_known(number, region)[0], region.ground))
                for region in one.regions or ()
            ),
        )
        for number, one in enumerate(breakdowns)
    ]


def of_another_program(breakdowns: Sequence[Breakdown]) -> list[Breakdown]:
    """Give each failed attempt the breakdown of the next one at another problem; one for which there
    is none keeps its own.
    """
    found: list[Breakdown] = list(breakdowns)
    failed = [at for at, one in enumerate(breakdowns) if passed(one) is False]
    for place, at in enumerate(failed):
        for other in (*failed[place + 1 :], *failed[:place]):
            if breakdowns[other].problem_id != breakdowns[at].problem_id:
                found[at] = breakdowns[other]
                break
    return found


def _known(number: int, region: Region) -> tuple[Part, Ground]:
    """Say which part of which completion a region belongs to: all of one name are one."""
    return (number, region.names or (str(region.start),)), region.ground


def scheme_of(kind: str) -> RewardScheme:
    """Give the scheme that a variant scores with."""
    base = scheme()
    if kind == "first error":
        ladder = base.type.ladder[:2]
        return replace(base, type=replace(base.type, ladder=ladder))
    if kind == "mostly tests":
        return with_overrides(base, MOSTLY_TESTS)
    if kind not in _OF_SEED and kind in ("solved", *_LOCATED):
        return replace(base, available=load("decisive").available)
    return base


def settings_of(name: str) -> tuple[str, ...]:
    """Give what a variant changes in the trainer, as KEY=VALUE."""
    kind, scale = _parted(name)
    credit = "located" if kind in _LOCATED else "sequence"
    selected = (SELECTED,) if kind == REJECTION else ()
    teaching = TEACHING if kind in TEACHERS else ()
    return (f"reward.credit={credit}", f"grpo.scale_rewards={scale}", *selected, *teaching)


def _parted(name: str) -> tuple[str, str]:
    """Part a variant's name into what it rewards and what that is divided by."""
    for scale in _SCALES:
        if name.endswith(f" by {scale}"):
            return name.removesuffix(f" by {scale}"), scale
    return name, "batch" if name in _LOCATED else "group"


def make_reward(name: str, seed: int) -> OCamlReward:
    """Make a variant by its name."""
    kind, _ = _parted(name)
    return Variant(kind, seed, scheme_of(kind))
