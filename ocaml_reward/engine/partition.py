"""
What code consists of, as the engine's parser tells it.
"""

from __future__ import annotations

import json

from ..errors import EngineFault
from ..model import Part

__all__ = ["parts"]

_ACTS, _KEEPS = 1, 2


def parts(text: str) -> tuple[Part, ...] | None:
    """
    Read the parser's account (ocaml/lines.ml); None for none.  Raises EngineFault.
    """
    if not text:
        return None
    try:
        return tuple(
            Part(
                names=tuple(names),
                lines=tuple(lines),
                needs=tuple(needs),
                missing=tuple(missing),
                acts=bool(flags & _ACTS),
                keeps=bool(flags & _KEEPS),
            )
            for names, lines, needs, missing, flags in json.loads(text)
        )
    except ValueError as error:
        raise EngineFault("what the code consists of is not readable") from error
