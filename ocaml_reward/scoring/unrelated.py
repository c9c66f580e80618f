"""
Whether code has anything to do with the names that a problem asks for.
"""

from __future__ import annotations

import re

from ..reading.definitions import WORD

__all__ = ["touches"]

# One in so many words of a program's names is asked for, where none of them is a name that is.
_SHARED_PART = 10
_DEFINED = re.compile(
    r"(?<![\w'])(?:let|and|type|module|class|method|exception|external)!?\s+"
    r"(?:(?:rec|nonrec|private|virtual|type)\s+|[+-]?'\w+\s+|\([^()]{0,80}\)\s*)*"
    r"([A-Za-z_][\w']*)"
)
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


def _parts(name: str) -> set[str]:
    return {part.lower() for part in _PART.findall(name) if len(part) > 2}
