"""Take the OCaml out of what a model wrote."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from .answer import answer
from .definitions import defined_names, opens_structure
from .given import Given, lent, put_in, without
from .json_answers import json_edits
from .lexing import Source
from .markdown import OCAML_TAGS, Block, Fenced, find_blocks, inline_edits
from .prose import between_prose, runs_of_code
from .signature import PromptCode, continued, prompt_code
from .source_map import (
    Edit,
    Piece,
    Ranges,
    SourceMap,
    cut,
    edited,
    joined,
    kept,
    map_of,
)
from .thoughts import layout_edits, next_turn, thought_edits, turn_edits
from .wrapping import box_edits, quote_edits, wrapper_edits

MOST_CHARACTERS = 2_000_000
"""What is read of a completion.

Four times what models write at most, 128,000 tokens; ocamlc itself gives up on a megabyte
of definitions.  All that reads a completion takes time linear in it, but a batch would
wait for tens of megabytes.  (docs/performance.md)
"""

_WORD = re.compile(r"\w")
# The arguments of a call are JSON in a string of JSON; a quotation may quote, and a wrapper wrap,
# another.
_STEPS: tuple[Callable[[str], list[Edit]], ...] = (
    *(layout_edits, thought_edits, turn_edits, json_edits, json_edits),
    *(quote_edits, quote_edits, *[wrapper_edits] * 4, box_edits, inline_edits),
)


class How(StrEnum):
    """Where the code came from."""

    FENCE = "fence"
    WHOLE = "whole"
    CONTINUATION = "continuation"


@dataclass(frozen=True, kw_only=True, slots=True)
class Extraction:
    """The code of a completion, and what the penalties need to know about the rest.

    `source` is the code, for readers who want it lexed; `fenced_blocks` are all blocks that
    could be OCaml by their tags, or all there are if none is; `prose` is the text outside every
    fence, `text` the completion without its thoughts.  `end_marker_present` says that the marker
    stands after the code, `ends_with_marker` that it ends the text, too, but for a closing fence;
    `end_markers` counts it anywhere in `text`.  `wanted` are the names that the tests use, without
    what they take from a module; `prompt` is the problem's.  What the problem gives stands in the
    code, too, at the ranges `given`.
    """

    source: Source
    how: How
    text: str
    prose: str
    fenced_blocks: tuple[str, ...] = ()
    end_marker_present: bool = False
    ends_with_marker: bool = False
    end_markers: int = 0
    wanted: frozenset[str] = frozenset()
    prompt: str = ""
    given: Ranges = ()

    @property
    def own(self) -> Source:
        """The code without what the problem gives."""
        return Source(without(self.code, self.given)) if self.given else self.source

    @property
    def code(self) -> str:
        """The text of the code."""
        return self.source.text

    @property
    def has_code(self) -> bool:
        """Say whether the code is more than blanks and comments."""
        if self.source.lines:
            return True
        # A comment that never ends is a mistake in code, which the lexer reports.
        code = self.code.rstrip()
        return bool(code) and not code.endswith("*)")


class Traced(NamedTuple):
    """An extraction, and what tells where its code stands in the completion."""

    extraction: Extraction
    origins: Callable[[], SourceMap]


class _Taken(NamedTuple):
    """The code of a text, the blocks it was made of, and what follows the last of them.  `last` is
    code that stands behind it, and is another task's.
    """

    how: How
    code: Source
    made: Callable[[], SourceMap]
    after: str = ""
    last: Source | None = None


def extract(
    text: str,
    *,
    uses: Sequence[str] = (),
    files: Sequence[str] = (),
    prompt: str = "",
    given: Given | None = None,
    end_marker: str | None = None,
) -> Extraction:
    """Find the code in a completion's text, as `docs/scoring.md` says; `uses` are the names that the
    tests take from it, `files` modules in which these may stand or not; `given` stands before it,
    None for what stands before the definition that the prompt breaks off in.

    Never raises, and takes time linear in the text.
    """
    found = traced(
        text,
        uses=uses,
        files=files,
        prompt=prompt,
        given=given,
        end_marker=end_marker,
    )
    return found.extraction


def traced(
    text: str,
    *,
    uses: Sequence[str] = (),
    files: Sequence[str] = (),
    prompt: str = "",
    given: Given | None = None,
    end_marker: str | None = None,
) -> Traced:
    """Find the code as `extract` does, and how to tell where each of its characters stands
    in the text.
    """
    made: list[tuple[str, list[Edit]]] = []
    for step in _STEPS:
        if edits := step(text):
            made.append((text, edits))
            text = edited(text, edits)
    wanted, modules = frozenset(map(_top_name, uses)), frozenset(files)
    names = wanted | modules
    asked = prompt_code(prompt)
    fenced = _fenced(text, asked, names)
    # What stands behind another's turn answers what nobody has asked.
    turn = text[: next_turn(text)]
    first = fenced if turn == text else _fenced(turn, asked, names)
    found = _taken(turn, first, asked, names, end_marker, files=modules)
    how, code = found.how, found.code
    present = False
    if end_marker:
        present = end_marker in _tail(found.last or code, end_marker) + found.after
        code = _without_foreign(code, end_marker)
    length = len(code.text)
    # What a signature was put before has lost the line ends that it began with.
    rest = len(code.text.lstrip("\n"))
    if whole := continued(code, asked, names):
        how, code = How.CONTINUATION, Source(whole)
    else:
        rest = length
    own = code
    put = lent(code, given or Given(code=asked.given), opens=how is How.CONTINUATION)
    code = Source(edited(own.text, put)) if put else own
    extraction = Extraction(
        source=code,
        how=how,
        text=text,
        prose=fenced.prose,
        fenced_blocks=tuple(block.content for block in _ocaml(fenced)),
        end_marker_present=present,
        ends_with_marker=present and _is_last(end_marker or "", text),
        end_markers=text.count(end_marker) if end_marker else 0,
        wanted=wanted,
        prompt=prompt,
        given=put_in(put),
    )

    def origins() -> SourceMap:
        signature = Piece(0, len(own.text) - rest, None)
        stands = joined([signature, *cut(found.made(), length - rest, length)])
        stands = map_of(own.text, put).after(stands)
        for step in reversed(made):
            stands = stands.after(map_of(*step))
        return stands

    return Traced(extraction, origins)


@lru_cache(maxsize=16)
def is_foreign(marker: str) -> bool:
    """Tell whether OCaml would not read an end marker as a comment."""
    return bool(Source(marker).without_literals.strip())


def _top_name(use: str) -> str:
    """Reduce `Stack.push` to `Stack` and `( + )` to `+`."""
    name = use.strip("() ")
    return name.partition(".")[0] if name[:1].isalpha() else name


def _ocaml(fenced: Fenced) -> Sequence[Block]:
    """Choose the blocks that may be OCaml by their tags; all there are if none is."""
    tagged = [block for block in fenced.blocks if block.tag in OCAML_TAGS]
    return tagged or fenced.blocks


def _fenced(text: str, prompt: PromptCode, names: frozenset[str]) -> Fenced:
    """Find the blocks, knowing that the first fence may close one that the prompt opened."""
    fenced = find_blocks(text)
    if not fenced.blocks or any(
        defined_names(b.content) & names for b in fenced.blocks
    ):
        return fenced
    before = text[: fenced.blocks[0].start]
    defined = opens_structure(before) and bool(defined_names(before) & names)
    # A fence with a tag opens a block all the same.
    inside = prompt.in_fence or (defined and not fenced.blocks[0].tag)
    return find_blocks(text, inside=True) if inside else fenced


def _taken(
    text: str,
    fenced: Fenced,
    prompt: PromptCode,
    names: frozenset[str],
    marker: str | None,
    *,
    files: frozenset[str],
) -> _Taken:
    """Find the code among blocks and prose."""
    blocks = _ocaml(fenced)
    is_defined = any(defined_names(block.content) & names for block in blocks)
    # Plain code, and an example, shell output or the like in a block beside it.
    is_plain = not is_defined and bool(defined_names(fenced.prose) & names)
    is_body = prompt.opened and not (is_defined or is_plain)
    if is_body and (rest := _rest(text, blocks, prompt, names)):
        made = kept(list(rest.kept(text)))
        return _Taken(How.FENCE, Source(rest.content), lambda: made, text[rest.end :])
    if blocks and not is_plain:
        return _of_blocks(text, blocks, names, marker, files=files)
    edges = [0, *(edge for block in fenced.blocks for edge in block[:2]), len(text)]
    outside = kept(list(zip(edges[::2], edges[1::2], strict=True)))
    return _plain(fenced.prose, outside, names, marker, files=files)


def _rest(
    text: str, blocks: Sequence[Block], prompt: PromptCode, names: frozenset[str]
) -> Block | None:
    """Find what completes the definition that the prompt breaks off in: the first block that does,
    or else what stands among prose before the first fence, which may close what was opened.
    """
    first = blocks[0].start if blocks else len(text)
    shown = [block for block in blocks if block.closed]
    for block in (*shown, between_prose(text[:first])):
        if continued(Source(block.content), prompt, names):
            return block
    return None


def _plain(
    text: str,
    outside: SourceMap,
    names: frozenset[str],
    marker: str | None,
    *,
    files: frozenset[str],
) -> _Taken:
    """Find the code in what stands outside of fences: all of it, but for prose around it."""
    shown = runs_of_code(text)
    if not any(defined_names(run.content) & names or not names for run in shown):
        return _Taken(How.WHOLE, Source(text), lambda: outside)
    found = _of_blocks(text, shown, names, marker, files=files)
    last = Source(shown[-1].content)
    # Who writes another program has not ended with the first.
    is_last = found.code.text.endswith(last.text)
    return found._replace(
        how=How.WHOLE,
        made=lambda: found.made().after(outside),
        after=text[shown[-1].end :],
        last=None if is_last else last,
    )


def _of_blocks(
    text: str,
    blocks: Sequence[Block],
    names: frozenset[str],
    marker: str | None,
    *,
    files: frozenset[str],
) -> _Taken:
    """Read blocks together."""
    if marker:
        # Nothing has cut a block off that ends with the end marker.
        blocks = [
            block._replace(
                closed=block.closed or block.content.rstrip().endswith(marker)
            )
            for block in blocks
        ]
    codes = [Source(block.content) for block in blocks]
    pieces: list[Piece] = []
    texts: list[str] = []
    parts = answer(blocks, codes, names, files)
    for place, ranges in parts:
        content = codes[place].text
        part = content if ranges is None else "".join(content[a:b] for a, b in ranges)
        if marker and place != parts[-1].place:
            part = _without_foreign(Source(part), marker).text
        texts.append(part)
    code = codes[parts[0].place] if parts == [(parts[0].place, None)] else None

    def made() -> SourceMap:
        for (place, ranges), part in zip(parts, texts, strict=True):
            if pieces:
                pieces.append(Piece(0, 1, None))
            own = kept(list(blocks[place].kept(text)))
            if ranges is not None:
                own = kept(ranges).after(own)
            pieces.extend(cut(own, 0, len(part)))
        return joined(pieces)

    after = text[blocks[parts[-1].place].end :]
    return _Taken(How.FENCE, code or Source("\n".join(texts)), made, after)


def _is_last(marker: str, text: str) -> bool:
    """Say whether no word follows the last marker: a fence may close behind it."""
    _, found, behind = text.rpartition(marker)
    return bool(found) and not _WORD.search(behind)


def _tail(code: Source, marker: str) -> str:
    """Cut what follows the last token of the code: comments, blanks and the marker."""
    end = len(code.without_comments.rstrip())
    if marker in code.text[max(0, end - len(marker)) : end]:
        # The marker is no comment, and so was itself the last token.
        end -= len(marker)
    return code.text[end:]


def _without_foreign(code: Source, marker: str) -> Source:
    """Take a marker that OCaml would not read as a comment off the end of the code."""
    if not is_foreign(marker):
        return code
    shorter = code.text.rstrip()
    return Source(shorter.removesuffix(marker)) if shorter.endswith(marker) else code
