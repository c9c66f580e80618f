"""
Which lines of code an answer needs, told without a parser: definitions that nothing
leads to from the names that are asked for fill lines, and do not count as any.

Generous where the code is broken or odd: what cannot be told counts.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache

from .definitions import WORD, Definition, definitions
from .lexing import Source
from .passing import Passing, of_use, passing_line

__all__ = ["lines_of_substance", "touches"]

# One in so many words of a program's names is asked for, where none of them is a name that is.
_SHARED_PART = 10
# Names of either side that are compared for their spelling, each with each, and how
# long they are at most: a comparison may take the product of their lengths.
_MOST_CANDIDATES = 100
_LONGEST_CANDIDATE = 40
# Operators that are looked for in all that is needed, each by itself.
_MOST_OPERATORS = 50
_LONGEST_OPERATOR = 16
_DEFINED = re.compile(
    r"\b(?:let|and|type|module|class|method|exception|external)!?\s+"
    r"(?:(?:rec|nonrec|private|virtual|type)\s+|[+-]?'\w+\s+|\([^()]{0,80}\)\s*)*"
    r"([A-Za-z_][\w']*)"
)
_DECLARED = re.compile(
    r"\b(?:val|let|rec|and|type)\s+([a-z_][\w']*)"
    # Not from the middle of a name on, which a prime would make a boundary.
    r"|\b(?<!\w')([a-z_][\w']*+)`?\s*+:(?![:=])"
)
_PART = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}")
_IDLE = re.compile(r"(?:;|\(\s*\)|ignore\b|\s)*")


def touches(code: str, wanted: frozenset[str], *, broken: bool = False) -> bool:
    """
    Tell whether code has anything to do with `wanted`: it defines something, at any
    depth, with a word in common, which is one of ten in its names at least.  In `broken`
    code any word may be a definition.

    Short words tell nothing, nor does a module's name, whose contents may have been
    written without it; where there are no others, the answer is yes.
    """
    asked = [_parts(name) for name in wanted if not name[:1].isupper()]
    if not asked or len(asked) < len(wanted) or not all(asked):
        return True
    words = set((WORD if broken else _DEFINED).findall(code))
    if words & wanted:
        return True
    found = {part for word in words for part in _parts(word)}
    shared = set().union(*asked) & found
    # Who has a word for everybody means nobody.  Broken code has words of all kinds.
    return bool(shared) and (broken or len(shared) * _SHARED_PART >= len(found))


def lines_of_substance(
    source: Source,
    wanted: frozenset[str],
    prompt: str = "",
    *,
    mistakes: Collection[int] | None = None,
    enough: int | None = None,
) -> int:
    """
    Count the lines that the definitions of `wanted` need, and of what else the prompt
    declares: theirs, and those of what they lead to.

    All lines count where nothing is asked for, or nothing of it is found.

    `mistakes` are the lines, from 1, on which code that does not type is wrong.  There
    a name that nothing defines may be one misspelt, and a definition with a mistake
    counts: it has cost what a mistake costs, and pads nothing.

    The count may end at `enough` lines.
    """
    if not wanted:
        return len(source.lines)
    blank = source.blank
    items = definitions(blank)
    roots = _roots(items, wanted)
    if not roots:
        return len(source.lines)
    # Most answers are long enough by themselves.
    if enough is not None and _count(source, roots, enough) >= enough:
        return enough
    declared = _declared(prompt) - wanted
    roots += [item for item in items if declared & item.names]
    needs = _Needs(items, wanted)
    needs.mark(roots)
    if mistakes is not None:
        needs.mark(_misspelt(items, wanted))
        needs.mark(_mistaken(items, mistakes, blank))
    for item in items:
        # What is done to a thing that the answer reads is part of the answer.
        if not item.names and _effect(item) and item.words.keys() & needs.names:
            needs.mark([item])
    # What is opened is one line, however much it is.
    opened = any(item.kind == "open" for item in items)
    return opened + _count(source, [item for item in items if item.needed], enough)


def _parts(name: str) -> set[str]:
    return {part.lower() for part in _PART.findall(name) if len(part) > 2}


@lru_cache(maxsize=256)
def _declared(prompt: str) -> frozenset[str]:
    return frozenset(name for pair in _DECLARED.findall(prompt) for name in pair)


def _effect(item: Definition) -> bool:
    return item.kind in ("let", ";;", "include")


def _roots(items: Sequence[Definition], wanted: frozenset[str]) -> list[Definition]:
    roots: list[Definition] = []
    for name in wanted:
        defining = [item for item in items if name in item.names]
        # Defined further in, if at all: whatever mentions it.
        roots += defining[-1:] or [item for item in items if name in item.words]
        # A draft before the answer, unless it is the answer again.
        roots += [item for item in defining[-2:-1] if item.words != defining[-1].words]
    return roots


class _Needs:
    """
    What an answer needs of the definitions at the top, found in one pass over them.

    `names` are those of what is needed so far, without the names that are asked for.
    """

    def __init__(self, items: Sequence[Definition], wanted: frozenset[str]) -> None:
        """
        Look at what each item defines; nothing is needed yet.
        """
        self.names: set[str] = set()
        self._wanted = wanted
        # By name, the groups that define it in their order, and for each what does.
        self._groups: dict[str, list[int]] = {}
        self._defining: dict[tuple[str, int], list[Definition]] = {}
        for item in items:
            for name in item.names:
                groups = self._groups.setdefault(name, [])
                if groups[-1:] != [item.group]:
                    groups.append(item.group)
                self._defining.setdefault((name, item.group), []).append(item)
        operators = [name for name in self._groups if not WORD.match(name)]
        short = [name for name in operators if len(name) <= _LONGEST_OPERATOR]
        self._operators = short[:_MOST_OPERATORS]

    def mark(self, roots: Iterable[Definition]) -> None:
        """
        Mark what the roots lead to.  A name means the nearest definition before it, or
        one joined by `and`.
        """
        waiting = list(roots)
        while waiting:
            item = waiting.pop()
            if item.needed:
                continue
            item.needed = True
            self.names |= item.names - self._wanted
            used = [op for op in self._operators if op in item.text]
            for name in (*item.words, *used):
                if name in item.names and (item.words[name] < 2 or item.recursive):
                    continue
                if name in self._groups:
                    waiting += self._meant(name, item.group)

    def _meant(self, name: str, group: int) -> Iterator[Definition]:
        # Taken out: once they wait, they need not be found again from the next item.
        yield from self._defining.pop((name, group), ())
        groups = self._groups[name]
        if place := bisect_left(groups, group):
            before = self._defining.get((name, groups[place - 1]), ())
            yield from before[-1:]


def _misspelt(items: Sequence[Definition], wanted: Iterable[str]) -> list[Definition]:
    """
    Find what is not needed as yet, but called almost like a name that is.
    """
    spare = {name: each for each in items if not each.needed for name in each.names}
    known = {name for item in items for name in item.names}
    names = {*wanted, *(name for item in items if item.needed for name in item.words)}
    missing = _compared(name for name in names - known if len(name) > 2)
    candidates = _compared(spare)
    return [
        spare[close]
        for name in missing
        for close in get_close_matches(name, candidates, n=1, cutoff=0.75)
    ]


def _compared(names: Iterable[str]) -> list[str]:
    short = (name for name in names if len(name) <= _LONGEST_CANDIDATE)
    return sorted(short)[:_MOST_CANDIDATES]


def _mistaken(
    items: Sequence[Definition], mistakes: Collection[int], blank: str
) -> list[Definition]:
    found: list[Definition] = []
    places = sorted(mistakes)
    line = 1 + blank.count("\n", 0, items[0].start)
    for item in items:
        after = line + item.text.count("\n")
        if bisect_left(places, line) < bisect_right(places, after):
            found.append(item)
        line = after
    return found


def _count(source: Source, needed: Iterable[Definition], enough: int | None) -> int:
    """
    Count the lines of items without those that do nothing, up to `enough`.
    """
    blank, bare = source.blank, source.bare
    kept: set[int] = set()
    line = done = 0
    for item in sorted(needed, key=lambda item: item.start):
        line += blank.count("\n", done, item.start)
        done = item.start
        whole = bare[item.start : item.end].split("\n")
        passing: dict[int, Passing] = {}
        for place, text in enumerate(item.text.split("\n"), line):
            here = text.strip() or whole[place - line].strip()
            if not here or _IDLE.fullmatch(here):
                continue
            if found := passing_line(here):
                passing[place] = found
                continue
            kept.add(place)
            if len(kept) == enough:
                return enough
        kept |= of_use(passing, item.words)
    return len(kept) if enough is None else min(enough, len(kept))
