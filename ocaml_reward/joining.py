"""
Which of the fenced blocks of a completion are its answer.

They are read as OCaml reads definitions one after the other: a later one replaces an earlier
one of the same name, and a name means the nearest one before it.  What nothing leads to from
the names that are asked for is left out, as examples of use and tests are.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby

from .bodies import body_of
from .definitions import Definition, definitions
from .fences import Block
from .lexing import Source
from .likeness import is_whole

__all__ = ["answer"]

# More than anybody writes; completions of more blocks are answered by one of them.
_MOST_BLOCKS = 200
# How far modules within modules are looked into.
_DEPTH = 5
_OPENS = re.compile(r"(?:\s*open\b!?\s*[A-Z][\w'.]*\s*(?:;;)?)+\s*")
# A name in use; of a path only what it begins with.
_USED = re.compile(
    r"(?<![\w'])(?:([A-Z][\w']*)(?:\s*\.\s*[A-Za-z_][\w']*)*|([a-z_][\w']*))"
)
_PARAMETER = re.compile(r"(?<![\w'])'([a-z_]\w*)")
# Read by `definitions` as names where they stand in a head.
_KEYWORDS = frozenset(("nonrec", "private", "type", "virtual"))


def answer(
    blocks: Sequence[Block], codes: Sequence[Source], wanted: frozenset[str]
) -> tuple[int, ...]:
    """
    Return the places of the blocks that are the answer when read together; there is at
    least one block.  `codes` are what is in them.
    """
    alone = _alone(codes, wanted)
    if not 1 < len(blocks) <= _MOST_BLOCKS:
        return (alone,)
    parts = [_Part(*pair) for pair in zip(codes, blocks, strict=True)]
    book = _Book(parts, wanted)
    found = [book.meanings[name] for name in wanted if name in book.meanings]
    if not wanted:
        found = [_acting(parts, book, alone)]
    places = sorted(book.leads_to(found))
    if not places or not all(parts[place].is_whole for place in places[:-1]):
        return (alone,)
    return tuple(places)


def _alone(codes: Sequence[Source], wanted: frozenset[str]) -> int:
    """
    Find the one block that defines most of what is wanted, or else the longest.
    """

    def rank(place: int) -> tuple[int, int]:
        known = len(wanted & codes[place].outline.names) if wanted else 0
        return known, 0 if known else len(codes[place].text)

    return max(range(len(codes)), key=rank)


def _acting(parts: Sequence[_Part], book: _Book, place: int) -> int:
    """
    Find what runs the definitions of a block which itself does nothing.
    """
    if parts[place].acts:
        return place
    later = range(place + 1, len(parts))
    acting = (at for at in later if parts[at].acts and parts[at].is_whole)
    return next((at for at in acting if place in book.leads_to([at])), place)


class _Part:
    """
    A block, looked at when something asks for it.
    """

    def __init__(self, source: Source, block: Block) -> None:
        """
        Look at nothing yet.
        """
        self.source = source
        self._closed = block.closed

    @cached_property
    def is_whole(self) -> bool:
        """
        Whether other code may stand before and behind it.
        """
        return self._closed and is_whole(self.source)

    @cached_property
    def items(self) -> list[Definition]:
        """
        The definitions at its top.
        """
        return definitions(self.source.blank)

    @property
    def acts(self) -> bool:
        """
        Whether it does something besides defining names.
        """
        return any(
            item.kind in ("let", ";;") and not item.names and item.text.strip("; \n")
            for item in self.items
        )

    @property
    def only_opens(self) -> bool:
        """
        Whether all of it is there for what comes behind it.
        """
        return bool(_OPENS.fullmatch(self.source.blank))

    def defined(self) -> Iterator[tuple[str, Definition]]:
        """
        Yield the names that it defines, constructors and fields among them.
        """
        for item in self.items:
            parameters = _PARAMETER.findall(item.text) if item.kind == "type" else ()
            for name in item.names - _KEYWORDS - set(parameters):
                yield name, item

    def written(self, item: Definition) -> str:
        """
        Return a definition without comments and layout.
        """
        return " ".join(self.source.bare[item.start : item.end].split())

    def uses(self) -> set[str]:
        """
        Find the names that it takes from what stands before it.
        """
        return _uses(self.items)


def _uses(items: Iterable[Definition], depth: int = 0) -> set[str]:
    known: set[str] = set()
    needed: set[str] = set()
    for _, group in groupby(items, key=lambda item: item.group):
        members = list(group)
        own = frozenset[str]().union(*(item.names for item in members))
        recursive = any(item.recursive for item in members)
        for item in members:
            needed |= _free(item, depth) - known - (own if recursive else set())
        known |= own
    return needed


def _free(item: Definition, depth: int) -> set[str]:
    """
    Find the names in a definition that are not bound within it.
    """
    if item.kind == "module" and depth < _DEPTH:
        head, _, inside = item.text.partition("struct")
        return _used(head) | _uses(definitions(inside), depth + 1)
    used = _used(item.text)
    # Once in its own head; a second time it is what that name was before.
    used -= {name for name in item.names if item.words[name] < 2}
    body = body_of(item.text)
    if body is None and item.kind == "let":
        body = body_of(f"let _ ={item.text.partition('=')[2]}")
    if body is not None:
        used -= body.takes
        for local in body.locals:
            used -= local.names
    return used


def _used(text: str) -> set[str]:
    return {found[1] or found[2] for found in _USED.finditer(text)}


class _Book:
    """
    What is defined where.  `meanings` has the place that each name has at the end.
    """

    def __init__(self, parts: Sequence[_Part], wanted: frozenset[str]) -> None:
        """
        Read all blocks in their order.
        """
        self.meanings: dict[str, int] = {}
        self._parts = parts
        # By name, the blocks that give it a meaning, in their order.
        self._givers: dict[str, list[int]] = {}
        self._written: dict[str, tuple[_Part, Definition]] = {}
        for place, part in enumerate(parts):
            self._read(place, part, wanted)

    def leads_to(self, places: Iterable[int]) -> set[int]:
        """
        Add the blocks whose definitions some blocks use, and those that open modules for
        them.
        """
        found = set(places)
        waiting = sorted(found)
        while waiting:
            place = waiting.pop()
            for name in self._parts[place].uses():
                givers = self._givers.get(name, [])
                if before := bisect_left(givers, place):
                    if givers[before - 1] not in found:
                        waiting.append(givers[before - 1])
                    found.add(givers[before - 1])
        last = max(found, default=0)
        return found | {at for at in range(last) if self._parts[at].only_opens}

    def _read(self, place: int, part: _Part, wanted: frozenset[str]) -> None:
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

    def _changes(self, part: _Part) -> bool:
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
