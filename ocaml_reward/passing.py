"""
Lines of a definition that do something only if another line uses what they do: locals,
and calls whose results go nowhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from .definitions import WORD

__all__ = ["Passing", "of_use", "passing_line"]

# A line that binds something in passing, and one that throws a value away.
_LOCAL = re.compile(r"let\s+([a-z_][\w']*|\([\w\s,']*\))\s*=(.*)\bin")
_THROWN = re.compile(r"(?:ignore|assert)\b(.*);")
# Words that do nothing by themselves.
_STILL = frozenset(("ignore", "assert", "true", "false", "not", "mod"))


class Passing(NamedTuple):
    """
    A line that does something only if another uses what it binds or, where it binds
    nothing, by what it calls; `uses` are the words behind its equals sign.
    """

    binds: frozenset[str]
    words: Counter[str]
    uses: Counter[str]


def passing_line(line: str) -> Passing | None:
    """
    Read a line without its margins; None for one that does something by itself.
    """
    found = _LOCAL.fullmatch(line) or _THROWN.fullmatch(line)
    if not found:
        return None
    *pattern, value = found.groups()
    uses = Counter(WORD.findall(value))
    if uses["let"] != uses["in"]:
        # The end of one local name and of what it stands in.
        return None
    named = WORD.findall(pattern[0]) if pattern else ()
    return Passing(
        binds=frozenset(name for name in named if name[0] != "_"),
        words=Counter(WORD.findall(line)),
        uses=uses,
    )


def of_use(passing: Mapping[int, Passing], words: Mapping[str, int]) -> set[int]:
    """
    Find the lines that the rest of a definition uses, or that may call something;
    `words` are those of the whole definition, with how often each stands there.
    """
    # What stands elsewhere: where something is done with it.
    elsewhere = Counter(words)
    binding: dict[str, list[int]] = {}
    for place, found in passing.items():
        elsewhere.subtract(found.words)
        for name in found.binds:
            binding.setdefault(name, []).append(place)
    still = _STILL.union(binding)
    waiting = [
        place
        for place, found in passing.items()
        if not found.binds and found.uses.keys() - still
    ]
    for name, times in elsewhere.items():
        if times > 0:
            waiting += binding.pop(name, ())
    used: set[int] = set()
    while waiting:
        place = waiting.pop()
        if place in used:
            continue
        used.add(place)
        for name in passing[place].uses:
            # Taken out: what is used once more is not looked at again.
            waiting += binding.pop(name, ())
    return used
