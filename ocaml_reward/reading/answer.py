"""Selects the blocks of a completion that are its answer.

The answer is the last draft of the wanted definitions, with the definitions that it needs from
earlier blocks. Definitions are read as OCaml reads them: a later one replaces an earlier one of the
same name, and a name refers to the nearest one before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .definitions import Key, Program, definitions, is_whole, use
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


Part = tuple[int, Ranges]
"""The part of a block that belongs to the answer: the block's index and ranges of its content."""


def answer(blocks: Sequence[Block], wanted: frozenset[str], files: frozenset[str]) -> list[Part]:
    """Return the parts of blocks that form the answer when read one after the other.

    There is at least one block. Wanted names may be defined in the modules `files`, which are wanted,
    too, or outside of them.

    (exercism/ocaml exercises/practice/forth)
    """
    programs = [definitions(Source(block.content)) for block in blocks]
    if len(blocks) == 1:
        return [_all(0, programs[0])]
    # The block that defines most wanted names, or else the longest.
    # (jaylene-zhang/ArtifactProgramming2025 Explain/q30/Llama3.1 8B_q30_answer_5)
    known = [len(wanted & program.heads) for program in programs]
    sizes = known if any(known) else [len(block.content) for block in blocks]
    last = sizes.index(max(sizes))
    if len(blocks) > _MOST_BLOCKS:
        return [_all(last, programs[last])]
    whole = [
        (place, program)
        for place, program in enumerate(programs)
        if blocks[place].closed and is_whole(program.source)
    ]
    draft = _last_draft(whole, wanted)
    if draft is not None or wanted:
        last = last if draft is None else draft
        own = programs[last].heads
        if any(names and own >= names for names in (wanted - files, files)):
            # A draft that defines everything in modules needs nothing outside of them, and vice
            # versa.
            wanted &= own
        return _with_needs(last, programs[last], whole, wanted - own)
    for place, program in reversed(whole):
        if any(not item.names for item in program.items):
            parts = _with_needs(place, program, whole)
            if any(_READS.search(programs[each].source.without_literals) for each, _ in parts):
                return parts
    return _with_needs(last, programs[last], whole)


def _with_needs(
    last: int,
    program: Program,
    whole: Sequence[tuple[int, Program]],
    missing: frozenset[str] = frozenset(),
) -> list[Part]:
    """Return a block with the definitions from earlier blocks that it needs or that are missing.
    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw1/Llama3.1 8B_hw1_answer_1)
    """
    parts = [_all(last, program)]
    own = program.keys
    left = {*program.uses, *map(use, missing)}
    earlier = [pair for pair in whole if pair[0] < last] if program.items else []
    for place, each in reversed(earlier):
        if any(item.kind not in _DECLARATIONS for item in each.items):
            ranges, left = each.needed(left)
        else:
            # Names declared separately may be meant for the caller.
            ranges = [] if each.keys & own else [(0, len(each.source.text))]
        if ranges:
            own |= each.keys
            parts.append((place, ranges))
    return parts[::-1]


def _all(place: int, program: Program) -> Part:
    """Return all of a block."""
    return place, [(0, len(program.source.text))]


def _last_draft(whole: Sequence[tuple[int, Program]], wanted: frozenset[str]) -> int | None:
    """Return the last whole block that defines a wanted name.

    A block that only quotes the beginning of the draft before it does not count.

    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw10/Llama3.3 70B_hw10_answer_5)
    """
    last: int | None = None
    known: dict[Key, _Written] = {}
    for place, program in whole:
        fresh: dict[Key, _Written] = {}
        heads: set[str] = set()
        for item in program.items:
            written = _written(program.source.without_comments[item.start : item.stop])
            before = {known.get(key) for key in item.keys}
            if not all(each and written.quotes(each) for each in before):
                fresh.update(dict.fromkeys(item.keys, written))
                heads |= item.heads
        own = wanted & program.heads
        if own and (own & heads or known.keys() & fresh.keys()):
            last = place
        known.update(fresh)
    return last


class _Written(NamedTuple):
    """A text without comments and layout, in its lines and in one.
    (jaylene-zhang/ArtifactProgramming2025 Explain/q06/GPT4o_q06_answer_3)
    """

    lines: str
    text: str

    def quotes(self, earlier: _Written) -> bool:
        """Return whether this text only repeats another one, or its beginning.

        A quotation of the beginning ends at the end of a line and in the middle of an expression; a
        text that is complete without the rest is another draft.
        """
        stop = len(self.text)
        if not earlier.text.startswith(self.text) or stop == len(earlier.text):
            return earlier.text == self.text
        ends = _MAY_END.match(earlier.text, stop + 1) and not self.text.endswith(";")
        return earlier.lines[stop] == "\n" and not ends


def _written(code: str) -> _Written:
    """Return code with a blank between words."""
    lines = "\n".join(" ".join(line.split()) for line in code.split("\n") if line.strip())
    return _Written(lines, lines.replace("\n", " "))
