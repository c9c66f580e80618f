"""
What code consists of, as the engine's parser tells it.
"""

from __future__ import annotations

import json

from ..errors import EngineFault
from ..model import Part

__all__ = ["parts", "unparsed"]

_ACTS, _KEEPS, _STUB = 1, 2, 4


def parts(text: str) -> tuple[Part, ...] | None:
    """
    Read the parser's account (ocaml/ast/line_ranges.ml); None for none.  Raises EngineFault.
    """
    if not text:
        return None
    try:
        return tuple(
            Part(
                names=tuple(names),
                lines=tuple(lines),
                needs=tuple(needs),
                acts=bool(flags & _ACTS),
                keeps=bool(flags & _KEEPS),
                stub=bool(flags & _STUB),
                span=(start, stop),
            )
            for names, lines, needs, flags, start, stop in json.loads(text)
        )
    except ValueError as error:
        raise EngineFault("what the code consists of is not readable") from error


def unparsed(text: str) -> tuple[tuple[int, int], ...]:
    """
    Read where the items stand that do not parse (ocaml/ast/item_split.ml).  Raises EngineFault.
    """
    try:
        places = [int(word) for word in text.split()]
        return tuple(zip(places[::2], places[1::2], strict=True))
    except ValueError as error:
        raise EngineFault("where the code does not parse is not readable") from error
