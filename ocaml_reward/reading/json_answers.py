r"""
Code in the strings of JSON: `{"code": "let f x =\n  x"}`.

Strings that are code become fenced blocks, and what stands between them goes.  JSON is read
leniently: it may be cut off, and its strings may go over lines.
"""

from __future__ import annotations

import re

from .editing import Edit
from .prose import is_sentence

__all__ = ["from_json"]

# Where JSON begins: an object's first key, at a line's beginning, or behind the tag of a tool's
# call, what it is said to be (`Action Input: {`) or the name of a tool (`write_file({`).  No OCaml has one there.
_BEGINS = re.compile(
    r"^[ \t]{0,40}(?:(?:(?:[a-z][\w.]{0,60}:\d{1,3})?<[|\w=:.-]{1,60}>|\[TOOL_CALLS\]|[A-Z][\w ]{0,40}:|[a-z][\w.]{0,60}\()[ ]?)?(?:[\[{]\s{0,40}){1,4}\"[\w -]{1,40}\"\s{0,40}:\s{0,40}[\"\[{]",
    re.MULTILINE,
)
# A key of YAML, whose strings are those of JSON.
_KEYED = re.compile(
    r"^[ \t]{0,40}(?:-[ ])?[A-Za-z_][\w-]{0,40}:[ ]{1,4}(?=\"(?:let|type|open|module|exception|\(\*)(?![\w'])[^\n]*=)",
    re.MULTILINE,
)
_STRING = re.compile(r"\"((?:[^\"\\]|\\.)*+)(\"|\\?\Z)", re.DOTALL)
_WHOLE = re.compile(r"\s*+\"(?:let|type|open|module|exception|\(\*)(?![\w'])")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_OCAML_FENCE = re.compile(
    r"^[ \t]*(?:```|~~~)[ \t]*(?:ocaml|ml|caml)\b", re.MULTILINE | re.IGNORECASE
)
_DEFINITION = re.compile(r"^(?:let|type|module|exception)\b", re.MULTILINE)
_OPENING = re.compile(
    r"\s*+(?:let|type|open|module|exception|external|include|class)\b"
)
# What a shell is told to write.
_HEREDOC = re.compile(r"[^\n\"=]{0,160}<<-?[ ]?'?[A-Za-z_]{2,20}'?[^\n\"]{0,100}\n")
_NESTED = re.compile(r"\s*+[\[{]\s*+[\"{\[]")
_KEY = re.compile(r"\s*+:")
_TAIL = re.compile(r"[\s\]},]*+")
_COMMA = re.compile(r"\s*+,\s*+\Z")
_CODE_KEYS = frozenset(
    (
        *(
            "answer",
            "body",
            "code",
            "completion",
            "content",
            "final_answer",
            "function",
        ),
        *("implementation", "ocaml", "ocaml_code", "output", "program", "response"),
        *("result", "solution", "source", "text"),
    )
)
_SPEECH_KEYS = frozenset(
    (
        *("analysis", "approach", "comment", "description", "explanation", "notes"),
        *("plan", "reasoning", "thinking", "thought", "thoughts", "tests", "example"),
    )
)
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)",
    re.DOTALL,
)
_MEANINGS = {"n": "\n", "t": "\t", "r": "", "b": "\b", "f": "\f", '"': '"', "/": "/"}


def from_json(text: str) -> list[Edit]:
    """
    Find what makes blocks of the code in a text's JSON; nothing where code stands outside of
    it, or in a block that is tagged as OCaml.
    """
    if '"' not in text:
        return []
    if _WHOLE.match(text):
        start = 0
    elif found := _BEGINS.search(text) or (
        _KEYED.search(text) if ': "' in text else None
    ):
        start = found.start()
    else:
        return []
    before = text[:start]
    if _DEFINITION.search(before) or _OCAML_FENCE.search(text):
        return []
    start, stop, strings = _around(text, start)
    edits: list[Edit] = []
    opened = False
    last_end = start
    for first, last in strings:
        between = text[start : first - 1]
        continues = bool(edits) and _COMMA.match(between.removeprefix('"'))
        new = _CLOSED if opened and not continues else ""
        if not continues:
            opened = _is_fenced(text, first, last)
        # Lines of a notebook bring their ends.
        ended = continues and text.endswith("\\n", 0, last_end)
        new += _OPENED if opened and not continues else "" if ended else "\n"
        last_end = last
        edits.append(Edit(start, first, new))
        written = _ESCAPE.finditer(text, first, last)
        edits += (Edit(*found.span(), _meaning(found[0])) for found in written)
        start = last
    return [*edits, Edit(start, stop, _CLOSED if opened else "\n")] if edits else []


_OPENED, _CLOSED = "\n```ocaml\n", "\n```\n"


def _around(text: str, start: int) -> tuple[int, int, list[tuple[int, int]]]:
    """
    Find where JSON that begins at `start` begins and ends, with its fence if that is its own,
    and the strings in it that are code, or lines of it.
    """
    strings: list[tuple[int, int]] = []
    key = kind = ""
    stop = start
    for found in _STRING.finditer(text, start):
        if text.find("```", stop, found.start()) >= 0:
            break
        stop = found.end()
        if found[2] and _KEY.match(text, stop):
            key = found[1].lower()
        elif key == "cell_type":
            # Of a notebook's cells, those of code have it in their source.
            kind = found[1]
        elif kind and (kind, key) != ("code", "source"):
            continue
        elif _is_code(found[1], key):
            strings.append(found.span(1))
    if tail := _TAIL.match(text, stop):
        stop = tail.end()
    line = text.rfind("\n", 0, max(start - 1, 0)) + 1
    if start and _FENCE.match(text, line):
        start = line
        if _FENCE.match(text, stop):
            end = text.find("\n", stop)
            stop = len(text) if end < 0 else end
    return start, stop, strings


def _is_code(written: str, key: str) -> bool:
    """
    Tell whether a string is code, or holds some.
    """
    if key in _SPEECH_KEYS:
        return False
    if key in _CODE_KEYS or "```" in written:
        return True
    start = _unescaped(written[:200])
    if _HEREDOC.match(start):
        return True
    return bool(_OPENING.match(start) or (_NESTED.match(start) and "let" in written))


def _is_fenced(text: str, first: int, last: int) -> bool:
    """
    Tell whether a string is code, and no chat that holds some, nor JSON.
    """
    start = _unescaped(text[first : min(last, first + 200)])
    return "```" not in text[first:last] and not (
        _NESTED.match(start)
        or _HEREDOC.match(start)
        or is_sentence(start.partition("\n")[0])
    )


def _unescaped(written: str) -> str:
    return _ESCAPE.sub(lambda found: _meaning(found[0]), written)


def _meaning(escape: str) -> str:
    letter = escape[1]
    if letter != "u":
        # Whoever writes `\d` in JSON has meant it so.
        return _MEANINGS.get(letter, "\\" if letter == "\\" else escape)
    if len(escape) > len("\\u0000"):
        high, low = int(escape[2:6], 16), int(escape[8:], 16)
        return chr(0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF))
    return chr(int(escape[2:6], 16))
