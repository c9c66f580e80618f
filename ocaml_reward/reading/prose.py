"""Separates prose from code line by line, and finds code between prose in a text without fences.

A capitalised word followed by two others is a sentence: in OCaml a constructor takes one argument,
and a module name is followed by a dot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .definitions import ITEM
from .lexing import Source
from .markdown import Block, run_of

# Maximum characters read of a line, and maximum number of runs; both bound the work.
_MOST = 400
_MOST_RUNS = 100
_BEGINS = re.compile(rf"[ \t]*(?!let (?:me|us)\b)(?:{ITEM})(?![\w'])(?![^=(]*[.!?]$)")
_LINE = re.compile(r"^.*", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
# In OCaml these words occur only in comments and strings, which were blanked.
_ENGLISH = frozenset(
    ["an", "are", "be", "been", "but", "can", "cannot", "could", "does", "had", "has", "have", "here", "i'm", "it's", "its", "must", "my", "our", "please", "should", "sorry", "than", "that", "the", "their", "there", "these", "they", "this", "those", "was", "we", "were", "what", "which", "will", "would", "you", "your"]
)  # fmt: skip
_CODE_SIGN = re.compile(r"[=|;_\[\]{}@^+&~<>\\]|->|::")
_CODE_WORD = re.compile(
    r"\s*(?:let|match|function|fun|type|open|module|if|then|else|begin|end|in|with"
    r"|try|raise|assert|for|while|exception)\b"
    r"|\s*(?:and|val|external|class|method)\s[^.!?]*[=:]"
)
_KEYWORD = (
    r"(?:and|as|begin|do|done|else|end|for|fun|function|if|in|let|match|mod|module|of|or|rec"
    r"|then|to|try|type|val|when|while|with)"
)
_SMALL = r"a-z'\u2019"
_PLAIN = rf"[*_`]{{0,3}}(?!{_KEYWORD}\b)[{_SMALL}]+[*_`]{{0,3}}[,;:.!?]?(?=\s|$)"
_SENTENCE = re.compile(
    r"(?:[-*>\u2022]{1,3}[ ]+|\d{1,3}[.)][ ]+|\#{1,6}[ ]+)?[*_`]{0,3}"
    rf"[A-Z](?:[A-Z{_SMALL}]*[*_`]{{0,3}}[,:!]?"
    rf"(?:[ ]+{_PLAIN}[ ]+{_PLAIN}|[ ]+\d{{1,3}}[.:)](?=\s|$)|(?:[ ][a-z]{{2,20}}){{0,3}}:(?=[ ]))"
    r"|(?=.*[a-z`)*][.:!?]{1,3}[*_]{0,2}[ \u2000-\U0010ffff]*$))"
)
# Headings, horizontal rules, bold words, tags, and lines that begin with a picture.
# (jaylene-zhang/ArtifactProgramming2025 Explain/q30/GPT4o_q30_answer_1)
_LAYOUT = re.compile(
    r"\#{1,6}[ ]+[A-Z]|\#{2,6}[ ]*\w|(?:-{3,200}|={3,200}|\*{3,200})[ ]*$|\*\*[^\s*]"
    r"|</?[a-z][\w-]*(?:[ ][^<>\n]{0,200})?>[ ]*$|https?://|(?:ocaml|OCaml)[ ]*$|[\u2010-\u2bff\U0001f000-\U0001faff]"
)
# An OCaml item does not end with a full stop.
# (jaylene-zhang/ArtifactProgramming2025 Explain/q03/Llama3.1 8B_q03_answer_1)
_ENDED = re.compile(rf"(?:[{_SMALL}]+[,;:]?[ ]+){{2,60}}[{_SMALL}]+[.!?]$")
# List items and quotations: no definition continues with these after a blank line.
_ITEM = re.compile(r"(?:[-*\u2022]|\d{1,3}[.)]|>{1,3})[ ]+\S|`[^`\n]{1,80}`[ ,.:;]")


def is_prose(line: str, before: str) -> bool:
    """Return whether a line at the left margin is prose, given the line before it.

    In the middle of code, only a line that looks like the beginning of a sentence is prose.

    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw6/Llama3.1 8B_hw6_answer_5)
    """
    if not line or line[0].isspace() or "->" in line or ";;" in line:
        return False
    line = line[:_MOST]
    if _SENTENCE.match(line) or _LAYOUT.match(line) or _ENDED.match(line):
        return True
    # After a finished expression no line begins with an operator.
    return not before.strip() and bool(_ITEM.match(line) or is_english(line))


def is_english(line: str) -> bool:
    """Return whether a line reads as English.
    (kirang89/ocamler-grpo doc/2025-12-11-epoch-0.21-training-failure-analysis.md:216)
    """
    if _CODE_WORD.match(line) or len(_CODE_SIGN.findall(line)) > 1:
        return False
    words = _WORD.findall(line.lower())
    return len(words) > 2 and any(word in _ENGLISH for word in words)


def runs_of_code(text: str) -> list[Block]:
    """Return the runs of definitions between prose, as blocks without fences.

    There are none if the text has no prose, or implausibly many runs.

    (jaylene-zhang/ArtifactProgramming2025 Repair/Llama3.3 70B_hw1_buggy_code_30_answer_3)
    """
    start, has_prose = _first_definition(text)
    if start is None:
        return []
    # Where code begins and ends, in turn.
    edges = [start]
    for place, line, before in _lines(Source(text[start:]).without_literals):
        if is_prose(line, before) if len(edges) % 2 else _BEGINS.match(line):
            edges.append(start + place)
    if not (has_prose or edges[1:]) or len(edges) > 2 * _MOST_RUNS:
        return []
    runs = zip(edges[::2], [*edges[1::2], len(text)], strict=False)
    return [run_of(text, *each) for each in runs]


def between_prose(text: str) -> Block:
    """Return the code between the leading prose of a text and the next prose.

    This code need not begin with a definition.

    (kirang89/ocamler-grpo tests/test_environment.py:36)
    """
    starts = (
        place for place, line, before in _lines(text) if line.strip() and not is_prose(line, before)
    )
    start = next(starts, len(text))
    code = Source(text[start:]).without_literals
    ends = (start + place for place, line, before in _lines(code, "code") if is_prose(line, before))
    return run_of(text, start, next(ends, len(text)))


def _first_definition(text: str) -> tuple[int | None, bool]:
    """Return the offset of the first definition, and whether prose precedes it."""
    has_prose = False
    for place, line, before in _lines(text):
        if _BEGINS.match(line) or line.startswith("(*"):
            return place, has_prose
        if is_prose(line, before):
            has_prose = True
        elif line.strip() and not has_prose:
            # It may be the rest of what the prompt began, before a new draft.
            return place, False
    return None, has_prose


def _lines(text: str, before: str = "") -> Iterator[tuple[int, str, str]]:
    """Yield the offset of each line, the line, and the one before it."""
    for found in _LINE.finditer(text):
        yield found.start(), found[0], before
        before = found[0]
