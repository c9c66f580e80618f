"""Sets of problems: drawn, answered by the oracle, put to the test, and kept or dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice
from typing import Final

from ocaml_reward.formats.sameness import likenesses
from ocaml_reward.model import Problem

from .assembling import assemble, chosen
from .drafts import Ask, Draft
from .drawing import Draw, is_held_out
from .measuring import LEVELS, Difficulty, measure, skeleton
from .oracle import Answer, Oracle
from .prompts import TONES, tone_of
from .registry import Family, all_families

SPLITS: Final = ("training", "held-out")
"""The two parts of every family's combinations; no problem of one is in the other."""

_CHECKS: Final = 16
_MORE_CHECKS: Final = 30
_CASES: Final = 8
_BATCH: Final = 32
# A family has come to its end when so many draws in a row brought nothing new.
_PATIENCE: Final = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """What is asked for: with the same order, the same problems.

    Attributes:
        count: How many problems, at the most.
        seed: What they are drawn from.
        families: Names of families; empty for all.
        levels: Levels of difficulty.
        tones: Tones of prompts.
        split: Which of the combinations of choices.
    """

    count: int
    seed: int = 0
    families: tuple[str, ...] = ()
    levels: tuple[str, ...] = LEVELS
    tones: tuple[str, ...] = TONES
    split: str = SPLITS[0]


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """A problem with what is known of it.

    Attributes:
        problem: The problem.
        family: The name of its family.
        topic: The family's topic.
        choices: What was picked for it.
        tone: The tone of its prompt.
        difficulty: What was counted in its reference.
    """

    problem: Problem
    family: str
    topic: str
    choices: tuple[str, ...]
    tone: str
    difficulty: Difficulty


@dataclass(frozen=True, kw_only=True, slots=True)
class Review:
    """What is wrong with a problem, "" for a good one; and calls that its tests lack."""

    defect: str = ""
    calls_not_tested: tuple[str, ...] = ()


@dataclass(slots=True)
class Tally:
    """What came of an order: how many problems were drawn, kept, and dropped, by family and
    reason.
    """

    drawn: int = 0
    kept: int = 0
    dropped: Counter[tuple[str, str]] = field(default_factory=Counter)


Reviewer = Callable[[Sequence[Problem]], Sequence[Review]]
"""Puts problems to the test."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawn:
    """A draft, and where it came from."""

    family: Family
    draft: Draft
    choices: tuple[str, ...]
    tone: str
    seed: str

    def made(self, answers: Sequence[Answer], most: int, wanted: Collection[str] = ()) -> Made:
        """Make a problem of it.

        Args:
            answers: What its tests may check.
            most: How many checks they have at the most.
            wanted: Calls that have to be among them.

        Returns:
            The problem.
        """
        if self.draft.inputs:
            most = min(most, _CASES)
            # A program that does nothing would pass a case without output.
            answers = [each for each in answers if each.value.strip()]
        problem = assemble(
            self.draft,
            chosen(answers, most, wanted),
            family=self.family.name,
            tone=self.tone,
            wording=Draw(f"{self.seed}/wording"),
        )
        return Made(
            problem=problem,
            family=self.family.name,
            topic=self.family.topic,
            choices=self.choices,
            tone=self.tone,
            difficulty=measure(self.draft.reference),
        )


def make(order: Order, oracle: Oracle, reviewer: Reviewer | None, tally: Tally) -> Iterator[Made]:
    """Make problems, none of them alike.

    Args:
        order: What is asked for.
        oracle: Tells expected results.
        reviewer: Says which are good enough; None keeps all.
        tally: Counts.

    Returns:
        The problems, of all families in turn.

    Raises:
        MachineError: The machine failed.
    """
    drawn = _in_turn(order)
    seen: set[object] = set()
    while tally.kept < order.count and (
        batch := list(islice(drawn, min(_BATCH, order.count - tally.kept)))
    ):
        for made in _reviewed(batch, oracle, reviewer, tally):
            marks = set(likenesses(made.problem))
            tally.drawn += 1
            if marks & seen:
                tally.dropped[made.family, "alike"] += 1
                continue
            seen |= marks
            tally.kept += 1
            yield made
            if tally.kept >= order.count:
                return


def _in_turn(order: Order) -> Iterator[Drawn]:
    """Yield one draft of each family, then the next of each, while they have any."""
    names = order.families or tuple(all_families())
    sources = [drafts(all_families()[name], order) for name in dict.fromkeys(names)]
    while sources:
        left = []
        for source in sources:
            if (drawn := next(source, None)) is not None:
                left.append(source)
                yield drawn
        sources = left


def drafts(family: Family, order: Order) -> Iterator[Drawn]:
    """Yield the drafts of a family that differ in more than their constants."""
    seen: set[object] = set()
    in_vain = 0
    for number in count():
        if in_vain >= _PATIENCE:
            return
        in_vain += 1
        seed = f"{order.seed}/{family.name}/{number}"
        draw = Draw(seed)
        draft = family.make(draw)
        choices = draw.choices
        shape = skeleton(draft.reference, draft.name)
        split = SPLITS[is_held_out(family.name, choices)]
        if split != order.split or seen & {choices, shape}:
            continue
        seen |= {choices, shape}
        if measure(draft.reference).level not in order.levels:
            continue
        in_vain = 0
        tone = tone_of(draft, Draw(f"{seed}/tone").choice(order.tones))
        yield Drawn(family=family, draft=draft, choices=choices, tone=tone, seed=seed)


def _reviewed(
    batch: Sequence[Drawn],
    oracle: Oracle,
    reviewer: Reviewer | None,
    tally: Tally,
) -> Iterator[Made]:
    """Yield the good ones of a batch, in order; those that lack checks get more, once."""
    answers = oracle.answers([each.draft for each in batch])
    made = [each.made(known, _CHECKS) for each, known in zip(batch, answers, strict=True)]
    if reviewer is None:
        yield from made
        return
    reviews = list(reviewer([each.problem for each in made]))
    again = [place for place, review in enumerate(reviews) if review.defect]
    drafts = [_asking_more(batch[place].draft, reviews[place]) for place in again]
    more = oracle.answers(drafts) if drafts else []
    for place, known in zip(again, more, strict=True):
        made[place] = batch[place].made(known, _MORE_CHECKS, reviews[place].calls_not_tested)
    second = list(reviewer([made[place].problem for place in again]))
    for place, review in zip(again, second, strict=True):
        reviews[place] = review
    for each, review in zip(made, reviews, strict=True):
        if review.defect:
            tally.drawn += 1
            tally.dropped[each.family, review.defect] += 1
        else:
            yield each


def _asking_more(draft: Draft, review: Review) -> Draft:
    """Return a draft whose tests also ask what a review has missed."""
    known = {ask.call for ask in draft.asks}
    calls = [call for call in review.calls_not_tested if call not in known]
    if not (draft.total and draft.asks):
        return draft
    extra = [Ask(call=call, type=draft.asks[0].type) for call in calls]
    return replace(draft, asks=(*draft.asks, *extra))
