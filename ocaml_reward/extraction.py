"""
Take the OCaml out of what a model wrote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from .fences import Block, Fenced, find_blocks
from .lexing import blank, opens_structure, outline
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

    `fenced_blocks` are all blocks that could be OCaml, `prose` the text outside every
    fence, `text` the completion without its thoughts.  `end_marker_present` says that
    the marker stands after the code; `end_markers` counts it anywhere in `text`.
    """

    code: str
    how: How
    text: str
    prose: str
    fenced_blocks: tuple[str, ...] = ()
    end_marker_present: bool = False
    end_markers: int = 0

    @property
    def has_code(self) -> bool:
        """
        Say whether the code is more than blanks and comments.
        """
        if blank(self.code, literals=False).strip():
            return True
        # A comment that never ends is a mistake in code, which the lexer reports.
        code = self.code.rstrip()
        return bool(code) and not code.endswith("*)")


# An opening tag counts at the start of a line only, or it could stand in a string.
_THINK = re.compile(r"^[ \t]*<think(?:ing)?>", re.MULTILINE | re.IGNORECASE)
_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


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
    fenced = _read_fences(text, prompt, names)
    blocks = tuple(block for block in fenced.blocks if block.is_ocaml)
    how, code, after = How.FENCE, "", ""
    if not fenced.blocks or _fences_are_comments(text, names):
        how, code = How.WHOLE, text
    elif blocks:
        chosen = _choose(blocks, names)
        code, after = chosen.content, text[chosen.end :]
    elif names & outline(fenced.prose).names:
        # Plain code, and a block of shell output or the like beside it.
        how, code = How.WHOLE, fenced.prose
    present = False
    if end_marker:
        present = end_marker in _tail(code, end_marker) + after
        code = _without_foreign_marker(code, end_marker)
    if joined := continued(code, _normalised(prompt), names):
        how, code = How.CONTINUATION, joined
    return Extraction(
        code=code,
        how=how,
        text=text,
        prose=fenced.prose,
        fenced_blocks=tuple(block.content for block in blocks),
        end_marker_present=present,
        end_markers=text.count(end_marker) if end_marker else 0,
    )


def _normalised(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _answer(text: str) -> str:
    """
    Drop the thoughts.

    A closing tag alone ends thoughts that the prompt's template opened.  Thoughts never
    closed hold no answer: the model was cut off, or stopped, before it gave one.
    """
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
    closed = list(_THOUGHT.finditer(text))
    return text[closed[-1].end() :] if closed else text


def _simple_names(uses: Sequence[str]) -> frozenset[str]:
    """
    Reduce `Stack.push` to `Stack` and `( + )` to `+`.
    """
    plain = (use.strip("() ") for use in uses)
    return frozenset(
        name.partition(".")[0] if name[:1].isalpha() else name for name in plain
    )


def _read_fences(text: str, prompt: str, names: frozenset[str]) -> Fenced:
    """
    Find the blocks, knowing that a prompt may have opened the first one.
    """
    plain = find_blocks(text)
    if not plain.blocks or _defines(plain, names):
        return plain
    if _ends_in_fence(prompt):
        return find_blocks(text, inside=True)
    before = text[: plain.blocks[0].start]
    if opens_structure(blank(before)) and names & outline(before).names:
        # The first fence closes: code, then a fence, then an explanation.
        return find_blocks(text, inside=True)
    return plain


def _defines(fenced: Fenced, names: frozenset[str]) -> bool:
    blocks = (block for block in fenced.blocks if block.is_ocaml)
    return any(names & outline(block.content).names for block in blocks)


def _ends_in_fence(prompt: str) -> bool:
    found = find_blocks(_normalised(prompt) + "\n")
    return bool(found.blocks) and found.blocks[-1].end > len(_normalised(prompt))


def _fences_are_comments(text: str, names: frozenset[str]) -> bool:
    """
    Tell plain code whose comments show a fenced example from fenced code.
    """
    if not names:
        return False
    bare = blank(text)
    return not find_blocks(bare).blocks and bool(names & outline(bare).names)


def _choose(blocks: Sequence[Block], names: frozenset[str]) -> Block:
    def rank(block: Block) -> tuple[int, int]:
        known = len(names & outline(block.content).names) if names else 0
        return known, 0 if known else len(block.content)

    return max(blocks, key=rank)


def _tail(code: str, marker: str) -> str:
    """
    Cut what follows the last token of the code: comments, blanks and the marker.
    """
    end = len(blank(code, literals=False).rstrip())
    if marker in code[max(0, end - len(marker)) : end]:
        # The marker is no comment, and so was itself the last token.
        end -= len(marker)
    return code[end:]


def _without_foreign_marker(code: str, marker: str) -> str:
    """
    Take a marker that OCaml would not read as a comment off the end of the code.
    """
    if not blank(marker).strip():
        return code
    return (
        code.rstrip().removesuffix(marker) if code.rstrip().endswith(marker) else code
    )
