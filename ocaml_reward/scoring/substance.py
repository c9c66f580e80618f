"""
Which lines of code an answer needs, told by the parts that the parser found: what nothing
leads to from the names that are asked for fills lines, and does not count as any.

Generous where the code is odd: what is not known to be idle counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ..model import Part
from ..reading.definitions import WORD
from ..reading.lexing import Source
from .spelling import slips

__all__ = ["lines_of_substance", "touches"]

# One in so many words of a program's names is asked for, where none of them is a name that is.
_SHARED_PART = 10
# What modules of unknown content may give.
_ELSEWHERE = "*"
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
# Where a definition further in begins.
_LOCAL = re.compile(rb"(?:let|and)\s+(?:rec\s+)?([a-z_][\w']*)")
_MEMBER = re.compile(r"[A-Z][\w']*\.")
_PART = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}")


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
    parts: Sequence[Part] | None,
    wanted: frozenset[str],
    prompt: str = "",
    *,
    mistakes: Collection[int] | None = None,
) -> int:
    """
    Count the lines that the definitions of `wanted` need, and of what else the prompt
    declares: theirs, those of what they lead to, and those that change what they read.

    All lines count where the parts are not known, where nothing is asked for, or nothing
    of it is found.

    `mistakes` are the lines, from 1, on which code that does not type is wrong.  There
    a name that nothing defines may be one misspelt, and a definition with a mistake
    counts: it has cost what a mistake costs, and pads nothing.
    """
    if parts is None or not wanted:
        return len(source.lines)
    defining: dict[str, list[int]] = {}
    for place, part in enumerate(parts):
        for name in part.names:
            # What is in a module counts with the module.
            if _MEMBER.match(name):
                continue
            defining.setdefault(name, []).append(place)
    text = source.without_comments.split("\n")
    roots = [place for name in wanted for place in _roots(name, parts, defining, text)]
    if not roots:
        return len(source.lines)
    needs = _Needs(
        parts, {place for name in wanted for place in defining.get(name, ())}
    )
    needs.mark(roots)
    declared = _declared(prompt) - wanted
    needs.mark(place for name in declared for place in defining.get(name, ()))
    if mistakes is not None:
        named = defining | _further_in(source, parts, needs.marked)
        needs.mark(_misspelt(needs.marked, parts, named, wanted))
        needs.mark(
            place for place, part in enumerate(parts) if _holds(part.lines, mistakes)
        )
    needs.mark_changes(text)
    return len({line for place in needs.marked for line in _lines(parts[place])})


def _parts(name: str) -> set[str]:
    return {part.lower() for part in _PART.findall(name) if len(part) > 2}


@lru_cache(maxsize=256)
def _declared(prompt: str) -> frozenset[str]:
    return frozenset(name for pair in _DECLARED.findall(prompt) for name in pair)


def _ranges(lines: Sequence[int]) -> Iterable[tuple[int, int]]:
    return zip(lines[::2], lines[1::2], strict=True)


def _lines(part: Part) -> Iterable[int]:
    return (n for first, last in _ranges(part.lines) for n in range(first, last + 1))


def _holds(lines: Sequence[int], some: Collection[int]) -> bool:
    ranges = _ranges(lines)
    return any(first <= line <= last for first, last in ranges for line in some)


def _written(parts: Sequence[Part], places: Iterable[int], text: Sequence[str]) -> str:
    """
    Return what stands on the lines of some parts, without blanks.
    """
    lines = {line for place in places for line in _lines(parts[place])}
    return "".join("".join(text[line - 1].split()) for line in sorted(lines))


def _roots(
    name: str,
    parts: Sequence[Part],
    defining: dict[str, list[int]],
    text: Sequence[str],
) -> list[int]:
    found = defining.get(name, [])
    if not found:
        # Defined further in, if at all: whatever mentions it.
        using = [place for place, part in enumerate(parts) if name in part.missing]
        return using or defining.get(_ELSEWHERE, [])
    # A draft before the answer, unless it is the answer again.
    if len(found) > 1:
        draft, answer = (_Needs(parts, ()).mark([place]) for place in found[-2:])
        if _written(parts, draft, text) != _written(parts, answer, text):
            return found[-2:]
    return found[-1:]


@dataclass(slots=True)
class _Needs:
    """
    What an answer needs of the parts of its code.

    Whoever only calls what is `asked` for adds nothing to it.
    """

    parts: Sequence[Part]
    asked: Collection[int]
    marked: set[int] = field(default_factory=set)

    def mark(self, roots: Iterable[int]) -> list[int]:
        """
        Mark what the roots lead to, and tell what of it was not marked before.
        """
        waiting = [place for place in roots if place not in self.marked]
        self.marked.update(waiting)
        found = []
        while waiting:
            place = waiting.pop()
            found.append(place)
            for needed in self.parts[place].needs:
                if needed not in self.marked:
                    self.marked.add(needed)
                    waiting.append(needed)
        return found

    def mark_changes(self, text: Sequence[str]) -> None:
        """
        Mark statements that do something with what is needed, as they are part of the
        answer, too: once, where the same stands there again.
        """
        using: dict[int, list[int]] = {}
        for place, part in enumerate(self.parts):
            for needed in part.needs:
                using.setdefault(needed, []).append(place)
        seen: set[int] = set()
        written: set[str] = set()
        waiting = list(self.marked)
        while waiting:
            place = waiting.pop()
            part = self.parts[place]
            if part.acts and not part.names and place not in self.marked:
                statement = _written(self.parts, [place], text)
                if statement not in written:
                    written.add(statement)
                    waiting += self.mark([place])
            if place and (part.keeps or place not in self.asked):
                fresh = [each for each in using.get(place, ()) if each not in seen]
                seen.update(fresh)
                waiting += fresh


def _misspelt(
    marked: set[int],
    parts: Sequence[Part],
    defining: dict[str, list[int]],
    wanted: Iterable[str],
) -> list[int]:
    """
    Find what is not needed as yet, but called almost like a name that is.
    """
    spare = [name for name, places in defining.items() if marked.isdisjoint(places)]
    names = {*wanted, *(name for place in marked for name in parts[place].missing)}
    missing = (name for name in names if name not in defining)
    return [place for meant in slips(missing, spare) for place in defining[meant][-1:]]


def _further_in(
    source: Source, parts: Sequence[Part], marked: set[int]
) -> dict[str, list[int]]:
    """
    Find the local definitions in what is needed that nothing needs, by their names.
    """
    code = source.text.encode("utf-8", "replace")
    found: dict[str, list[int]] = {}
    for place, part in enumerate(parts):
        if place in marked or part.names or marked.isdisjoint(part.needs):
            continue
        if local := _LOCAL.match(code, *part.span):
            found.setdefault(local[1].decode(), []).append(place)
    return found
