"""Extracts the OCaml code from a completion."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from ..model.breakdown import without_ranges
from .answer import answer
from .definitions import defined_names, opens_structure
from .lexing import Source
from .markdown import OCAML_TAGS, Block, Fenced, find_blocks
from .prose import between_prose, runs_of_code
from .signature import PromptCode, continued, prompt_code
from .source_map import (
    Edit,
    Piece,
    Ranges,
    SourceMap,
    cut,
    edited,
    inserted_ranges,
    joined,
    kept,
    source_map_of,
)
from .thoughts import layout_edits, next_turn, thought_edits, turn_edits
from .wrapping import (
    backtick_edits,
    box_edits,
    directive_edits,
    quote_edits,
    wrapper_edits,
)

MOST_CHARACTERS = 2_000_000
"""Maximum number of characters of a completion that are read.

This is four times the longest outputs of models, 128,000 tokens; ocamlc itself gives up on a
megabyte of definitions. Reading takes linear time, but tens of megabytes would delay a batch.
(docs/performance.md)
"""

_WORD = re.compile(r"\w")
# A wrapper may be in a wrapper: the answers of llama-3.1-8b in ArtifactProgramming2025.
_STEPS: Final[tuple[Callable[[str], list[Edit]], ...]] = (
    layout_edits, thought_edits, turn_edits, backtick_edits, quote_edits, wrapper_edits,
    wrapper_edits, box_edits, directive_edits,
)  # fmt: skip


class How(StrEnum):
    """Origin of the code in the completion."""

    FENCE = "fence"
    WHOLE = "whole"
    CONTINUATION = "continuation"


@dataclass(frozen=True, kw_only=True, slots=True)
class Extraction:
    """The code of a completion, and what the penalties need to know about the rest.

    Attributes:
        source: The code, with its lexed forms.
        fenced_blocks: The blocks that could be OCaml by their tags, or all blocks if none could.
        text: The completion without its thoughts.
        prose: The text outside every fence.
        end_marker_present: Whether the marker comes after the code.
        ends_with_marker: Whether the marker also ends the text, except for a closing fence.
        end_markers: Number of markers anywhere in `text`.
        wanted: The names that the tests use, without items of modules.
        prompt: The problem's prompt.
        given: Ranges of the code that the problem gave, once that is put in.
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
        """Return the code without what the problem gave."""
        return Source(without_ranges(self.code, self.given)) if self.given else self.source

    def with_given(self, edits: Sequence[Edit]) -> Extraction:
        """Return the extraction with the problem's own code put in."""
        if not edits:
            return self
        source = Source(edited(self.code, edits))
        return replace(self, source=source, given=inserted_ranges(edits))

    @property
    def code(self) -> str:
        """Return the text of the code."""
        return self.source.text

    @property
    def has_code(self) -> bool:
        """Return whether the code is more than whitespace and comments.
        (kirang89/ocamler-grpo doc/2025-12-11-epoch-0.21-training-failure-analysis.md:251)
        """
        if self.source.lines:
            return True
        # The lexer reports an unterminated comment, so it counts as code.
        code = self.code.rstrip()
        return bool(code) and not code.endswith("*)")


class Traced(NamedTuple):
    """An extraction, and a function that returns the origins of its code in the completion."""

    extraction: Extraction
    origins: Callable[[], SourceMap]

    def with_given(self, edits: Sequence[Edit]) -> Traced:
        """Return both with the problem's own code put in."""
        if not edits:
            return self
        text = self.extraction.code
        return Traced(
            self.extraction.with_given(edits),
            lambda: source_map_of(text, edits).after(self.origins()),
        )


class _Taken(NamedTuple):
    """The code of a text, its source map, and the text after its last block.

    `last` is code after it that belongs to another task.
    """

    how: How
    code: Source
    made: Callable[[], SourceMap]
    after: str = ""
    last: Source | None = None


def extract(
    text: str,
    *,
    uses: tuple[str, ...] = (),
    files: Sequence[str] = (),
    prompt: str = "",
    end_marker: str | None = None,
) -> Extraction:
    """Extract the code from a completion's text, as described in `docs/scoring.md`.

    Never raises, and takes time linear in the text.

    Args:
        text: The completion.
        uses: The names that the tests use.
        files: Modules in which these names may be defined.
        prompt: The problem's prompt.
        end_marker: The scheme's end marker.
    """
    found = traced(
        text,
        uses=uses,
        files=files,
        prompt=prompt,
        end_marker=end_marker,
    )
    return found.extraction


def traced(
    text: str,
    *,
    uses: tuple[str, ...] = (),
    files: Sequence[str] = (),
    prompt: str = "",
    end_marker: str | None = None,
) -> Traced:
    """Extract the code as `extract` does, with the origins of its characters in the text."""
    made: list[tuple[str, list[Edit]]] = []
    for step in _STEPS:
        if edits := step(text):
            made.append((text, edits))
            text = edited(text, edits)
    wanted, modules = _wanted(uses), frozenset(files)
    names = wanted | modules
    prompt_parts = prompt_code(prompt)
    fenced = _fenced(text, prompt_parts, names)
    # Text after another speaker's turn answers a question that was not asked.
    turn = text[: next_turn(text)]
    first = fenced if turn == text else _fenced(turn, prompt_parts, names)
    found = _taken(turn, first, prompt_parts, names, end_marker, files=modules)
    how, code = found.how, found.code
    present = False
    if end_marker:
        present = end_marker in _tail(found.last or code, end_marker) + found.after
    length = len(code.text)
    # Code that follows a signature has lost its leading newlines.
    rest = len(code.text.lstrip("\n"))
    if whole := continued(code, prompt_parts, names):
        how, code = How.CONTINUATION, Source(whole)
    else:
        rest = length
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
    )

    def origins() -> SourceMap:
        signature = Piece(0, len(code.text) - rest, None)
        stands = joined([signature, *cut(found.made(), length - rest, length)])
        for step in reversed(made):
            stands = stands.after(source_map_of(*step))
        return stands

    return Traced(extraction, origins)


