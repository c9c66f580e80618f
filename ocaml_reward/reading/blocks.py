"""
Find the blocks of a completion that may be OCaml.
"""

from __future__ import annotations

from typing import NamedTuple

from .fences import Block, Fenced, find_blocks
from .lexing import Source
from .likeness import is_foreign, is_whole
from .outline import opens_structure

__all__ = ["Reading", "read_fences"]


class Reading(NamedTuple):
    """
    A text taken apart; `codes` are what is in those `blocks` that may be OCaml.

    `first` is where the first fence opens when the text starts outside of any; `counted`
    are the blocks that tell how the fences are used.
    """

    fenced: Fenced
    first: int
    blocks: tuple[Block, ...]
    codes: tuple[Source, ...]
    counted: tuple[Block, ...]

    def defines(self, names: frozenset[str]) -> bool:
        """
        Say whether a block defines any of the names.
        """
        return bool(names) and any(names & code.outline.names for code in self.codes)


def read_fences(text: str, prompt: str, names: frozenset[str]) -> Reading:
    """
    Find the blocks, knowing that a prompt may have opened the first one.
    """
    plain = find_blocks(text)
    if not plain.blocks:
        return Reading(plain, 0, (), (), ())
    first = plain.blocks[0].start
    reading = _read(plain, first, names)
    if reading.defines(names):
        return reading
    if _ends_in_fence(prompt):
        return _read(find_blocks(text, inside=True), first, names)
    before = Source(text[:first])
    if opens_structure(before.without_literals) and names & before.outline.names:
        # The first fence closes: code, then a fence, then an explanation.
        return _read(find_blocks(text, inside=True), first, names)
    return reading


def _read(fenced: Fenced, first: int, names: frozenset[str]) -> Reading:
    """
    Take the blocks that may be OCaml by their tags; where none of them is, those with the
    tag of another language that are OCaml by what is in them.
    """
    blocks = tuple(block for block in fenced.blocks if block.is_ocaml)
    codes = tuple(Source(block.content) for block in blocks)
    reading = Reading(fenced, first, blocks, codes, blocks)
    if any(block.tag for block in blocks) or any(_answers(c, names) for c in codes):
        return reading
    sources = [Source(block.content) for block in fenced.blocks]
    known = [
        (block, code)
        for block, code in zip(fenced.blocks, sources, strict=True)
        if block.is_ocaml or not is_foreign(code)
    ]
    prose = Source(fenced.prose)
    plain = opens_structure(prose.without_literals) and names & prose.outline.names
    if plain or not any(
        _answers(code, names) and (names or is_whole(code))
        for block, code in known
        if not block.is_ocaml
    ):
        return reading
    blocks, codes = zip(*known, strict=True)
    return Reading(fenced, first, blocks, codes, fenced.blocks)


def _answers(code: Source, names: frozenset[str]) -> bool:
    """
    Say whether code defines any of the names; if there are none, whether it may define
    anything.
    """
    return (
        bool(names & code.outline.names)
        if names
        else opens_structure(code.without_literals)
    )


def _ends_in_fence(prompt: str) -> bool:
    found = find_blocks(prompt + "\n")
    return bool(found.blocks) and found.blocks[-1].end > len(prompt)
