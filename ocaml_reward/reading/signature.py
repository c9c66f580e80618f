"""
Prompts that break off in a definition, which a completion may continue.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from .blocks import Reading
from .fences import Block, find_blocks
from .frames import ending
from .lexing import Source
from .likeness import is_whole
from .outline import opens_structure
from .parts import Part
from .plain import before_prose, block_at, runs

__all__ = ["continued", "preceded", "rest_in"]

_BEGINS = re.compile(r"(?<![\w'])(?:let|module)\b")
# No definition has more local ones in it; bounds the work on prompts.
_MOST_BEGINNINGS = 50
# More than anybody shows.
_MOST_BLOCKS = 20
_WORD_OR_SIGN = re.compile(
    r"(?:let|and)[$&*+\-/:<=>@^|]+|[A-Za-z_][\w']*|[!$%&*+\-./:<=>?@^|~#]+"
)
_STRUCTURE_WORD = re.compile(r"(?<![\w'.])(?:struct|sig|object|begin|end)(?![\w'])")


class _Open(NamedTuple):
    """
    The definition at a prompt's end, the code before it, what it defines, and whether it
    waits for items, as a `struct` does.
    """

    text: str
    preamble: str
    names: frozenset[str]
    in_structure: bool


def continued(code: Source, prompt: str, names: frozenset[str]) -> str | None:
    """
    Put the definition that the prompt breaks off in before code that is only the rest of it.
    """
    opened = _open_definition(prompt)
    if opened is None or not code.lines:
        return None
    found = code.outline
    if found.opens_with_definition:
        # A program of its own, under a wrong name, is no rest; what ends a structure is.
        if not opened.in_structure or not _ends_more(code.without_literals):
            return None
        names = opened.names
    elif opened.names:
        # Others may be defined behind the rest.
        names = opened.names
    if names & found.names:
        return None
    return f"{opened.preamble}{opened.text}\n{code.text.lstrip(chr(10))}"


def preceded(code: Source, prompt: str) -> str | None:
    """
    Put those of the definitions that the prompt ends in before code that uses them: who
    repeats the signature goes on from its types and helpers, too.  What the code defines
    itself is its own.
    """
    given = _given(prompt)
    if not given or not opens_structure(code.without_literals):
        return None
    before = _before(given)
    own = code.outline.names
    # Most code has all that it names, which is faster to see than what it takes.
    spare = before.spare(own)
    if spare.isdisjoint(_WORD_OR_SIGN.findall(code.without_literals)):
        return None
    ranges = before.leading_to(Part(code, is_whole=True).uses, own)
    text = before.only(ranges).text.strip()
    return f"{text}\n{code.text.lstrip(chr(10))}" if text else None


@lru_cache(maxsize=256)
def _before(given: str) -> Part:
    return Part(Source(given), is_whole=True)


@lru_cache(maxsize=256)
def _given(prompt: str) -> str:
    """
    Find the code that the prompt ends in, without the definition that it breaks off in.
    """
    if opened := _open_definition(prompt):
        found = opened.preamble
    else:
        fenced = find_blocks(prompt).blocks
        if fenced and not prompt[fenced[-1].end :].strip():
            prompt = fenced[-1].content
        found = "" if runs(prompt) else prompt
    source = Source(found)
    # Comments alone give nothing.
    is_code = source.without_comments.strip() and is_whole(source)
    return found if is_code else ""


def rest_in(
    text: str, reading: Reading, prompt: str, names: frozenset[str]
) -> Block | None:
    """
    Find what completes the definition that the prompt breaks off in, where nothing defines it
    anew: what stands before the first fence, which may close what the prompt opened, or else
    the first block that does.
    """
    opened = _open_definition(prompt)
    if opened is None:
        return None
    prose = Source(reading.fenced.prose)
    own = opened.names or names
    if any(own & code.outline.names for code in (prose, *reading.codes)):
        return None
    before = text[: reading.first] if reading.fenced.blocks else text
    candidates = [block_at(text, *before_prose(before))]
    candidates += reading.blocks[:_MOST_BLOCKS]
    for block in candidates:
        whole = continued(Source(block.content), prompt, names)
        if whole is None:
            continue
        found = ending(Source(whole[len(opened.preamble) :]))
        if found is not None and found.is_complete:
            return block
    return None


def _ends_more(blank: str) -> bool:
    """
    Tell whether an `end` closes what began before.
    """
    depth = 0
    for word in _STRUCTURE_WORD.findall(blank):
        depth += -1 if word == "end" else 1
        if depth < 0:
            return True
    return False


@lru_cache(maxsize=256)
def _open_definition(prompt: str) -> _Open | None:
    """
    Find `let rec f (x : int) : int =`, or more of a definition, at the end of a prompt, and
    the code before it (types that it names) where all of that is code.
    """
    prompt = prompt.rstrip().rstrip("`~").rstrip()
    outermost: int | None = None
    in_structure = False
    starts = [found.start() for found in _BEGINS.finditer(prompt)]
    for start in reversed(starts[-_MOST_BEGINNINGS:]):
        found = ending(Source(prompt[start:]))
        if found is None or not found.breaks_off:
            continue
        if found.start:
            # What is open began later: this is the definition before it.
            break
        outermost, in_structure = start, found.in_structure
    if outermost is None:
        return None
    text = prompt[outermost:]
    return _Open(
        text.rstrip(),
        _preamble(prompt[:outermost]),
        Source(text).outline.names,
        in_structure,
    )


def _preamble(before: str) -> str:
    fenced = find_blocks(before).blocks
    # The fence around the signature is open where the prompt is cut here.
    if fenced and fenced[-1].end >= len(before):
        before = fenced[-1].content
    if shown := runs(before):
        return "\n".join(block.content.rstrip() + "\n" for block in shown)
    bare = Source(before).without_literals
    return before if not bare.strip() or opens_structure(bare) else ""
