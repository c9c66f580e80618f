"""
Which part of a completion is its code, and where it stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from .blocks import Reading
from .fences import Block, find_blocks
from .joining import Answer, answer
from .lexing import Source
from .likeness import is_whole
from .markers import without_markers
from .origins import Origins, Piece, Ranges, cut, joined, kept
from .outline import opens_structure
from .plain import runs
from .signature import rest_in

__all__ = ["How", "Taken", "take"]


class How(StrEnum):
    """
    Where the code came from.
    """

    FENCE = "fence"
    WHOLE = "whole"
    CONTINUATION = "continuation"


class Taken(NamedTuple):
    """
    The code of a text, what follows it there, and what tells where it stands.

    `last` is code that stands behind it, and is another task's.
    """

    how: How
    code: Source
    after: str
    made: Callable[[], Origins]
    last: Source | None = None


def take(
    text: str, reading: Reading, prompt: str, names: frozenset[str], marker: str | None
) -> Taken:
    """
    Find the code among blocks and prose.
    """
    fenced, blocks = reading.fenced, reading.blocks
    if rest := rest_in(text, reading, prompt, names):
        stands = partial(kept, list(rest.kept(text)))
        return Taken(How.FENCE, Source(rest.content), text[rest.end :], stands)
    whole = Source(text)
    if not fenced.blocks or _fences_are_comments(whole, reading.first, names):
        return _plain(text, [(0, len(text))], names, marker)
    if not reading.defines(names) and names & Source(fenced.prose).outline.names:
        # Plain code, and an example, shell output or the like in a block beside it.
        found = _plain(text, _between(text, fenced.blocks), names, marker)
        if not blocks or opens_structure(found.code.without_literals):
            return found
    if blocks:
        return _joined(text, blocks, reading.codes, names, marker)
    return Taken(How.FENCE, Source(""), "", partial(kept, ()))


def _plain(
    text: str, ranges: Ranges, names: frozenset[str], marker: str | None
) -> Taken:
    """
    Find the code in what stands outside of fences: all of it, but for prose around it.
    """
    code = Source("".join(text[start:stop] for start, stop in ranges))
    all_of_it = Taken(How.WHOLE, code, "", partial(kept, ranges))
    shown = runs(code.text)
    codes = [Source(block.content) for block in shown]
    if not any(_answers(each, names) for each in codes):
        return all_of_it
    found = _joined(code.text, shown, codes, names, marker)
    return Taken(
        How.WHOLE,
        found.code,
        code.text[shown[-1].end :],
        lambda: found.made().after(kept(ranges)),
        # Who writes another program has not ended with the first.
        None if found.code.text.endswith(codes[-1].text) else codes[-1],
    )


def _answers(code: Source, names: frozenset[str]) -> bool:
    return bool(names & code.outline.names) if names else is_whole(code)


def _joined(
    text: str,
    blocks: Sequence[Block],
    codes: Sequence[Source],
    names: frozenset[str],
    marker: str | None,
) -> Taken:
    """
    Read blocks together.
    """
    blocks = [_ended(block, marker) for block in blocks]
    found = answer(blocks, codes, names)
    before = without_markers(found.codes, marker)
    after = text[blocks[found.last].end :]
    made = partial(_of_blocks, text, blocks, found, before)
    return Taken(How.FENCE, _together(before), after, made)


def _ended(block: Block, marker: str | None) -> Block:
    """
    Take a block for closed that ends with the end marker: nothing has cut it off.
    """
    is_ended = bool(marker) and block.content.rstrip().endswith(marker or "")
    return block._replace(closed=True) if is_ended and not block.closed else block


def _fences_are_comments(whole: Source, first: int, names: frozenset[str]) -> bool:
    """
    Tell plain code whose comments show a fenced example from fenced code.
    """
    # A fence stays one unless a comment or a literal has begun before its line ends.
    if not names or whole.is_plain(until=_line_end(whole.text, first)):
        return False
    bare = whole.without_literals
    return not find_blocks(bare).blocks and bool(names & whole.outline.names)


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _together(codes: Sequence[Source]) -> Source:
    """
    Put blocks one under the other.
    """
    if len(codes) == 1:
        return codes[0]
    return Source("\n".join(code.text for code in codes))


def _of_blocks(
    text: str, blocks: Sequence[Block], found: Answer, codes: Sequence[Source]
) -> Origins:
    """
    Tell where the blocks of an answer stand, put one under the other as `codes`.
    """
    pieces: list[Piece] = []
    parts = zip(found.places, found.kept, codes, strict=True)
    for place, ranges, code in parts:
        if pieces:
            pieces.append(Piece(0, 1, None))
        own = kept(list(blocks[place].kept(text)))
        if ranges is not None:
            own = kept(ranges).after(own)
        pieces += cut(own, 0, len(code.text))
    return joined(pieces)


def _between(text: str, blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """
    Find what stands outside of all blocks.
    """
    edges = [0, *(edge for block in blocks for edge in block[:2]), len(text)]
    return list(zip(edges[::2], edges[1::2], strict=True))
