"""
Which of the names that tests use are asked for at the top, told by a reference.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .definitions import definitions
from .lexing import Source

__all__ = ["outermost"]

_VALUE = re.compile(r"[a-z_][\w']*")
_BRINGS_NAMES = frozenset(("open", "include"))


@lru_cache(maxsize=256)
def outermost(uses: tuple[str, ...], reference: str | None) -> tuple[str, ...]:
    """
    Leave out what the reference has inside its modules alone.

    Where tests open what a functor of the code's makes (`module S = Make (Int) open S`), the
    values of that module look like others that the code is to define.

    Args:
        uses: What the tests use of the code.
        reference: A solution; where there is none, nothing is left out.

    Returns:
        The others, in their order.
    """
    items = definitions(Source(reference or "").without_literals)
    if any(item.kind in _BRINGS_NAMES for item in items):
        return uses
    top = frozenset().union(*(item.names for item in items))
    inside = (
        frozenset()
        .union(*(item.words for item in items if item.kind == "module"))
        .difference(top)
    )
    return tuple(use for use in uses if use not in inside or not _VALUE.fullmatch(use))
