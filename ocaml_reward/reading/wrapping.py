r"""Removes wrappers around an answer: Markdown quotation, an outer fence, `\boxed{}`, JSON, and
directives for a toplevel.

Code in the strings of JSON, `{"code": "let f x =\n  x"}`, becomes fenced blocks, and the text between
them is dropped. The JSON may be cut off, and its strings may contain newlines.
"""

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
_MAY_WRAP = re.compile(rf"````|~~~|```[ ]?(?:{'|'.join(sorted(_PROSE_TAGS))})\b", re.IGNORECASE)
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

# Lines for a toplevel at the start of a text or a block, as in issues 1023 and 1708 of ocaml/merlin.
_DIRECTIVES = re.compile(
    r"(?:\A|^(?:```|~~~)[^\n]*\n)"
    r"((?:[ \t]*\n)*+"
    r"(?:#(?:!|(?:use|require|load|directory|thread|mod_use)\b)[^\n;]*+(?:;;)?[ \t]*(?:\n|\Z)"
    r"(?:[ \t]*\n)*+)++)",
    re.MULTILINE,
)


def directive_edits(text: str) -> list[Edit]:
    """Remove `#use "topfind";;` and the like in front of code."""
    if "#" not in text:
        return []
    return [Edit(*found.span(1)) for found in _DIRECTIVES.finditer(text)]


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
            edits += (Edit(m.start(), m.start(1) if is_bare else m.end()) for m in marks)
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
            # The end of a wrapper also ends the block in it; the end of the text needs no fence.
            is_open = block.closed and within and not within[-1].closed
            run = block.content[within[-1].start :][:3] if is_open else ""
            # As an insertion the line end has no place in the text.
            edits += [Edit(block.start, block.inside), Edit(block.inside, block.inside, "\n")]
            edits.append(Edit(stop, block.end, f"\n{run}\n"))
        elif within and not block.closed:
            edits.append(Edit(block.start, block.inside, f"```{block.tag}\n"))
    return edits


def _is_code(block: Block) -> bool:
    """Tell whether a block is marked as OCaml and begins like code."""
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


# JSON starts the text or a line, possibly after the tag of a tool call: the first key of an object,
# or a list of objects. OCaml never has these there.
_BEGINS = re.compile(
    r"^[ \t]{0,40}(?:(?:<[|\w=]{1,60}>|\[TOOL_CALLS\])[ ]?)?"
    r"(?:[\[{]\s{0,40}){1,4}\"[\w -]{1,40}\"\s{0,40}:\s{0,40}[\"\[{]",
    re.MULTILINE,
)
_STRING = re.compile(r"\"((?:[^\"\\]|\\.)*+)(\"|\\?\Z)", re.DOTALL)
_CODE = re.compile(r"\s*+(?:let|type|open|module|exception|external|include|class|\(\*)(?![\w'])")
_WHOLE = re.compile(r"\s*+\"" + _CODE.pattern)
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_OCAML_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*(?:ocaml|ml)\b", re.MULTILINE | re.IGNORECASE)
_DEFINITION = re.compile(r"^(?:let|type|module|exception)\b", re.MULTILINE)
_NESTED = re.compile(r"\s*+[\[{]\s*+\\?[\"{\[]")
_KEY = re.compile(r"\s*+:")
_TAIL = re.compile(r"[\s\]},]*+")
_COMMA = re.compile(r"\"?\s*+,\s*+\Z")
# Keys whose strings are the answer even if they do not start like code, as a function body; and
# keys whose strings never are, though they may quote code.
_ANSWERS = frozenset(("answer", "code", "completion", "content", "implementation", "solution"))
_SPEECH = frozenset(
    ("analysis", "explanation", "reasoning", "thinking", "thought", "thoughts", "tests")
)
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)",
    re.DOTALL,
)
_MEANINGS = {
    "n": "\n",
    "t": "\t",
    "r": "",
    "b": "\b",
    "f": "\f",
    '"': '"',
    "/": "/",
    "\\": "\\",
}
_OPENED, _CLOSED = "\n```ocaml\n", "\n```\n"


def json_edits(text: str) -> list[Edit]:
    """Return edits that turn code in a text's JSON into blocks.

    There are none if code stands outside of the JSON, or in a block that is tagged as OCaml.
    """
    begins = _WHOLE.match(text) or _BEGINS.search(text) if '"' in text else None
    if not begins or _DEFINITION.search(text[: begins.start()]) or _OCAML_FENCE.search(text):
        return []
    start, stop, strings = _around(text, begins.start())
    edits: list[Edit] = []
    fenced = False
    for first, last in strings:
        # Strings of a list are the lines of one block.
        continues = bool(edits) and _COMMA.match(text[start : first - 1])
        if continues:
            edits.append(Edit(start, first, "\n"))
        else:
            closing, fenced = _CLOSED * fenced, _is_fenced(text[first:last])
            edits.append(Edit(start, first, closing + (_OPENED if fenced else "\n")))
        written = _ESCAPE.finditer(text, first, last)
        edits += (Edit(*found.span(), _meaning(found[0])) for found in written)
        start = last
    return [*edits, Edit(start, stop, _CLOSED if fenced else "\n")] if edits else []


def _around(text: str, start: int) -> tuple[int, int, list[tuple[int, int]]]:
    """Return the range of JSON that starts at `start`, with its own fence, and the strings in it
    that are code or lines of code.
    """
    strings: list[tuple[int, int]] = []
    key = ""
    stop = start
    for found in _STRING.finditer(text, start):
        if text.find("```", stop, found.start()) >= 0:
            break
        stop = found.end()
        if found[2] and _KEY.match(text, stop):
            key = found[1].lower()
        elif key not in _SPEECH and (key in _ANSWERS or _holds_code(found[1])):
            strings.append(found.span(1))
    if tail := _TAIL.match(text, stop):
        stop = tail.end()
    line = text.rfind("\n", 0, max(start - 1, 0)) + 1
    if start and _FENCE.match(text, line) and _FENCE.match(text, stop):
        end = text.find("\n", stop)
        return line, len(text) if end < 0 else end, strings
    return start, stop, strings


def _holds_code(written: str) -> bool:
    """Tell whether an escaped string holds code."""
    start = _ESCAPE.sub(lambda found: _meaning(found[0]), written[:200])
    nested = _NESTED.match(start) and "let" in written
    return "```" in written or bool(_CODE.match(start) or nested)


def _is_fenced(written: str) -> bool:
    """Return whether a string is code itself, without fences or JSON in it."""
    return "```" not in written and not _NESTED.match(written)


def _meaning(escape: str) -> str:
    """Return the characters that an escape of JSON stands for."""
    letter = escape[1]
    if letter != "u":
        # A writer of `\d` in JSON meant both characters.
        return _MEANINGS.get(letter, escape)
    if len(escape) > len("\\u0000"):
        high, low = int(escape[2:6], 16), int(escape[8:], 16)
        return chr(0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF))
    return chr(int(escape[2:6], 16))
