"""
Names that are nearly another: slips of the pen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

__all__ = ["slips"]

# Names of either side that are compared, each with each, and how long they are: a comparison
# may take the product of their lengths.
_MOST = 100
_SHORTEST, _LONGEST = 3, 40
# As difflib has it: twice what is alike of the letters of both.
_ALIKE = 0.75


def slips(names: Iterable[str], meant: Iterable[str]) -> Iterator[str]:
    """
    Yield the names of those `meant` that one of `names` is nearly.
    """
    candidates = _compared(meant)
    for name in _compared(names):
        yield from get_close_matches(name, candidates, n=1, cutoff=_ALIKE)


def _compared(names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if _SHORTEST <= len(name) <= _LONGEST)[:_MOST]
