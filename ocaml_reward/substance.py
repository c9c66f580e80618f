"""
Which lines of code an answer needs, told without a parser: definitions that nothing
leads to from the names that are asked for fill lines, and do not count as any.

Generous where the code is broken or odd: what cannot be told counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from .definitions import WORD, Definition, definitions
from .lexing import Source

__all__ = ["lines_of_substance", "touches"]

# One in so many words of a program's names is asked for, where none of them is a name that is.
_SHARED_PART = 10
# Names of either side that are compared for their spelling, each with each.
_MOST_CANDIDATES = 100
_DEFINED = re.compile(
    r"\b(?:let|and|type|module|class|method|exception|external)!?\s+"
    r"(?:(?:rec|nonrec|private|virtual|type)\s+|[+-]?'\w+\s+|\([^()]{0,80}\)\s*)*"
    r"([A-Za-z_][\w']*)"
)
_DECLARED = re.compile(
    r"\b(?:val|let|rec|and|type)\s+([a-z_][\w']*)|\b([a-z_][\w']*)`?\s*:(?![:=])"
)
_PART = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}")
# A line that binds something in passing, and one that throws a value away.
_LOCAL = re.compile(r"let\s+([a-z_][\w']*|\([\w\s,']*\))\s*=(.*)\bin")
_THROWN = re.compile(r"(?:ignore|assert)\b(.*);")
_IDLE = re.compile(r"(?:;|\(\s*\)|ignore\b|\s)*")
# Words that do nothing by themselves.
_STILL = frozenset(("ignore", "assert", "true", "false", "not", "mod"))


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
    _mark(items, roots)
    if mistakes is not None:
        _mark(items, _misspelt(items, wanted) + _mistaken(items, mistakes, blank))
    for item in items:
        # What is done to a thing that the answer reads is part of the answer.
        if not item.names and _effect(item):
            known = {name for each in items if each.needed for name in each.names}
            if (known - wanted) & item.words.keys():
                _mark(items, [item])
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


def _mark(items: Sequence[Definition], roots: Sequence[Definition]) -> None:
    """
    Mark what the roots lead to.  A name means the nearest definition before it, or one
    joined by `and`.
    """
    by_name: dict[str, list[Definition]] = {}
    for item in items:
        for name in item.names:
            by_name.setdefault(name, []).append(item)
    operators = [name for name in by_name if not WORD.match(name)]
    waiting = list(roots)
    while waiting:
        item = waiting.pop()
        if item.needed:
            continue
        item.needed = True
        used = [op for op in operators if op in item.text]
        for name in (*item.words, *used):
            if name in item.names and (item.words[name] < 2 or item.recursive):
                continue
            defining = by_name.get(name, ())
            waiting += [each for each in defining if each.group == item.group]
            waiting += [each for each in defining if each.group < item.group][-1:]


def _misspelt(items: Sequence[Definition], wanted: Iterable[str]) -> list[Definition]:
    """
    Find what is not needed as yet, but called almost like a name that is.
    """
    spare = {name: each for each in items if not each.needed for name in each.names}
    known = {name for item in items for name in item.names}
    names = {*wanted, *(name for item in items if item.needed for name in item.words)}
    missing = sorted(name for name in names - known if len(name) > 2)
    candidates = sorted(spare)[:_MOST_CANDIDATES]
    return [
        spare[close]
        for name in missing[:_MOST_CANDIDATES]
        for close in get_close_matches(name, candidates, n=1, cutoff=0.75)
    ]


def _mistaken(
    items: Sequence[Definition], mistakes: Collection[int], blank: str
) -> list[Definition]:
    found: list[Definition] = []
    line = 1 + blank.count("\n", 0, items[0].start)
    for item in items:
        after = line + item.text.count("\n")
        if any(line <= place <= after for place in mistakes):
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
        passing: dict[int, _Passing] = {}
        for place, text in enumerate(item.text.split("\n"), line):
            here = text.strip() or whole[place - line].strip()
            if not here or _IDLE.fullmatch(here):
                continue
            if found := _passing(here):
                passing[place] = found
                continue
            kept.add(place)
            if len(kept) == enough:
                return enough
        kept |= _of_use(passing, item)
    return len(kept) if enough is None else min(enough, len(kept))


class _Passing(NamedTuple):
    """
    A line that does something only if another uses what it binds or, where it binds
    nothing, by what it calls; `uses` are the words behind its equals sign.
    """

    binds: frozenset[str]
    words: Counter[str]
    uses: Counter[str]


def _passing(line: str) -> _Passing | None:
    found = _LOCAL.fullmatch(line) or _THROWN.fullmatch(line)
    if not found:
        return None
    *pattern, value = found.groups()
    uses = Counter(WORD.findall(value))
    if uses["let"] != uses["in"]:
        # The end of one local name and of what it stands in.
        return None
    named = WORD.findall(pattern[0]) if pattern else ()
    return _Passing(
        binds=frozenset(name for name in named if name[0] != "_"),
        words=Counter(WORD.findall(line)),
        uses=uses,
    )


def _of_use(passing: dict[int, _Passing], item: Definition) -> set[int]:
    """
    Find the lines that the rest of a definition uses, or that may call something.
    """
    # How often each word stands where something is done with it.
    used = item.words.copy()
    for found in passing.values():
        used -= found.words
    still = _STILL.union(*(found.binds for found in passing.values()))
    waiting, of_use = dict(passing), set[int]()
    while ready := {
        place
        for place, found in waiting.items()
        if any(used[name] for name in found.binds)
        or (not found.binds and found.uses.keys() - still)
    }:
        for place in ready:
            used += waiting.pop(place).uses
        of_use |= ready
    return of_use
