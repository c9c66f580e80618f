"""
Which lines of code an answer needs, told without a parser: definitions that nothing
leads to from the names that are asked for fill lines, and do not count as any.

Generous where the code is broken or odd: what cannot be told counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice

from .lexing import Source

__all__ = ["lines_of_substance", "touches"]

# More than are in a megabyte of code; bounds the work on spam.
_MOST_TOKENS = 200_000
# Names of either side that are compared for their spelling, each with each.
_MOST_CANDIDATES = 100
_WORD = re.compile(r"[A-Za-z_][\w']*")
_KEYWORD = re.compile(
    r"(?<![\w'.~?])(?:let|in|and|end|struct|sig|object|begin|type|module|exception|class"
    r"|open|include|external)(?![\w'])|;;"
)
_BEFORE = re.compile(r"([A-Za-z_][\w']*|;;|[(|:])[^\w(|:]*$")
_DEFINED = re.compile(
    r"\b(?:let|and|type|module|class|method|exception|external)!?\s+"
    r"(?:(?:rec|nonrec|private|virtual|type)\s+|[+-]?'\w+\s+|\([^()]{0,80}\)\s*)*"
    r"([A-Za-z_][\w']*)"
)
_DECLARED = re.compile(
    r"\b(?:val|let|rec|and|type)\s+([a-z_][\w']*)|\b([a-z_][\w']*)`?\s*:(?![:=])"
)
_PART = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}")
_OPERATOR = re.compile(r"\w+\s*(?:rec\b\s*)?\(\s*([!$%&*+\-./:<=>?@^|~#]+)\s*\)")
_OPENERS = frozenset(("struct", "sig", "object", "begin"))
_ITEMS = frozenset(
    ("type", "module", "exception", "class", "open", "include", "external")
)
# Behind one of these the word belongs to what has begun already, as in `let open M in`.
_INSIDE = frozenset(("(", "|", ":", "let", "with", "module", "class", "and", "include"))
# A constructor, or a field: what a type defines besides its name.
_MEMBER = re.compile(r"[A-Z][\w']*(?![\w'.])|[a-z_][\w']*(?=\s*:)")
# A line that binds something in passing.
_LOCAL = re.compile(r"let\s+([a-z_][\w']*|\(\s*\))\s*=(.*)\bin")
_IDLE = re.compile(r"(?:;|\(\s*\)|ignore\b|\s)*")
_VALUE = re.compile(r"[\s\d()]*")


@dataclass(kw_only=True, slots=True)
class _Item:
    """
    A definition at the top of the code; `group` is the same for those joined by `and`.
    """

    kind: str
    start: int
    group: int
    end: int = 0
    names: frozenset[str] = frozenset()
    words: Counter[str] = field(default_factory=Counter)
    needed: bool = False

    @property
    def recursive(self) -> bool:
        """
        Say whether a name of its own means itself, and not an earlier one.
        """
        return self.kind != "let" or "rec" in self.words


def touches(code: str, wanted: frozenset[str], *, broken: bool = False) -> bool:
    """
    Tell whether code has anything to do with `wanted`: it defines something, at any
    depth, with a word in common.  In `broken` code any word may be a definition.

    Short words tell nothing, nor does a module's name, whose contents may have been
    written without it; where there are no others, the answer is yes.
    """
    asked = [_parts(name) for name in wanted if not name[:1].isupper()]
    if not asked or len(asked) < len(wanted) or not all(asked):
        return True
    words = set((_WORD if broken else _DEFINED).findall(code))
    if words & wanted:
        return True
    found = {part for word in words for part in _parts(word)}
    return any(parts & found for parts in asked)


def lines_of_substance(
    source: Source,
    wanted: frozenset[str],
    prompt: str = "",
    *,
    mistakes: Collection[int] | None = None,
) -> int:
    """
    Count the lines that the definitions of `wanted` need, and of what else the prompt
    declares: theirs, and those of what they lead to.

    All lines count where nothing is asked for, or nothing of it is found.

    `mistakes` are the lines, from 1, on which code that does not type is wrong.  There
    a name that nothing defines may be one misspelt, and a definition with a mistake
    counts: it has cost what a mistake costs, and pads nothing.
    """
    if not wanted:
        return len(source.lines)
    blank = source.blank
    items = _items(blank)
    for item in items:
        text = blank[item.start : item.end]
        item.words = Counter(_WORD.findall(text))
        item.names = _names(item.kind, text)
    roots = _roots(items, wanted)
    if not roots:
        return len(source.lines)
    declared = _declared(prompt) - wanted
    roots += [item for item in items if declared & item.names]
    _mark(items, roots, blank)
    if mistakes is not None:
        _mark(
            items, _misspelt(items, wanted) + _mistaken(items, mistakes, blank), blank
        )
    for item in items:
        # What is done to a thing that the answer reads is part of the answer.
        if not item.names and _effect(item):
            known = {name for each in items if each.needed for name in each.names}
            if (known - wanted) & item.words.keys():
                _mark(items, [item], blank)
    # What is opened is one line, however much it is.
    opened = any(item.kind == "open" for item in items)
    return opened + _count(source, [item for item in items if item.needed])


def _parts(name: str) -> set[str]:
    return {part.lower() for part in _PART.findall(name) if len(part) > 2}


def _items(blank: str) -> list[_Item]:
    """
    Find the items at the top, where a `let` that never meets its `in` is one.
    """
    found: list[_Item] = []
    lets: list[int] = []
    frames: list[int] = []
    for token in islice(_KEYWORD.finditer(blank), _MOST_TOKENS):
        word, start = token[0], token.start()
        if word in _OPENERS:
            frames.append(len(lets))
        elif word == "end" and frames:
            del lets[frames.pop() :]
        elif word == "in" and lets:
            place = lets.pop()
            if not frames:
                del found[place:]
        elif word == "let":
            lets.append(len(found))
        if not frames and _begins(word, blank, start):
            last = found[-1] if found and word == "and" else None
            kind, group = (last.kind, last.group) if last else (word, start)
            found.append(_Item(kind=kind, start=start, group=group))
    ends = [item.start for item in found[1:]] + [len(blank)]
    for item, end in zip(found, ends, strict=False):
        item.end = end
    return found


def _begins(word: str, blank: str, start: int) -> bool:
    if word in _ITEMS:
        before = _BEFORE.search(blank[max(0, start - 80) : start])
        return before is None or before[1] not in _INSIDE
    return word in ("let", "and", ";;")


@lru_cache(maxsize=256)
def _declared(prompt: str) -> frozenset[str]:
    return frozenset(name for pair in _DECLARED.findall(prompt) for name in pair)


def _names(kind: str, text: str) -> frozenset[str]:
    head = text.partition("=")[0][:200]
    words = [word for word in _WORD.findall(head)[1:] if word not in ("rec", "_")]
    if kind == "let":
        if operator := _OPERATOR.match(text):
            return frozenset([operator[1]])
        return frozenset(words if "," in head else words[:1])
    if kind in ("open", "include", ";;"):
        return frozenset()
    if kind == "module":
        return frozenset(words[:2])
    return frozenset((*words, *_MEMBER.findall(text)))


def _effect(item: _Item) -> bool:
    return item.kind in ("let", ";;", "include")


def _roots(items: Sequence[_Item], wanted: frozenset[str]) -> list[_Item]:
    roots: list[_Item] = []
    for name in wanted:
        defining = [item for item in items if name in item.names]
        # Defined further in, if at all: whatever mentions it.
        roots += defining[-1:] or [item for item in items if name in item.words]
        # A draft before the answer, unless it is the answer again.
        roots += [item for item in defining[-2:-1] if item.words != defining[-1].words]
    return roots


def _mark(items: Sequence[_Item], roots: Sequence[_Item], blank: str) -> None:
    """
    Mark what the roots lead to.  A name means the nearest definition before it, or one
    joined by `and`.
    """
    by_name: dict[str, list[_Item]] = {}
    for item in items:
        for name in item.names:
            by_name.setdefault(name, []).append(item)
    operators = [name for name in by_name if not _WORD.match(name)]
    waiting = list(roots)
    while waiting:
        item = waiting.pop()
        if item.needed:
            continue
        item.needed = True
        used = [op for op in operators if op in blank[item.start : item.end]]
        for name in (*item.words, *used):
            if name in item.names and (item.words[name] < 2 or item.recursive):
                continue
            defining = by_name.get(name, ())
            waiting += [each for each in defining if each.group == item.group]
            waiting += [each for each in defining if each.group < item.group][-1:]


def _misspelt(items: Sequence[_Item], wanted: Iterable[str]) -> list[_Item]:
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
    items: Sequence[_Item], mistakes: Collection[int], blank: str
) -> list[_Item]:
    found: list[_Item] = []
    line, done = 1, 0
    for item in items:
        line += blank.count("\n", done, item.start)
        done = item.start
        lines = range(line, line + blank.count("\n", item.start, item.end) + 1)
        if any(place in lines for place in mistakes):
            found.append(item)
    return found


def _count(source: Source, needed: Sequence[_Item]) -> int:
    """
    Count the lines of items without those that do nothing.
    """
    blank, bare = source.blank, source.bare
    kept: set[int] = set()
    line = done = 0
    for item in needed:
        line += blank.count("\n", done, item.start)
        done = item.start
        whole = bare[item.start : item.end].split("\n")
        for place, text in enumerate(blank[item.start : item.end].split("\n"), line):
            here = text.strip() or whole[place - line].strip()
            if here and not _IDLE.fullmatch(here) and not _dead(here, item):
                kept.add(place)
    return len(kept)


def _dead(line: str, item: _Item) -> bool:
    local = _LOCAL.fullmatch(line)
    if not local:
        return False
    if local[1][0] in "_(":
        return bool(_VALUE.fullmatch(local[2]))
    return item.words[local[1]] == 1
