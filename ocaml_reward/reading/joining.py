"""
Which of the fenced blocks of a completion are its answer.

They are read as OCaml reads definitions one after the other: a later one replaces an earlier
one of the same name, and a name means the nearest one before it.  What nothing leads to from
the names that are asked for is left out, as examples of use and tests are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from .definitions import Definition
from .fences import Block
from .lexing import Source
from .likeness import is_whole
from .origins import Ranges
from .parts import Part

__all__ = ["Answer", "answer"]

# More than anybody writes; completions of more blocks are answered by one of them.
_MOST_BLOCKS = 200


class Answer(NamedTuple):
    """
    The pieces of code that are the answer, the places of their blocks, and the parts of
    each block that are in its piece; None for all of it.
    """

    codes: tuple[Source, ...]
    places: tuple[int, ...]
    kept: tuple[Ranges | None, ...]

    @property
    def last(self) -> int:
        """
        The place of the last block in it.
        """
        return self.places[-1]


def answer(
    blocks: Sequence[Block], codes: Sequence[Source], wanted: frozenset[str]
) -> Answer:
    """
    Find the blocks that are the answer when read together; there is at least one block.
    `codes` are what is in them.
    """
    alone = _alone(codes, wanted)
    by_itself = Answer((codes[alone],), (alone,), (None,))
    if not 1 < len(blocks) <= _MOST_BLOCKS:
        return by_itself
    parts = [
        Part(code, is_whole=block.closed and is_whole(code))
        for block, code in zip(blocks, codes, strict=True)
    ]
    book = _Book(parts, wanted)
    if wanted:
        found = {book.meanings[name] for name in wanted & book.meanings.keys()}
    else:
        found = {_acting(parts, book, alone)}
    if not found and parts[alone].is_whole:
        # The answer under another name.
        found = {alone}
    places = sorted(book.leads_to(found))
    if not places or not all(parts[place].is_whole for place in places[:-1]):
        return by_itself
    chosen = [parts[place] for place in places]
    kept = _without_drafts(chosen)
    sources = (part.only(ranges) for part, ranges in zip(chosen, kept, strict=True))
    return Answer(tuple(sources), tuple(places), kept)


def _alone(codes: Sequence[Source], wanted: frozenset[str]) -> int:
    """
    Find the one block that defines most of what is wanted, or else the longest.
    """

    def rank(place: int) -> tuple[int, int]:
        known = len(wanted & codes[place].outline.names) if wanted else 0
        return known, 0 if known else len(codes[place].text)

    return max(range(len(codes)), key=rank)


def _acting(parts: Sequence[Part], book: _Book, place: int) -> int:
    """
    Find what runs the definitions of a block which itself does nothing.
    """
    if parts[place].acts:
        return place
    leading = {place}
    for at in range(place + 1, len(parts)):
        if parts[at].is_whole and not leading.isdisjoint(book.sources(at)):
            if parts[at].acts:
                return at
            leading.add(at)
    return place


def _without_drafts(parts: Sequence[Part]) -> tuple[Ranges | None, ...]:
    """
    Take out of each part what later ones define again, unless it is used until then: tell
    what of it is left.
    """
    kept: list[Ranges | None] = []
    replaced: set[str] = set()
    for part in reversed(parts):
        kept.append(part.without(replaced) if replaced else None)
        replaced |= {name for name, _ in part.defined()}
        replaced -= part.uses
    return tuple(reversed(kept))


class _Book:
    """
    What is defined where.  `meanings` has the place that each name wanted has at the end.
    """

    def __init__(self, parts: Sequence[Part], wanted: frozenset[str]) -> None:
        """
        Read all blocks in their order.
        """
        self.meanings: dict[str, int] = {}
        self._parts = parts
        # By name, the blocks that give it a meaning, in their order.
        self._givers: dict[str, list[int]] = {}
        self._written: dict[str, tuple[Part, Definition]] = {}
        for place, part in enumerate(parts):
            self._read(place, part, wanted)

    def sources(self, place: int) -> set[int]:
        """
        Find the blocks whose definitions a block uses.
        """
        givers = (self._giver(name, place) for name in self._parts[place].uses)
        return {giver for giver in givers if giver is not None}

    def leads_to(self, places: Collection[int]) -> set[int]:
        """
        Add the blocks whose definitions some blocks use, and those before them that are
        there for all: modules opened, types and exceptions declared.
        """
        last = max(places, default=0)
        found = set(places) | {at for at in range(last) if self._is_for_all(at, last)}
        waiting: Iterable[int] = sorted(found)
        while waiting := set[int]().union(*map(self.sources, waiting)) - found:
            found |= waiting
        return found

    def _giver(self, name: str, place: int) -> int | None:
        givers = self._givers.get(name, [])
        before = bisect_left(givers, place)
        return givers[before - 1] if before else None

    def _is_for_all(self, place: int, last: int) -> bool:
        part = self._parts[place]
        if not part.is_whole or not part.only_declares:
            return part.only_opens
        return all(self._giver(name, last + 1) == place for name, _ in part.defined())

    def _read(self, place: int, part: Part, wanted: frozenset[str]) -> None:
        asked = wanted & part.source.outline.names
        # What has more of the answer than stood before has all that it repeats, too.
        more = not asked <= self.meanings.keys()
        replaces = part.is_whole and (more or self._changes(part))
        for name in asked:
            if replaces or name not in self.meanings:
                self.meanings[name] = place
        if not part.is_whole:
            return
        for name, item in part.defined():
            givers = self._givers.setdefault(name, [])
            if replaces or not givers:
                if givers[-1:] != [place]:
                    givers.append(place)
                self._written[name] = part, item

    def _changes(self, part: Part) -> bool:
        """
        Tell whether a definition is another one than before, and no quotation of it.
        """
        for name, item in part.defined():
            if name not in self._written:
                if name in self.meanings:
                    return True
                continue
            before, old = self._written[name]
            if old.kind != item.kind or part.written(item) not in before.written(old):
                return True
        return False
