"""
Take the OCaml out of what a model wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from typing import NamedTuple

from .blocks import read_fences
from .fences import Block, find_blocks
from .joining import Answer, answer
from .lexing import Source
from .origins import Origins, Piece, cut, joined, kept
from .signature import continued
from .thoughts import normal_ranges, normalised, spoken, spoken_ranges

__all__ = ["Extraction", "How", "Traced", "extract", "traced"]


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


class Traced(NamedTuple):
    """
    An extraction, and what tells where its code stands in the completion.
    """

    extraction: Extraction
    origins: Callable[[], Origins]


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
    return _extracted(text, uses, prompt, end_marker)[0]


def traced(
    text: str,
    *,
    uses: Sequence[str] = (),
    prompt: str = "",
    end_marker: str | None = None,
) -> Traced:
    """
    Find the code as `extract` does, and how to tell where each of its characters stands
    in the text.
    """
    extraction, taken = _extracted(text, uses, prompt, end_marker)

    def origins() -> Origins:
        said = kept(spoken_ranges(normalised(text)))
        return taken().after(said).after(kept(list(normal_ranges(text))))

    return Traced(extraction, origins)


def _extracted(
    text: str, uses: Sequence[str], prompt: str, end_marker: str | None
) -> tuple[Extraction, Callable[[], Origins]]:
    """
    Find the code; what comes second tells where it stands in what is said.
    """
    text = spoken(normalised(text))
    names = _simple_names(uses)
    whole = Source(text)
    reading = read_fences(text, normalised(prompt), names)
    fenced, blocks, codes = reading.fenced, reading.blocks, reading.codes
    how, code, after = How.FENCE, Source(""), ""
    # Where the code stands in the text, before it loses a marker at its end.
    made = partial(kept, ())
    if not fenced.blocks or _fences_are_comments(whole, reading.first, names):
        how, code = How.WHOLE, whole
        made = partial(kept, [(0, len(text))])
    elif blocks:
        found = answer(blocks, codes, names)
        before = _without_markers(found.codes, end_marker)
        code = _together(before)
        after = text[blocks[found.last].end :]
        made = partial(_of_blocks, text, blocks, found, before)
    else:
        prose = Source(fenced.prose)
        if names & prose.outline.names:
            # Plain code, and a block of shell output or the like beside it.
            how, code = How.WHOLE, prose
            made = partial(kept, _between(text, fenced.blocks))
    present = False
    if end_marker:
        present = end_marker in _tail(code, end_marker) + after
        code = _without_foreign_marker(code, end_marker)
    taken = code
    if continuing := continued(code, normalised(prompt), names):
        how, code = How.CONTINUATION, Source(continuing)
    extraction = Extraction(
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

    def origins() -> Origins:
        whole = len(taken.text)
        # What a signature was put before has lost the line ends that it began with.
        own = len(taken.text.lstrip("\n")) if continuing else whole
        signature = Piece(0, len(code.text) - own, None)
        return joined([signature, *cut(made(), whole - own, whole)])

    return extraction, origins


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


def _without_markers(codes: Sequence[Source], marker: str | None) -> tuple[Source, ...]:
    """
    Take the marker off all blocks but the last.
    """
    *before, last = codes
    if marker:
        before = [_without_foreign_marker(code, marker) for code in before]
    return (*before, last)


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
