"""Computes an advantage for each token of a batch's completions, without any trainer.

    placed = [
        place(breakdown, tokens, text=text, decoded=decoded)
        for breakdown, tokens, text, decoded in ...
    ]
    found = located_advantages(placed, groups=problem_ids)
    found.advantages[0]     # one number for each token of the first completion

Breakdowns are those of a `Grader(regions=True)`. What `place` returns is small and needs neither
text nor tokens, so a trainer may place a completion in one process and compute its advantages with
those of its group in another.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from ocaml_reward import Breakdown, Ground

from .credit import (
    Comparison,
    Credit,
    Part,
    Ranges,
    TokenPlace,
    compare_groups,
    divisor,
    error_candidates,
    known_parts,
    spread,
    token_credits,
    token_places,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedCompletion:
    """What the advantages of a completion's tokens depend on, besides the others of its group.

    Attributes:
        reward: The reward of the completion; None if it could not be graded.
        parts: The parts of its code.
        tokens: The place of each token.
        is_placed: Whether the tokens could be placed; if not, none belongs to a part.
    """

    reward: float | None
    parts: tuple[Part, ...]
    tokens: tuple[TokenPlace, ...]
    is_placed: bool = True

    def to_json(self) -> str:
        """Write it as JSON, with consecutive tokens of the same place as one item."""
        runs = [[len(list(run)), *at] for at, run in groupby(self.tokens)]
        return json.dumps(
            {
                "reward": self.reward,
                "parts": self.parts,
                "tokens": runs,
                "is_placed": self.is_placed,
            },
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, text: str) -> PlacedCompletion:
        """Read what `to_json` has written."""
        read = json.loads(text)
        return cls(
            reward=read["reward"],
            parts=tuple(Part(Ground(ground), tuple(names)) for ground, names in read["parts"]),
            tokens=tuple(
                TokenPlace(part, share)
                for count, part, share in read["tokens"]
                for _ in range(count)
            ),
            is_placed=read["is_placed"],
        )


def place(
    breakdown: Breakdown, tokens: Ranges | int, *, text: str, decoded: str | None = None
) -> PlacedCompletion:
    """Place the tokens of a completion in the parts of its code.

    Args:
        breakdown: The breakdown, with regions.
        tokens: The characters of each token in the decoded text; or only the number of tokens, if
            their characters are unknown.
        text: The text that was scored.
        decoded: The text of the tokens, by default the one that was scored. That may be a part of
            it: if it occurs more than once, the last one is meant.

    Returns:
        The completion. If its tokens' characters are unknown, or the scored text is not in the
        decoded one, none of its tokens belongs to a part.
    """
    regions = breakdown.regions or ()
    shift = (text if decoded is None else decoded).rfind(text)
    if isinstance(tokens, int) or shift < 0:
        count = tokens if isinstance(tokens, int) else len(tokens)
        places, is_placed = [TokenPlace()] * count, False
    else:
        candidates = error_candidates(breakdown) if breakdown.blame else None
        places = token_places(tokens, regions, shift=shift, candidates=candidates)
        is_placed = True
    return PlacedCompletion(
        reward=breakdown.reward,
        parts=tuple(Part(each.ground, each.names) for each in regions),
        tokens=tuple(places),
        is_placed=is_placed,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class LocatedAdvantages:
    """The advantages of a batch: for each completion one number per token.

    `causes` has the cause of each token's regional credit, None where it has none.
    """

    advantages: list[list[float]]
    causes: list[list[str | None]]


def located_advantages(
    completions: Sequence[PlacedCompletion],
    groups: Sequence[Hashable],
    *,
    share: float = 0.5,
    scale: str = "group",
    own: Sequence[float] | None = None,
) -> LocatedAdvantages:
    """Compute the advantages of a batch's tokens.

    Args:
        completions: The completions, with whole groups.
        groups: The group of each, such as the id of its prompt.
        share: The share of a token's advantage that depends on its part, 0 to 1.
        scale: The divisor of differences: the standard deviation in the `group`, in the whole
            `batch`, or `none`.
        own: The advantage of each completion as a whole; by default `group_advantages` of the
            rewards.

    Raises:
        ValueError: The scale is unknown or the share is out of range.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share: from 0 to 1, found {share:g}")
    if own is None:
        own = group_advantages([each.reward for each in completions], groups, scale=scale)
    known = [known_parts(each.parts) for each in completions]
    comparisons = compare_groups(known, groups, scale=scale)
    found = credits_of(completions, [comparisons[each] for each in groups], own, share=share)
    return LocatedAdvantages(
        advantages=[[one.advantage for one in each] for each in found],
        causes=[[one.cause for one in each] for each in found],
    )


def credits_of(
    completions: Iterable[PlacedCompletion],
    comparisons: Iterable[Comparison],
    own: Iterable[float],
    *,
    share: float,
) -> list[list[Credit]]:
    """Compute the credit of each token of completions.

    Args:
        completions: The completions, which need not be whole groups.
        comparisons: The comparison of each completion's group.
        own: The advantage of each completion as a whole.
        share: The share of a token's advantage that depends on its part, 0 to 1.
    """
    return [
        token_credits(each.tokens, each.parts, comparison, advantage=advantage, share=share)
        for each, comparison, advantage in zip(completions, comparisons, own, strict=True)
    ]


def group_advantages(
    rewards: Sequence[float | None], groups: Sequence[Hashable], *, scale: str = "group"
) -> list[float]:
    """Compute the advantages of completions as a whole, as TRL does.

    A completion without a reward has an advantage of 0 and does not count in its group.

    Raises:
        ValueError: The scale is unknown.
    """
    members: dict[Hashable, list[float]] = {}
    for group, reward in zip(groups, rewards, strict=True):
        if reward is not None:
            members.setdefault(group, []).append(reward)
    whole = spread([each for each in rewards if each is not None])
    bases = {
        group: (statistics.fmean(found), divisor(scale, spread(found), whole))
        for group, found in members.items()
    }
    return [
        0.0 if reward is None else (reward - bases[group][0]) / bases[group][1]
        for group, reward in zip(groups, rewards, strict=True)
    ]
