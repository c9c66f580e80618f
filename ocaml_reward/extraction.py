"""
Take the OCaml out of what a model wrote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from .fences import Block, Fenced, find_blocks
from .lexing import Source, opens_structure
from .signature import continued

__all__ = ["Extraction", "How", "extract"]


class How(StrEnum):
    """
    Where the code came from.
    """

    FENCE = "fence"
    WHOLE = "whole"
    CONTINUATION = "continuation"


@dataclass(frozen=True, kw_only=True, slots=True)
class Extraction:
    """
    The code of a completion, and what the penalties need to know about the rest.

    `source` is the code, for readers who want it lexed; `fenced_blocks` are all blocks that could be OCaml, `prose` the text outside every
    fence, `text` the completion without its thoughts.  `end_marker_present` says that
    the marker stands after the code; `end_markers` counts it anywhere in `text`.
    `wanted` are the names that the tests use, without what they take from a module;
    `prompt` is the problem's.
    """

    source: Source
    how: How
    text: str
    prose: str
    fenced_blocks: tuple[str, ...] = ()
    end_marker_present: bool = False
    end_markers: int = 0
    wanted: frozenset[str] = frozenset()
    prompt: str = ""

    @property
    def code(self) -> str:
        """
        The text of the code.
        """
        return self.source.text

    @property
    def has_code(self) -> bool:
        """
        Say whether the code is more than blanks and comments.
        """
        if self.source.lines:
            return True
        # A comment that never ends is a mistake in code, which the lexer reports.
        code = self.code.rstrip()
        return bool(code) and not code.endswith("*)")


# An opening tag counts at the start of a line only, or it could stand in a string.
_THINK = re.compile(r"^[ \t]*<think(?:ing)?>", re.MULTILINE | re.IGNORECASE)
_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_EITHER = re.compile(r"</?think(?:ing)?>", re.IGNORECASE)


class _Reading(NamedTuple):
    """
    A text taken apart; `codes` are what is in those `blocks` that may be OCaml.

    `first` is where the first fence opens when the text starts outside of any.
    """

    fenced: Fenced
    first: int
    blocks: tuple[Block, ...]
    codes: tuple[Source, ...]

    def defines(self, names: frozenset[str]) -> bool:
        """
        Say whether a block defines any of the names.
        """
        return bool(names) and any(names & code.outline.names for code in self.codes)


def extract(
    text: str,
    *,
    uses: Sequence[str] = (),
    prompt: str = "",
    end_marker: str | None = None,
) -> Extraction:
    """
    Find the code in a completion's text.

    Thoughts are dropped.  Among the fenced blocks that may be OCaml the one that
    defines most of the names in `uses` is taken, the first of equals; the longest where
    none defines any.  Without a fence the whole text is code.  Code that defines none of
    `uses`, under a `prompt` that ends in an open signature, continues that signature.

    Never raises, and takes time linear in the text.
    """
    text = _answer(_normalised(text))
    names = _simple_names(uses)
    whole = Source(text)
    reading = _read_fences(text, prompt, names)
    fenced, blocks, codes = reading.fenced, reading.blocks, reading.codes
    how, code, after = How.FENCE, Source(""), ""
    if not fenced.blocks or _fences_are_comments(whole, reading.first, names):
        how, code = How.WHOLE, whole
    elif blocks:
        place = _choose(codes, names)
        code, after = codes[place], text[blocks[place].end :]
    else:
        prose = Source(fenced.prose)
        if names & prose.outline.names:
            # Plain code, and a block of shell output or the like beside it.
            how, code = How.WHOLE, prose
    present = False
    if end_marker:
        present = end_marker in _tail(code, end_marker) + after
        code = _without_foreign_marker(code, end_marker)
    if joined := continued(code, _normalised(prompt), names):
        how, code = How.CONTINUATION, Source(joined)
    return Extraction(
        source=code,
        how=how,
        text=text,
        prose=fenced.prose,
        fenced_blocks=tuple(block.content for block in blocks),
        end_marker_present=present,
        end_markers=text.count(end_marker) if end_marker else 0,
        wanted=names,
        prompt=prompt,
    )


def _normalised(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _answer(text: str) -> str:
    """
    Drop the thoughts.

    A closing tag alone ends thoughts that the prompt's template opened.  Thoughts never
    closed hold no answer: the model was cut off, or stopped, before it gave one.
    """
    if not _EITHER.search(text):
        return text
    pieces: list[str] = []
    place = 0
    while opened := _THINK.search(text, place):
        pieces.append(text[place : opened.start()])
        closed = _THOUGHT.search(text, opened.end())
        if not closed:
            return _after_thoughts("".join(pieces))
        place = closed.end()
    pieces.append(text[place:])
    return _after_thoughts("".join(pieces))


def _after_thoughts(text: str) -> str:
    end = 0
    for closed in _THOUGHT.finditer(text):
        end = closed.end()
    return text[end:]


def _simple_names(uses: Sequence[str]) -> frozenset[str]:
    """
    Reduce `Stack.push` to `Stack` and `( + )` to `+`.
    """
    plain = (use.strip("() ") for use in uses)
    return frozenset(
        name.partition(".")[0] if name[:1].isalpha() else name for name in plain
    )


def _read_fences(text: str, prompt: str, names: frozenset[str]) -> _Reading:
    """
    Find the blocks, knowing that a prompt may have opened the first one.
    """
    plain = find_blocks(text)
    if not plain.blocks:
        return _Reading(plain, 0, (), ())
    first = plain.blocks[0].start
    reading = _read(plain, first)
    if reading.defines(names):
        return reading
    if _ends_in_fence(prompt):
        return _read(find_blocks(text, inside=True), first)
    before = Source(text[:first])
    if opens_structure(before.blank) and names & before.outline.names:
        # The first fence closes: code, then a fence, then an explanation.
        return _read(find_blocks(text, inside=True), first)
    return reading


def _read(fenced: Fenced, first: int) -> _Reading:
    blocks = tuple(block for block in fenced.blocks if block.is_ocaml)
    codes = tuple(Source(block.content) for block in blocks)
    return _Reading(fenced, first, blocks, codes)


def _ends_in_fence(prompt: str) -> bool:
    found = find_blocks(_normalised(prompt) + "\n")
    return bool(found.blocks) and found.blocks[-1].end > len(_normalised(prompt))


def _fences_are_comments(whole: Source, first: int, names: frozenset[str]) -> bool:
    """
    Tell plain code whose comments show a fenced example from fenced code.
    """
    # A fence stays one unless a comment or a literal has begun before its line ends.
    if not names or whole.is_plain(until=_line_end(whole.text, first)):
        return False
    bare = whole.blank
    return not find_blocks(bare).blocks and bool(names & whole.outline.names)


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _choose(codes: Sequence[Source], names: frozenset[str]) -> int:
    """
    Return the place of the code that is the answer.
    """

    def rank(place: int) -> tuple[int, int]:
        known = len(names & codes[place].outline.names) if names else 0
        return known, 0 if known else len(codes[place].text)

    return max(range(len(codes)), key=rank)


def _tail(code: Source, marker: str) -> str:
    """
    Cut what follows the last token of the code: comments, blanks and the marker.
    """
    end = len(code.bare.rstrip())
    if marker in code.text[max(0, end - len(marker)) : end]:
        # The marker is no comment, and so was itself the last token.
        end -= len(marker)
    return code.text[end:]


def _without_foreign_marker(code: Source, marker: str) -> Source:
    """
    Take a marker that OCaml would not read as a comment off the end of the code.
    """
    if not _is_foreign(marker):
        return code
    shorter = code.text.rstrip()
    return Source(shorter.removesuffix(marker)) if shorter.endswith(marker) else code


@lru_cache(maxsize=16)
def _is_foreign(marker: str) -> bool:
    return bool(Source(marker).blank.strip())
