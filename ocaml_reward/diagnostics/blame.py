"""
Where the mistake of a program that does not type is: the places that could be wrong, ranked.

A candidate is an expression with which as a hole, of any type, its top-level item types, or fails
further on (`errors/blame.ml`).  How likely one is follows from what it is, where it lies from the
place that ocamlc names, and the types that clash there: a sum of weights, one for each feature
that it has, and a softmax over the candidates of an error.  The weights were learned from the
programs of students whose repairs are known (`python -m benchmarks.blame --train`).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

__all__ = ["MOST", "Candidate", "Clash", "Suspicion", "features", "ranked", "read"]

MOST: Final = 10
"""
So many places of a program are told at most.
"""

LATER: Final = 0.7
"""
What the next error counts for in this order: students seldom change what only shows once another
error is out of the way.
"""

_CLASH = re.compile(
    r"has type (.*?) but an expression was expected of type (.*?)(?: The type| Type| Hint:|$)"
)
_ERRORS: Final = (
    ("Unbound", "unbound"),
    ("This expression has type", "clash"),
    ("applied to too many", "too many arguments"),
    ("This function has type", "too many arguments"),
    ("not a function", "no function"),
    ("This pattern", "pattern"),
    ("The constructor", "constructor"),
)
_SCALARS = frozenset(("int", "float", "string", "bool", "char", "unit"))


class Candidate(NamedTuple):
    """
    A place in bytes, what stands there, what it is to the expression around it and what that is;
    in how many candidates it lies, whether its item types with a hole there, and with a hole in
    how many of its parts.
    """

    start: int
    stop: int
    shape: str
    role: str
    around: str
    depth: int
    types: bool
    parts: int


class Clash(NamedTuple):
    """
    The first error of an item: its place in bytes, its words, and what could be wrong.
    """

    start: int
    stop: int
    words: str
    candidates: tuple[Candidate, ...]


class Suspicion(NamedTuple):
    """
    A place in bytes, and how likely the mistake is there: for each error these sum to 1.
    """

    start: int
    stop: int
    weight: float


def read(text: str) -> tuple[Clash, ...]:
    """
    Read what the engine found.  Raises ValueError for another text.
    """
    return tuple(_clash(block.split("\n")) for block in text.split("\n\n") if block)


def ranked(
    clashes: Sequence[Clash], weights: Mapping[str, float] | None = None
) -> tuple[Suspicion, ...]:
    """
    Rank the candidates of all errors, the most likely first, at most ten of them.
    """
    known = _weights() if weights is None else weights
    found = [
        (place, Suspicion(candidate.start, candidate.stop, weight))
        for place, clash in enumerate(clashes)
        for candidate, weight in _likely(clash, known)
    ]
    found.sort(key=lambda each: (-each[1].weight * LATER ** each[0], *each[1][:2]))
    del found[MOST:]
    sums: dict[int, float] = {}
    for place, each in found:
        sums[place] = sums.get(place, 0.0) + each.weight
    return tuple(
        each._replace(weight=round(each.weight / sums[place], 4))
        for place, each in found
    )


def features(clash: Clash) -> Iterator[tuple[Candidate, list[str]]]:
    """
    Name the features of each candidate.
    """
    shown = clash.candidates
    sizes = sorted(each.stop - each.start for each in shown if each.types)
    error = next((kind for words, kind in _ERRORS if words in clash.words), "other")
    types = _CLASH.search(clash.words)
    clashing = f"{_kind(types[1])}/{_kind(types[2])}" if types else "-"
    for each in shown:
        size = each.stop - each.start
        side = _side(each, clash)
        order = min(sizes.index(size), 4) if each.types else "-"
        own, role = each.shape, each.role
        yield (
            each,
            [
                f"side {side}",
                f"{error}, side {side}",
                f"types {each.types}, side {side}",
                f"{own} as {role}",
                f"{role} of {each.around}",
                f"{error}, {own}",
                f"{own}, side {side}",
                f"{role}, side {side}",
                f"size {int(2 * math.log2(size + 1))}",
                f"order {order}",
                f"{clashing}, side {side}",
                f"{clashing}, {own}, side {side}",
                f"{clashing}, {role} of {each.around}",
                f"{error}, {role} of {each.around}, side {side}",
                f"distance {_distance(each, clash)}",
                f"parts {min(each.parts, 3)}, types {each.types}",
                f"depth {min(each.depth, 12)}",
                f"alone {len(sizes) == 1 and each.types}",
            ],
        )


def _likely(
    clash: Clash, weights: Mapping[str, float]
) -> list[tuple[Candidate, float]]:
    scored = [
        (each, sum(weights.get(name, 0.0) for name in named))
        for each, named in features(clash)
    ]
    if not scored:
        # Nothing but the place that the compiler names.
        at = Candidate(clash.start, clash.stop, "", "", "", 0, types=False, parts=0)
        return [(at, 1.0)]
    most = max(score for _, score in scored)
    powers = [(each, math.exp(score - most)) for each, score in scored]
    total = sum(power for _, power in powers)
    return [(each, power / total) for each, power in powers]


def _clash(lines: Sequence[str]) -> Clash:
    start, stop, words = lines[0].split("\t")
    return Clash(int(start), int(stop), words, tuple(map(_candidate, lines[1:])))


def _candidate(line: str) -> Candidate:
    start, stop, shape, role, around, depth, effect, parts = line.split("\t")
    return Candidate(
        *(int(start), int(stop), shape, role, around, int(depth)),
        types=effect == "types",
        parts=int(parts),
    )


def _side(each: Candidate, clash: Clash) -> str:
    """
    Say where a place lies from the one that the compiler names.
    """
    if (each.start, each.stop) == (clash.start, clash.stop):
        return "same"
    if clash.start <= each.start and each.stop <= clash.stop:
        return "within"
    if each.start <= clash.start and clash.stop <= each.stop:
        return "around"
    return "before" if each.start < clash.start else "behind"


def _distance(each: Candidate, clash: Clash) -> str:
    gap = max(clash.start - each.stop, each.start - clash.stop)
    return str(int(math.log2(gap + 1))) if gap >= 0 else "-"


def _kind(written: str) -> str:
    """
    Reduce a type to what it is at its top.
    """
    written = written.strip()
    if "->" in written:
        return "function"
    if written in _SCALARS:
        return written
    if written.endswith(" list"):
        return "list"
    if " * " in written:
        return "tuple"
    return "variable" if written.startswith("'") else "other"


@cache
def _weights() -> Mapping[str, float]:
    text = files(__package__).joinpath("blame_weights.json").read_text(encoding="utf-8")
    loaded: dict[str, float] = json.loads(text)
    return loaded
