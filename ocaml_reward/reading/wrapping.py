r"""Removes wrappers around an answer: Markdown quotation, an outer fence, `\boxed{}`, and directives
for a toplevel.
"""

from __future__ import annotations

import re

from .definitions import ITEM, opens_structure
from .lexing import Source
from .markdown import OCAML_TAGS, find_blocks
from .prose import runs_of_code
from .source_map import Edit

_QUOTED = re.compile(r"(?:^[ ]{0,3}>.*\n?)+", re.MULTILINE)
_NEXT_QUOTED = re.compile(r"\n[ ]{0,3}>")
_QUOTE_MARK = re.compile(r"^[ ]{0,3}>([ ]?)", re.MULTILINE)
# If no blank belongs to the mark, blanks after it belong to the line.
_BARE_MARK = re.compile(r"^[ ]{0,3}>[^ \n]", re.MULTILINE)
_QUOTED_FENCE = re.compile(r"^[ ]{0,3}(?:>[ ]?)+[ \t]*(?:```|~~~)", re.MULTILINE)
_BACKTICKS = re.compile(r"\s*`(?=let|type|module|open|exception)([^`]+)`\s*")
_PROSE_TAGS = frozenset(("markdown", "md", "plaintext", "text", "txt"))
_MAY_WRAP = re.compile(rf"````|~~~|```[ ]?(?:{'|'.join(sorted(_PROSE_TAGS))})\b", re.IGNORECASE)
# beita6969/no-bug, docs/MISJUDGMENT_ANALYSIS.md
# (the-crypt-keeper/can-ai-code greedy-hf_deepseek-ai-DeepSeek-Coder-V2-Lite-Ins:9)
_BOX = re.compile(rf"\\boxed[ ]{{0,9}}\{{\s{{0,99}}(?=(?:{ITEM})(?![\w'])|\(\*)")
_BRACE = re.compile(r"[{}]")


# Lines for a toplevel at the start of a text or a block, as in issues 1023 and 1708 of ocaml/merlin.
_DIRECTIVES = re.compile(
    r"(?:\A|^(?:```|~~~)[^\n]*\n)"
    r"((?:[ \t]*\n)*+"
    r"(?:#(?:!|(?:use|require|load|directory|thread|mod_use)\b)[^\n;]*+(?:;;)?[ \t]*(?:\n|\Z)"
    r"(?:[ \t]*\n)*+)++)",
    re.MULTILINE,
)


def directive_edits(text: str) -> list[Edit]:
    """Remove `#use "topfind";;` and the like in front of code. (ocaml/merlin issue 1708)"""
    if "#" not in text:
        return []
    return [Edit(*found.span(1)) for found in _DIRECTIVES.finditer(text)]


def backtick_edits(text: str) -> list[Edit]:
    """Remove the backticks around a text that is all code.
    (jaylene-zhang/ArtifactProgramming2025 Repair/Llama3.1 8B_hw8_buggy_code_2_answer_1)
    """
    found = _BACKTICKS.fullmatch(text)
    return [Edit(0, found.start(1)), Edit(found.end(1), len(text))] if found else []


def quote_edits(text: str) -> list[Edit]:
    """Remove quotation marks if all lines are quoted, or if a fence is inside the quotation.
    (the-crypt-keeper/can-ai-code issue 29)
    """
    if not (text[:9].lstrip().startswith(">") or _NEXT_QUOTED.search(text)):
        return []
    is_all = not _QUOTED.sub("", text).strip()
    edits: list[Edit] = []
    for quoted in _QUOTED.finditer(text):
        if is_all or _QUOTED_FENCE.search(quoted[0]):
            is_bare = bool(_BARE_MARK.search(quoted[0]))
            marks = _QUOTE_MARK.finditer(text, *quoted.span())
            edits += (Edit(m.start(), m.start(1) if is_bare else m.end()) for m in marks)
    return edits


def wrapper_edits(text: str) -> list[Edit]:
    """Remove fences around other fences, or around code with prose.

    An unclosed one around code ends with the fence that ends the code.

    (FiligranHQ/filigran-ui issue 288)
    """
    if not _MAY_WRAP.search(text):
        return []
    edits: list[Edit] = []
    for block in find_blocks(text):
        within = find_blocks(block.content)
        code = Source(block.content).without_literals
        is_code = block.tag in OCAML_TAGS and opens_structure(code)
        is_said = block.tag in _PROSE_TAGS and runs_of_code(block.content)
        if is_said or (within and not is_code):
            stop = block.ranges[-1][1] if block.ranges else block.inside
            # The end of a wrapper also ends the block in it; the end of the text needs no fence.
            is_open = block.closed and within and not within[-1].closed
            run = block.content[within[-1].start :][:3] if is_open else ""
            edits.append(Edit(block.start, block.inside, "\n"))
            edits.append(Edit(stop, block.end, f"\n{run}\n"))
        elif within and not block.closed:
            edits.append(Edit(block.start, block.inside, f"```{block.tag}\n"))
    return edits


def box_edits(text: str) -> list[Edit]:
    r"""Return edits that turn code in `\boxed{}` into blocks; a fence inside is a block already.
    (beita6969/no-bug docs/MISJUDGMENT_ANALYSIS.md:34)
    """
    edits: list[Edit] = []
    place = 0
    while opened := _BOX.search(text, place):
        place = _box_end(text, opened.end())
        stop = opened.end() + len(text[opened.end() : place].rstrip())
        edits.append(Edit(opened.start(), opened.end(), "\n```ocaml\n"))
        edits.append(Edit(stop, min(place + 1, len(text)), "\n```\n"))
    return edits


def _box_end(text: str, start: int) -> int:
    """Return the end of the code in a box; the text's end if the box is not closed."""
    depth = 0
    for found in _BRACE.finditer(text, start):
        depth += 1 if found[0] == "{" else -1
        if depth < 0:
            return found.start()
    return len(text)
