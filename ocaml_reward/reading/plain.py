"""
Code that stands among prose without a fence, and what was typed into a toplevel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .fences import Block
from .lexing import Source
from .origins import Ranges
from .prose import is_prose

__all__ = ["before_prose", "block_at", "runs", "typed_in"]

# More than anybody writes.
_MOST_RUNS = 100
_BEGINS = re.compile(
    r"(?!let (?:me|us)\b)(?:let|type|open|module|exception|external|include|class)"
    r"(?![\w'])(?![^=(]*[.!?]$)|\(\*"
)
_PROMPT = re.compile(r"^(?:utop(?:\[\d{1,6}\]>|[ ]?\#)|\#)[ ]+", re.MULTILINE)
_DEFINES = re.compile(
    r"(?:let|type|open|module|exception|external|include|class)(?![\w'])"
)
_ANSWERS = r"^(?:val [a-z_][\w']* : [^=\n]{1,200}=|- : )"
_ANSWER = re.compile(_ANSWERS, re.MULTILINE)
# What is typed into a toplevel behind code.
_ASKED = re.compile(r"^(?:\#|utop[ ]?\#)[ ].*;;[ \t]*$", re.MULTILINE)
_LINE = re.compile(r"^", re.MULTILINE)
# A toplevel's answer to what it does not take.
_REFUSED = re.compile(r"\s*(?:Line \d|Characters \d|(?:Syntax )?[Ee]rror:)")
_ENDS = re.compile(rf";;[ \t]*$|\n(?={_ANSWERS})", re.MULTILINE)


def runs(text: str) -> list[Block]:
    """
    Find the runs of code between prose, as blocks without fences; none where there is no
    prose, or so many that nobody has written them.
    """
    begins, said = _first(text)
    if begins is None:
        return []
    blank = Source(text[begins:]).without_literals
    found: list[tuple[int, int]] = []
    start: int | None = begins
    before = ""
    for place, line in _lines(blank):
        if start is not None and is_prose(line, before):
            found.append((start, begins + place))
            start, said = None, True
        elif start is None and _BEGINS.match(line):
            start = begins + place
        before = line
    if start is not None:
        found.append((start, len(text)))
    if not said or len(found) > _MOST_RUNS:
        return []
    return [block_at(text, start, stop) for start, stop in found]


def before_prose(text: str) -> tuple[int, int]:
    """
    Find the code between the prose that a text begins with and the next prose, where what
    is code need not begin with a definition.
    """
    start = 0
    before = ""
    for place, line in _lines(text):
        if line.strip() and not is_prose(line, before):
            start = place
            break
        before = line
    before = "code"
    for place, line in _lines(Source(text[start:]).without_literals):
        if is_prose(line, before) or _ASKED.match(line):
            return start, start + place
        before = line
    return start, len(text)


def typed_in(code: Source, names: frozenset[str]) -> Ranges | None:
    """
    Find the definitions that were typed into a toplevel, whose answers stand between them,
    with its prompts or without; None where there are none, or not all that a text defines of
    some names.
    """
    text = code.text
    asked = names & code.outline.names
    blank = code.without_literals
    prompts = _PROMPT if _PROMPT.search(text) else _LINE
    if not asked or (prompts is _LINE and not _ANSWER.search(blank)):
        return None
    found: list[tuple[int, int]] = []
    done = 0
    # Code may come first, and be asked about behind it.
    first = _PROMPT.search(blank)
    if first and _ASKED.match(blank, first.start()):
        done = (
            first.start() if asked & Source(text[: first.start()]).outline.names else 0
        )
        found += [(0, done)] if done else []
    for prompt in prompts.finditer(text):
        start = prompt.end()
        if start < done or not _DEFINES.match(text, start):
            continue
        end = _ENDS.search(blank, start)
        if end is None:
            break
        # With the line end behind it.
        done = end.end() + text.startswith("\n", end.end())
        if not _REFUSED.match(text, done):
            found.append((start, _said_from(blank, start, done)))
    kept = "".join(text[start:stop] for start, stop in found)
    return found if asked <= Source(kept).outline.names else None


def _said_from(blank: str, start: int, stop: int) -> int:
    """
    Find where prose begins in a part of a text, or its end.
    """
    before = "code"
    for place, line in _lines(blank[start:stop]):
        if is_prose(line, before):
            return start + place
        before = line
    return stop


def block_at(text: str, start: int, stop: int) -> Block:
    """
    Make a block of a part of a text.
    """
    return Block(start, stop, text[start:stop], "", inside=start)


def _first(text: str) -> tuple[int | None, bool]:
    """
    Find where code may begin, and whether prose stands before it.
    """
    said = False
    before = ""
    for place, line in _lines(text):
        if _BEGINS.match(line):
            return place, said
        if is_prose(line, before):
            said = True
        elif line.strip() and not said:
            # Perhaps the rest of what the prompt began, before a draft that begins anew.
            return place, False
        before = line
    return None, said


def _lines(text: str) -> Iterator[tuple[int, str]]:
    place = 0
    while place < len(text):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        yield place, text[place:end]
        place = end + 1
