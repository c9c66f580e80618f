r"""Removes wrappers around an answer: Markdown quotation, an outer fence, and `\boxed{}`."""

from __future__ import annotations

import re

from .definitions import opens_structure
from .lexing import Source
from .markdown import OCAML_TAGS, Block, find_blocks
from .prose import runs_of_code
from .source_map import Edit

_QUOTED = re.compile(r"(?:^[ ]{0,3}>.*\n?)+", re.MULTILINE)
_NEXT_QUOTED = re.compile(r"\n[ ]{0,3}>")
_QUOTE_MARK = re.compile(r"^[ ]{0,3}>([ ]?)", re.MULTILINE)
# If no blank belongs to the mark, blanks after it belong to the line.
_BARE_MARK = re.compile(r"^[ ]{0,3}>[^ \n]", re.MULTILINE)
_QUOTED_FENCE = re.compile(r"^[ ]{0,3}(?:>[ ]?)+[ \t]*(?:```|~~~)", re.MULTILINE)
_PROSE_TAGS = frozenset(("markdown", "md", "plaintext", "text", "txt"))
_MAY_WRAP = re.compile(
    rf"````|~~~|```[ ]?(?:{'|'.join(sorted(_PROSE_TAGS))})\b", re.IGNORECASE
)
_BOX = re.compile(
    r"\\f?box(?:ed)?[ ]{0,9}\{(?:\s{0,9}\\(?:text|math)[a-z]{0,9}[ ]{0,9}\{){0,2}"
    r"(?:\s{0,9}\\begin\{\w{1,20}\*?\}(?:[\[{][^\]}\n]{0,80}[\]}]){0,2})?\s{0,99}"
    r"(?=(?:let|type|open|module|exception|external|include|class)(?![\w'])|\(\*)"
)
# A brace in a literal closes nothing.
_BRACE = re.compile(
    r'[{}]|\\end\{|"(?:[^"\\]|\\.)*+"?|(?<![\w\'])\'(?:[^\\\'\n]|\\[^\n]{1,4})\'',
    re.DOTALL,
)
_BOX_ENDS = re.compile(r"(?:\s{0,9}\\end\{\w{1,20}\*?\})?\s{0,9}\}{0,3}")


def quote_edits(text: str) -> list[Edit]:
    """Remove quotation marks if all lines are quoted, or if a fence is inside the quotation."""
    if not (text[:9].lstrip().startswith(">") or _NEXT_QUOTED.search(text)):
        return []
    is_all = not _QUOTED.sub("", text).strip()
    edits: list[Edit] = []
    for quoted in _QUOTED.finditer(text):
        if is_all or _QUOTED_FENCE.search(quoted[0]):
            is_bare = bool(_BARE_MARK.search(quoted[0]))
            marks = _QUOTE_MARK.finditer(text, *quoted.span())
            edits += (
                Edit(m.start(), m.start(1) if is_bare else m.end()) for m in marks
            )
    return edits


def wrapper_edits(text: str) -> list[Edit]:
    """Remove fences around other fences, or around code with prose.

    An unclosed one around code ends with the fence that ends the code.
    """
    if not _MAY_WRAP.search(text):
        return []
    edits: list[Edit] = []
    for block in find_blocks(text).blocks:
        within = find_blocks(block.content).blocks
        is_said = block.tag in _PROSE_TAGS and runs_of_code(block.content)
        if is_said or (within and not _is_code(block)):
            stop = max((end for _, end in block.kept(text)), default=block.inside)
            # The end of a wrapper also ends the block in it.
            is_open = within and not within[-1].closed
            run = block.content[within[-1].start :][:3] if is_open else ""
            edits.append(Edit(block.start, block.inside, "\n"))
            edits.append(Edit(stop, block.end, f"\n{run}\n"))
        elif within and not block.closed:
            edits.append(Edit(block.start, block.inside, f"```{block.tag}\n"))
    return edits


def _is_code(block: Block) -> bool:
    code = Source(block.content)
    return block.tag in OCAML_TAGS and opens_structure(code.without_literals)


def box_edits(text: str) -> list[Edit]:
    r"""Return edits that turn code in `\boxed{}` into blocks; a fence inside is a block already."""
    edits: list[Edit] = []
    place = 0
    while opened := _BOX.search(text, place):
        place = _box_end(text, opened)
        stop = opened.end() + len(text[opened.end() : place].rstrip())
        if ended := _BOX_ENDS.match(text, place):
            place = ended.end()
        edits.append(Edit(opened.start(), opened.end(), "\n```ocaml\n"))
        edits.append(Edit(stop, place, "\n```\n"))
    return edits


def _box_end(text: str, opened: re.Match[str]) -> int:
    """Return the end of the code in a box; the text's end if the box is not closed."""
    depth = 0
    for found in _BRACE.finditer(text, opened.end()):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth < 0 or (found[0] == "\\end{" and not depth):
            return found.start()
    return len(text)