def _top_name(use: str) -> str:
    """Return the top-level name: `Stack` for `Stack.push`, `+` for `( + )`.
    (sauravbhattacharya001/Ocaml-sample-code tests/test_sunday_.ml)
    """
    name = use.strip("() ")
    return name.partition(".")[0] if name[:1].isalpha() else name


@lru_cache(maxsize=256)
def _wanted(uses: tuple[str, ...]) -> frozenset[str]:
    """Return the top-level names among those that tests use."""
    return frozenset(map(_top_name, uses))


def _define(blocks: Sequence[Block], names: frozenset[str]) -> bool:
    """Return whether a block defines one of the names."""
    return not names.isdisjoint([name for block in blocks for name in defined_names(block.content)])


def _ocaml(fenced: Fenced) -> Sequence[Block]:
    """Return the blocks that may be OCaml by their tags, or all blocks if none may.
    (jaylene-zhang/ArtifactProgramming2025 Repair/Llama3.1 8B_hw10_buggy_code_36_answer_1)
    """
    tagged = [block for block in fenced.blocks if block.tag in OCAML_TAGS]
    return tagged or fenced.blocks


def _fenced(text: str, prompt: PromptCode, names: frozenset[str]) -> Fenced:
    """Return the blocks of a completion; the first fence may close one that the prompt opened."""
    fenced = find_blocks(text)
    if not fenced.blocks or _define(fenced.blocks, names):
        return fenced
    before = text[: fenced.blocks[0].start]
    defined = opens_structure(before) and bool(defined_names(before) & names)
    # A fence with a tag opens a block in any case.
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
    """Return the code among blocks and prose."""
    blocks = _ocaml(fenced)
    is_defined = _define(blocks, names)
    if prompt.opened and not is_defined and (rest := _rest(text, blocks, prompt, names)):
        made = kept(list(rest.kept(text)))
        return _Taken(How.FENCE, Source(rest.content), lambda: made, text[rest.end :])
    if blocks:
        return _of_blocks(text, blocks, names, marker, files=files)
    return _plain(text, names, marker, files=files)


def _rest(
    text: str, blocks: Sequence[Block], prompt: PromptCode, names: frozenset[str]
) -> Block | None:
    """Return the rest of the definition that the prompt breaks off in; None if there is none.

    This is the first block that completes it, or else the code among prose before the first fence,
    which may close the prompt's block.

    (kirang89/ocamler-grpo eval/ocaml_tests_sample.csv:10)
    """
    first = blocks[0].start if blocks else len(text)
    shown = [block for block in blocks if block.closed]
    for block in (*shown, between_prose(text[:first])):
        if continued(Source(block.content), prompt, names):
            return block
    return None


def _plain(
    text: str,
    names: frozenset[str],
    marker: str | None,
    *,
    files: frozenset[str],
) -> _Taken:
    """Return the code of a text without fences: all of it except surrounding prose.
    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw1/Claude 3.7 Sonnet_hw1_answer_2)
    """
    shown = runs_of_code(text)
    if not any(defined_names(run.content) & names or not names for run in shown):
        return _Taken(How.WHOLE, Source(text), lambda: kept([(0, len(text))]))
    found = _of_blocks(text, shown, names, marker, files=files)
    last = Source(shown[-1].content)
    # If another program follows, the first one was not the end of the answer.
    is_last = found.code.text.endswith(last.text)
    return found._replace(
        how=How.WHOLE,
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
    """Return the code that blocks make together.
    (kirang89/ocamler-grpo doc/2025-12-11-epoch-0.21-training-failure-analysis.md:210)
    """
    if marker:
        # A block that ends with the end marker was not cut off.
        blocks = [
            block
            if block.closed
            else block._replace(closed=block.content.rstrip().endswith(marker))
            for block in blocks
        ]
    codes = [Source(block.content) for block in blocks]
    pieces: list[Piece] = []
    texts: list[str] = []
    parts = answer(blocks, codes, names, files)
    for place, ranges in parts:
        content = codes[place].text
        part = content if ranges is None else "".join(content[a:b] for a, b in ranges)
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
    """Return whether no word follows the last marker; a closing fence may.
    (kirang89/ocamler-grpo doc/2025-12-11-epoch-0.21-training-failure-analysis.md:118)
    """
    _, found, behind = text.rpartition(marker)
    return bool(found) and not _WORD.search(behind)


def _tail(code: Source, marker: str) -> str:
    """Return the text after the last token of the code: comments, whitespace and the marker."""
    end = len(code.without_comments.rstrip())
    if marker in code.text[max(0, end - len(marker)) : end]:
        # A string that never ends swallows it.
        end -= len(marker)
    return code.text[end:]
