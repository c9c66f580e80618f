"""Extracts the OCaml code from a completion."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from ..model.breakdown import without_ranges
from .answer import answer
from .definitions import defined_names, opens_structure
from .lexing import Source
from .markdown import OCAML_TAGS, Block, find_blocks
from .prose import between_prose, runs_of_code
from .python import is_python
from .signature import PromptCode, continued, prompt_code
from .source_map import Edit, Ranges, SourceMap, copied, edited, inserted_ranges, keeping
from .thoughts import layout_edits, next_turn, thought_edits, turn_edits
from .wrapping import backtick_edits, box_edits, directive_edits, quote_edits, wrapper_edits

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
        blocks: Which of the completion's blocks the code was taken from, counted from 1.
        block_count: The number of its blocks.
        is_python: Whether there is no code because all that stands there is Python.
        steps: The texts from the completion to the code, each with the edits that lead to the next.
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
    blocks: tuple[int, ...] = ()
    block_count: int = 0
    is_python: bool = False
    steps: tuple[tuple[str, Sequence[Edit]], ...] = field(default=(), compare=False, repr=False)

    @property
    def own(self) -> Source:
        """Return the code without what the problem gave."""
        return Source(without_ranges(self.code, self.given)) if self.given else self.source

    def with_given(self, edits: Sequence[Edit]) -> Extraction:
        """Return the extraction with the problem's own code put in."""
        if not edits:
            return self
        return replace(
            self,
            source=Source(edited(self.code, edits)),
            given=inserted_ranges(edits),
            steps=(*self.steps, (self.code, edits)),
        )

    def origins(self) -> SourceMap:
        """Return the origins of the code in the completion."""
        return SourceMap([copied(*step) for step in reversed(self.steps)])

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


class _Taken(NamedTuple):
    """The edits that leave the code of a text, and the text after its last block.

    `last` is code after it that belongs to another task, `blocks` are the numbers of the blocks.
    """

    how: How
    edits: Sequence[Edit]
    after: str = ""
    last: Source | None = None
    blocks: tuple[int, ...] = ()
    is_python: bool = False


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
    steps: list[tuple[str, Sequence[Edit]]] = []
    for step in _STEPS:
        if edits := step(text):
            steps.append((text, edits))
            text = edited(text, edits)
    wanted, modules = _wanted(uses), frozenset(files)
    names = wanted | modules
    prompt_parts = prompt_code(prompt)
    fenced = _fenced(text, prompt_parts, names)
    # Text after another speaker's turn answers a question that was not asked.
    turn = text[: next_turn(text)]
    first = fenced if turn == text else _fenced(turn, prompt_parts, names)
    marker = end_marker or ""
    found = _taken(turn, first, prompt_parts, names, files=modules, marker=marker)
    steps.append((turn, found.edits))
    how, code = found.how, Source(edited(turn, found.edits))
    present = bool(marker) and marker in _tail(found.last or code, marker) + found.after
    if edits := continued(code, prompt_parts, names):
        steps.append((code.text, edits))
        how, code = How.CONTINUATION, Source(edited(code.text, edits))
    return Extraction(
        source=code,
        how=how,
        text=text,
        prose=edited(text, [Edit(block.start, block.end) for block in fenced]),
        fenced_blocks=tuple(block.content for block in _ocaml(fenced)),
        end_marker_present=present,
        ends_with_marker=present and _is_last(marker, text),
        end_markers=text.count(marker) if marker else 0,
        wanted=wanted,
        prompt=prompt,
        steps=tuple(steps),
        blocks=found.blocks,
        block_count=len(fenced),
        is_python=found.is_python,
    )


@lru_cache(maxsize=256)
def _wanted(uses: tuple[str, ...]) -> frozenset[str]:
    """Return top-level names: `Stack` for `Stack.push`, `+` for `( + )`.
    (sauravbhattacharya001/Ocaml-sample-code tests/test_sunday_.ml)
    """
    names = [use.strip("() ") for use in uses]
    return frozenset(name.partition(".")[0] if name[:1].isalpha() else name for name in names)


def _define(blocks: Sequence[Block], names: frozenset[str]) -> bool:
    """Return whether a block defines one of the names."""
    return not names.isdisjoint([name for block in blocks for name in defined_names(block.content)])


def _ocaml(blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks that may be OCaml by their tags, or all blocks if none may; but no Python.
    (jaylene-zhang/ArtifactProgramming2025 Repair/Llama3.1 8B_hw10_buggy_code_36_answer_1)
    """
    left = [block for block in blocks if not is_python(block.content)]
    return [block for block in left if block.tag in OCAML_TAGS] or left


def _fenced(text: str, prompt: PromptCode, names: frozenset[str]) -> list[Block]:
    """Return the blocks of a completion; the first fence may close one that the prompt opened."""
    fenced = find_blocks(text)
    if not fenced or _define(fenced, names):
        return fenced
    before = text[: fenced[0].start]
    defined = opens_structure(before) and bool(defined_names(before) & names)
    # A fence with a tag opens a block in any case.
    inside = prompt.in_fence or (defined and not fenced[0].tag)
    return find_blocks(text, inside=True) if inside else fenced


def _taken(
    text: str,
    fenced: Sequence[Block],
    prompt: PromptCode,
    names: frozenset[str],
    *,
    files: frozenset[str],
    marker: str,
) -> _Taken:
    """Return the code among blocks and prose; without blocks, all of the text except surrounding
    prose.

    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw1/Claude 3.7 Sonnet_hw1_answer_2)
    (kirang89/ocamler-grpo doc/2025-12-11-epoch-0.21-training-failure-analysis.md:210)
    """
    blocks = _ocaml(fenced)
    if (
        prompt.opened
        and not _define(blocks, names)
        and (rest := _rest(text, blocks, prompt, names))
    ):
        return _Taken(How.FENCE, keeping(text, [rest.ranges]), text[rest.end :])
    if not blocks and (fenced or is_python(text)):
        how = How.FENCE if fenced else How.WHOLE
        return _Taken(how, keeping(text, []), is_python=True)
    shown = blocks or runs_of_code(text)
    if not shown or not (blocks or not names or _define(shown, names)):
        return _Taken(How.WHOLE, [])
    if marker:
        # A block that ends with the end marker was not cut off.
        shown = [
            block._replace(closed=block.closed or block.content.rstrip().endswith(marker))
            for block in shown
        ]
    parts = answer(shown, names, files)
    edits = keeping(text, [shown[place].places(ranges) for place, ranges in parts])
    if blocks:
        numbers = {block.start: number for number, block in enumerate(fenced, 1)}
        taken = tuple(numbers[shown[place].start] for place, _ in parts)
        return _Taken(How.FENCE, edits, text[shown[parts[-1][0]].end :], blocks=taken)
    last = shown[-1]
    # If another program follows, the first one was not the end of the answer.
    is_last = edited(text, edits).endswith(last.content)
    return _Taken(How.WHOLE, edits, text[last.end :], None if is_last else Source(last.content))


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
