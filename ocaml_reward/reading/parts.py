"""
A block of an answer in several: what it defines, what it takes from the blocks before it, and
whether it does anything, told without a parser.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import groupby

from .bodies import body_of
from .definitions import WORD, Definition, definitions
from .lexing import Source
from .origins import Ranges

__all__ = ["Part"]

# How far modules within modules are looked into.
_DEPTH = 5
_OPENS = re.compile(r"(?:\s*(?:open\b!?|include\b)\s*[A-Z][\w'.]*\s*(?:;;)?)+\s*")
# A name in use; of a path only what it begins with.
_USED = re.compile(
    r"(?<![\w'])(?:([A-Z][\w']*)(?:\s*\.\s*[A-Za-z_][\w']*)*"
    r"|((?:let|and)[$&*+\-/:<=>@^|]++|[a-z_][\w']*))|([!$%&*+\-./:<=>?@^|~#]++)"
)
# Part of every definition.
_SIGNS = frozenset(("=", "->", "|", ":", "."))
_PARAMETER = re.compile(r"(?<![\w'])'([a-z_]\w*)")
# Read by `definitions` as names where they stand in a head.
_KEYWORDS = frozenset(("nonrec", "private", "type", "virtual"))
_DECLARATIONS = frozenset(("type", "exception"))


class Part:
    """
    A block, looked at when something asks for it.
    """

    def __init__(self, source: Source, *, is_whole: bool) -> None:
        """
        Look at nothing yet.  `is_whole` says that other code may stand around it.
        """
        self.source = source
        self.is_whole = is_whole

    @cached_property
    def uses(self) -> frozenset[str]:
        """
        The names that it takes from what stands before it.
        """
        return frozenset(_uses(self._items))

    @property
    def acts(self) -> bool:
        """
        Whether it does something besides defining names.
        """
        return any(
            item.kind in ("let", ";;") and not item.names and item.text.strip("; \n")
            for item in self._items
        )

    @property
    def only_opens(self) -> bool:
        """
        Whether all of it opens modules for what comes behind it.
        """
        return bool(_OPENS.fullmatch(self.source.without_literals))

    @property
    def only_declares(self) -> bool:
        """
        Whether all of it is types and exceptions, which may be meant for whoever calls.
        """
        return all(item.kind in _DECLARATIONS for item in self._items)

    def defined(self) -> Iterator[tuple[str, Definition]]:
        """
        Yield the names that it defines, constructors and fields among them.
        """
        for item in self._items:
            for name in _names(item):
                yield name, item

    def written(self, item: Definition) -> str:
        """
        Return a definition without comments and layout.
        """
        return " ".join(self.source.without_comments[item.start : item.end].split())

    def only(self, ranges: Ranges | None) -> Source:
        """
        Return what stands at some ranges; None for all of it.
        """
        if ranges is None:
            return self.source
        text = self.source.text
        return Source("".join(text[start:stop] for start, stop in ranges))

    def spare(self, own: Collection[str]) -> frozenset[str]:
        """
        Return the names of what it defines that `own` does not define again.
        """
        gives = (frozenset[str]().union(*map(_names, each)) for each in self._groups)
        return frozenset[str]().union(*(some for some in gives if some.isdisjoint(own)))

    def without(self, replaced: Collection[str]) -> Ranges:
        """
        Leave out the definitions of which nothing is left: all that they define is replaced
        later, and nothing else in the block uses it.  Tell where the rest stands.
        """
        groups = self._groups
        free = [set[str]().union(*(_free(item) for item in group)) for group in groups]
        users = Counter(name for names in free for name in names)
        pieces: list[tuple[int, int]] = []
        done = 0
        for group, used in zip(groups, free, strict=True):
            names = set[str]().union(*map(_names, group))
            others = any(users[name] > (name in used) for name in names)
            if names and not others and names <= set(replaced):
                pieces.append((done, group[0].start))
                done = group[-1].end
        return [*pieces, (done, len(self.source.text))]

    def leading_to(self, names: Collection[str], own: Collection[str]) -> Ranges:
        """
        Find the definitions of some names and what these use, where they stand.  Those of
        `own` have another meaning there, and lead to nothing.
        """
        needed = set(names)
        pieces: list[tuple[int, int]] = []
        opened: list[tuple[int, int]] = []
        for group in reversed(self._groups):
            stands = (group[0].start, group[-1].end)
            gives = set[str]().union(*map(_names, group))
            if group[0].kind in ("open", "include"):
                opened.append(stands)
            elif gives & needed and (pieces or gives.isdisjoint(own)):
                pieces.append(stands)
                needed |= set[str]().union(*(_free(item) for item in group))
        return sorted([*pieces, *opened]) if pieces else []

    @cached_property
    def _groups(self) -> list[list[Definition]]:
        """
        What is defined together, by `and`.
        """
        return [list(group) for _, group in groupby(self._items, key=_group)]

    @cached_property
    def _items(self) -> list[Definition]:
        return definitions(self.source.without_literals)


def _group(item: Definition) -> int:
    return item.group


def _names(item: Definition) -> set[str]:
    parameters = _PARAMETER.findall(item.text) if item.kind == "type" else ()
    return set(item.names) - _KEYWORDS - set(parameters)


def _uses(items: Iterable[Definition], depth: int = 0) -> set[str]:
    known: set[str] = set()
    needed: set[str] = set()
    for _, group in groupby(items, key=_group):
        members = list(group)
        own = set[str]().union(*(item.names for item in members))
        recursive = any(item.recursive for item in members)
        for item in members:
            needed |= _free(item, depth) - known - (own if recursive else set())
        known |= own
    return needed


def _free(item: Definition, depth: int = 0) -> set[str]:
    """
    Find the names in a definition that are not bound within it.
    """
    if item.kind == "module" and depth < _DEPTH:
        head, _, inside = item.text.partition("struct")
        # `module S : T = S` is made of another one of its name.
        counts = Counter(WORD.findall(head))
        used = _used(head) - {name for name in item.names if counts[name] < 2}
        return used | _uses(definitions(inside), depth + 1)
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
    return {found[1] or found[2] or found[3] for found in _USED.finditer(text)} - _SIGNS
