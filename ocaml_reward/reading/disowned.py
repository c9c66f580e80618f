"""
Blocks that a completion shows as wrong, behind its answer: "A common mistake is:".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .fences import Block
from .lexing import Source
from .likeness import is_whole

__all__ = ["owned"]

# As much of what is said before a block as is looked at.
_MOST = 400
_WRONG = re.compile(
    r"\b(?:wrong|incorrect(?:ly)?|buggy|broken|faulty|erroneous|mistakes?|pitfalls?|bad|invalid"
    r"|(?:do|should|must|would|does|will)(?:n['\u2019]t| not)|never|avoid"
    r"|incorrect[aeo]s?|err\u00f3ne[ao]s?|mauvais\w*|faux|fausse|falsch\w*|fehlerhaft\w*|sbagliat\w"
    r"|\u043d\u0435(?:\u043f\u0440\u0430\u0432\u0438\u043b\u044c|\u0432\u0435\u0440)\u043d\w*)\b|\u9519\u8bef|\u932f\u8aa4|\u4e0d\u6b63\u786e|\u4e0d\u8981|\u9593\u9055|\uc798\ubabb",
    re.IGNORECASE,
)
# What speaks of code before, or offers what is right.
_RIGHT = re.compile(
    r"\b(?:above|previous(?:ly)?|earlier|before|last|first|i|my|was|were|had|here(?:['\u2019]s| is)"
    r"[^:]*\b(?:code|solution|version)|correct(?:ed|s|ion|ly)?|fix(?:ed|es|ing)?|right|instead"
    r"|better|final|improved|updated|revised|without|avoid(?:s|ing)|so"
    r"|correct[ao]s?|corrig\w+|corrett\w|anterior\w*|arriba|pr\u00e9c\u00e9dent\w*|ci-dessus|richtig\w*|korrigiert\w*"
    r"|oben|vorig\w*|\u043f\u0440\u0430\u0432\u0438\u043b\u044c\u043d\w*|\u0438\u0441\u043f\u0440\u0430\u0432\w+|\u0432\u044b\u0448\u0435)\b"
    r"|(?<!\u4e0d)\u6b63\u786e|\u4fee[\u6b63\u590d]|\u4e0a\u9762|\u4e4b\u524d|\u6b63\u3057|\uc62c\ubc14|\uc218\uc815",
    re.IGNORECASE,
)
_CALLED_WRONG = re.compile(
    r"\s*\(\*+\s*(?:wrong|incorrect|bad|buggy|broken)\b", re.IGNORECASE
)


def owned(
    text: str,
    fences: Sequence[Block],
    blocks: Sequence[Block],
    codes: Sequence[Source],
    names: frozenset[str],
) -> list[int]:
    """
    Find the places of the blocks that are not shown as wrong.

    Args:
        text: What is said.
        fences: All its blocks.
        blocks: Those that may be OCaml, at least one.
        codes: What is in these.
        names: What the tests use.

    Returns:
        The places in `blocks`: all of them where those that are shown as wrong alone have
        some of the answer, or stand before it, where what follows replaces them anyway.
    """
    everything = list(range(len(blocks)))
    begins = {block.start: place for place, block in enumerate(fences)}
    kept: list[int] = []
    for place, block in enumerate(blocks):
        before = begins[block.start]
        start = fences[before - 1].end if before else 0
        if not kept or not _is_disowned(
            text[max(start, block.start - _MOST) : block.start], block
        ):
            kept.append(place)
    if len(kept) == len(blocks):
        return everything
    if not names:
        return kept if any(is_whole(codes[place]) for place in kept) else everything
    defined = set[str]().union(*(codes[place].outline.names for place in kept))
    lost = (names & code.outline.names for code in codes)
    return kept if all(some <= defined for some in lost) else everything


def _is_disowned(said: str, block: Block) -> bool:
    lines = said.strip().rsplit("\n", 1)
    last = re.split(r"[.;!?]\s", lines[-1].strip())[-1]
    if _CALLED_WRONG.match(block.content[:_MOST]):
        return True
    return bool(_WRONG.search(last)) and not _RIGHT.search(last)
