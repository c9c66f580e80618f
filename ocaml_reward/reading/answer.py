"""Selects the blocks of a completion that are its answer.

The answer is the last draft of the wanted definitions, with the definitions that it needs from
earlier blocks. Definitions are read as OCaml reads them: a later one replaces an earlier one of the
same name, and a name refers to the nearest one before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from .definitions import Key, definitions, is_whole, needed, use, uses
from .lexing import Source
from .markdown import Block
from .source_map import Ranges

# With more blocks than this, a single block is the answer.
# (the-crypt-keeper/can-ai-code topk1_LoneStriker-CodeLlama-70b-Instruct-hf-2.65:3)
_MOST_BLOCKS = 200
# Tokens that may follow a complete definition: an operator or a definition, but neither another
# case nor a body.
_MAY_END = re.compile(
    r"\|[|>]|-(?!>)|[+*/@^&<>$%]|!=|:[:=]"
    r"|(?:mod|land|lor|lxor|lsl|lsr|asr|or|let|type|module|exception|open)(?![\w'])"
)
# Of a program that reads its input the last block is the answer, as for LiveCodeBench
# (lcb_runner/utils/extraction_utils.py), with what it needs.
_READS = re.compile(
    r"(?<![\w'])(?:Scanf|stdin|(?:read|input|really_input)_\w+|In_channel)(?![\w'])"
)
_DECLARATIONS = frozenset(("type", "exception", "open", "include"))


class Part(NamedTuple):
    """The part of a block that belongs to the answer: the block's index and ranges of its content."""

    place: int
    ranges: Ranges


def answer(blocks: Sequence[Block], wanted: frozenset[str], files: frozenset[str]) -> list[Part]:
    """Return the parts of blocks that form the answer when read one after the other.

    There is at least one block. Wanted names may be defined in the modules `files`, which are wanted,
    too, or outside of them.

    (exercism/ocaml exercises/practice/forth)
    """
    codes = [Source(block.content) for block in blocks]
    if len(blocks) == 1:
        return [_all(0, codes)]
    offered = [definitions(code).heads for code in codes]
    # The block that defines most wanted names, or else the longest.
    # (jaylene-zhang/ArtifactProgramming2025 Explain/q30/Llama3.1 8B_q30_answer_5)
    known = [len(wanted & heads) for heads in offered]
    sizes = known if any(known) else [len(code.text) for code in codes]
    alone = sizes.index(max(sizes))
    if len(blocks) > _MOST_BLOCKS:
        return [_all(alone, codes)]
    whole = [block.closed and is_whole(code) for block, code in zip(blocks, codes, strict=True)]
    draft = _last_draft(codes, whole, offered, wanted)
    if draft is not None or wanted:
        last = alone if draft is None else draft
        own = offered[last]
        if any(names and own >= names for names in (wanted - files, files)):
            # A draft that defines everything in modules needs nothing outside of them, and vice
            # versa.
            wanted &= own
        return _with_needs(last, codes, whole, wanted - own)
    for place in reversed(range(len(codes))):
        if whole[place] and any(not item.names for item in definitions(codes[place]).items):
            parts = _with_needs(place, codes, whole)
            if any(_READS.search(codes[part.place].without_literals) for part in parts):
                return parts
    return _with_needs(alone, codes, whole)


def _with_needs(
    last: int,
    codes: Sequence[Source],
    whole: Sequence[bool],
    missing: frozenset[str] = frozenset(),
) -> list[Part]:
    """Return a block with the definitions from earlier blocks that it needs or that are missing.
    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw1/Llama3.1 8B_hw1_answer_1)
    """
    parts = [_all(last, codes)]
    program = definitions(codes[last])
    if not program.items:
        return parts
    own = set(program.keys)
    left = {*uses(codes[last]), *map(use, missing)}
    for place in reversed(range(last)):
        code = codes[place]
        if not whole[place]:
            continue
        items = definitions(code).items
        if all(item.kind in _DECLARATIONS for item in items):
            # Names declared separately may be meant for the caller.
            declared = definitions(code).keys
            part = Part(place, []) if declared & own else _all(place, codes)
        else:
            ranges, left = needed(code, left)
            part = Part(place, ranges)
        if part.ranges:
            own |= definitions(code).keys
            parts.append(part)
    return parts[::-1]


def _all(place: int, codes: Sequence[Source]) -> Part:
    """Return all of a block."""
    return Part(place, [(0, len(codes[place].text))])


def _last_draft(
    codes: Sequence[Source],
    whole: Sequence[bool],
    offered: Sequence[frozenset[str]],
    wanted: frozenset[str],
) -> int | None:
    """Return the last whole block that defines a wanted name.

    A block that only quotes the beginning of the draft before it does not count.

    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw10/Llama3.3 70B_hw10_answer_5)
    """
    last: int | None = None
    known: dict[Key, _Written] = {}
    for place, code in enumerate(codes):
        if not whole[place]:
            continue
        items = definitions(code).items
        fresh: dict[Key, _Written] = {}
        heads: set[str] = set()
        for item in items:
            written = _written(code, item.start, item.stop)
            before = {known.get(key) for key in item.keys}
            if not all(each and written.quotes(each) for each in before):
                fresh.update(dict.fromkeys(item.keys, written))
                heads |= item.heads
        own = wanted & offered[place]
        if own and (own & heads or known.keys() & fresh.keys()):
            last = place
        known.update(fresh)
    return last


@dataclass(frozen=True, eq=False)
class _Written:
    """A text without comments and layout, and the offsets where its original lines ended.
    (jaylene-zhang/ArtifactProgramming2025 Explain/q06/GPT4o_q06_answer_3)
    """

    text: str
    ends: frozenset[int]

    def quotes(self, earlier: _Written) -> bool:
        """Return whether this text only repeats another one, or its beginning.

        A quotation of the beginning ends at the end of a line and in the middle of an expression; a
        text that is complete without the rest is another draft.
        """
        stop = len(self.text)
        if not earlier.text.startswith(self.text) or stop == len(earlier.text):
            return earlier.text == self.text
        ends = _MAY_END.match(earlier.text, stop + 1) and not self.text.endswith(";")
        return stop in earlier.ends and not ends


def _written(code: Source, start: int, stop: int) -> _Written:
    """Return a part of the code with its words in one line."""
    lines = [line.split() for line in code.without_comments[start:stop].split("\n")]
    words = [" ".join(line) for line in lines if line]
    ends = accumulate(len(line) + 1 for line in words)
    return _Written(" ".join(words), frozenset(end - 1 for end in ends))
