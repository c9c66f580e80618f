"""
Take the OCaml out of what a model wrote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from .blocks import read_fences
from .fences import find_blocks
from .joining import answer
from .lexing import Source
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

    `source` is the code, for readers who want it lexed; `fenced_blocks` are all blocks that
    could be OCaml by their tags, or all there are if none is; `prose` is the text outside every fence, `text` the completion without its thoughts.  `end_marker_present` says that
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
    reading = read_fences(text, _normalised(prompt), names)
    fenced, blocks, codes = reading.fenced, reading.blocks, reading.codes
    how, code, after = How.FENCE, Source(""), ""
    if not fenced.blocks or _fences_are_comments(whole, reading.first, names):
        how, code = How.WHOLE, whole
    elif blocks:
        found = answer(blocks, codes, names)
        code = _together(found.codes, end_marker)
        after = text[blocks[found.last].end :]
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
        fenced_blocks=tuple(block.content for block in reading.counted),
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


def _together(codes: Sequence[Source], marker: str | None) -> Source:
    """
    Put blocks one under the other.
    """
    if len(codes) == 1:
        return codes[0]
    *before, last = codes
    if marker:
        before = [_without_foreign_marker(code, marker) for code in before]
    return Source("\n".join(code.text for code in (*before, last)))


def _tail(code: Source, marker: str) -> str:
    """
    Cut what follows the last token of the code: comments, blanks and the marker.
    """
    end = len(code.without_comments.rstrip())
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
    return bool(Source(marker).without_literals.strip())
