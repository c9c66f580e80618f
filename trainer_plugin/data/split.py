"""Splits problems into training and validation, with similar problems on the same side."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from hashlib import sha256

from ocaml_reward import Problem
from ocaml_reward.formats.sameness import likenesses


def similar_problems(problems: Sequence[Problem]) -> list[list[int]]:
    """Group the indices of problems that share a prompt or tests, ignoring whitespace and case.

    Sharing is transitive: with A like B and B like C all three are one family.
    """
    parents = list(range(len(problems)))

    def root(place: int) -> int:
        while parents[place] != place:
            parents[place] = parents[parents[place]]
            place = parents[place]
        return place

    first: dict[Hashable, int] = {}
    for place, problem in enumerate(problems):
        for key in likenesses(problem):
            other = first.setdefault(key, place)
            parents[root(place)] = root(other)
    found: dict[int, list[int]] = {}
    for place in range(len(problems)):
        found.setdefault(root(place), []).append(place)
    return list(found.values())


def split(problems: Sequence[Problem], *, held_out: int, seed: int) -> tuple[list[int], list[int]]:
    """Split the indices into training and validation, with whole families on one side.

    The held-out families depend only on the seed and their text, so adding problems moves few
    others. At most `held_out` problems are taken.
    """
    ranked = sorted(similar_problems(problems), key=lambda each: _rank(problems, each, seed))
    validation: list[int] = []
    for family in ranked:
        if len(validation) + len(family) <= held_out:
            validation += family
    kept = set(validation)
    training = [place for place in range(len(problems)) if place not in kept]
    return training, sorted(validation)


def duplicates_in(training: Sequence[Problem], validation: Iterable[Problem]) -> set[int]:
    """Return the indices of training problems that have a duplicate in validation."""
    theirs = list(validation)
    both = [*training, *theirs]
    found: set[int] = set()
    for family in similar_problems(both):
        if any(place >= len(training) for place in family):
            found |= {place for place in family if place < len(training)}
    return found


def _rank(problems: Sequence[Problem], family: list[int], seed: int) -> str:
    """Return the sort key that draws a family's side."""
    texts = sorted(problems[place].prompt for place in family)
    return sha256(f"{seed}\n{texts[0]}".encode()).hexdigest()
