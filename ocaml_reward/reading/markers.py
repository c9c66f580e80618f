"""
The marker that ends an answer: where it stands, and code without it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from .lexing import Source

__all__ = ["is_foreign", "is_last", "tail", "without_foreign_marker", "without_markers"]

_WORD = re.compile(r"\w")


def without_markers(codes: Sequence[Source], marker: str | None) -> tuple[Source, ...]:
    """
    Take the marker off all blocks but the last.
    """
    *before, last = codes
    if marker:
        before = [without_foreign_marker(code, marker) for code in before]
    return (*before, last)


def is_last(marker: str, text: str) -> bool:
    """
    Say whether no word follows the last marker: a fence may close behind it.
    """
    _, found, behind = text.rpartition(marker)
    return bool(found) and not _WORD.search(behind)


def tail(code: Source, marker: str) -> str:
    """
    Cut what follows the last token of the code: comments, blanks and the marker.
    """
    end = len(code.without_comments.rstrip())
    if marker in code.text[max(0, end - len(marker)) : end]:
        # The marker is no comment, and so was itself the last token.
        end -= len(marker)
    return code.text[end:]


def without_foreign_marker(code: Source, marker: str) -> Source:
    """
    Take a marker that OCaml would not read as a comment off the end of the code.
    """
    if not is_foreign(marker):
        return code
    shorter = code.text.rstrip()
    return Source(shorter.removesuffix(marker)) if shorter.endswith(marker) else code


@lru_cache(maxsize=16)
def is_foreign(marker: str) -> bool:
    """
    Tell whether OCaml would not read a marker as a comment.
    """
    return bool(Source(marker).without_literals.strip())
