r"""Finds code in the strings of JSON: `{"code": "let f x =\n  x"}`.

Such strings become fenced blocks and the text between them is dropped. The JSON may be cut off, and
its strings may contain newlines.
"""

from __future__ import annotations

import re

from .source_map import Edit

# JSON starts the text or a line, possibly after the tag of a tool call: the first key of an object,
# or a list of objects. OCaml never has these there.
_BEGINS = re.compile(
    r"^[ \t]{0,40}(?:(?:<[|\w=]{1,60}>|\[TOOL_CALLS\])[ ]?)?"
    r"(?:[\[{]\s{0,40}){1,4}\"[\w -]{1,40}\"\s{0,40}:\s{0,40}[\"\[{]",
    re.MULTILINE,
)
_STRING = re.compile(r"\"((?:[^\"\\]|\\.)*+)(\"|\\?\Z)", re.DOTALL)
_CODE = re.compile(
    r"\s*+(?:let|type|open|module|exception|external|include|class|\(\*)(?![\w'])"
)
_WHOLE = re.compile(r"\s*+\"" + _CODE.pattern)
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_OCAML_FENCE = re.compile(
    r"^[ \t]*(?:```|~~~)[ \t]*(?:ocaml|ml)\b", re.MULTILINE | re.IGNORECASE
)
_DEFINITION = re.compile(r"^(?:let|type|module|exception)\b", re.MULTILINE)
_NESTED = re.compile(r"\s*+[\[{]\s*+\\?[\"{\[]")
_KEY = re.compile(r"\s*+:")
_TAIL = re.compile(r"[\s\]},]*+")
_COMMA = re.compile(r"\"?\s*+,\s*+\Z")
# Keys whose strings are the answer even if they do not start like code, as a function body; and
# keys whose strings never are, though they may quote code.
_ANSWERS = frozenset(
    ("answer", "code", "completion", "content", "implementation", "solution")
)
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
    if (
        not begins
        or _DEFINITION.search(text[: begins.start()])
        or _OCAML_FENCE.search(text)
    ):
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
    start = _ESCAPE.sub(lambda found: _meaning(found[0]), written[:200])
    nested = _NESTED.match(start) and "let" in written
    return "```" in written or bool(_CODE.match(start) or nested)


def _is_fenced(written: str) -> bool:
    """Return whether a string is code itself, without fences or JSON in it."""
    return "```" not in written and not _NESTED.match(written)


def _meaning(escape: str) -> str:
    letter = escape[1]
    if letter != "u":
        # A writer of `\d` in JSON meant both characters.
        return _MEANINGS.get(letter, escape)
    if len(escape) > len("\\u0000"):
        high, low = int(escape[2:6], 16), int(escape[8:], 16)
        return chr(0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF))
    return chr(int(escape[2:6], 16))
