"""
Just enough of OCaml's lexer to tell code from comments and literals, in linear time and
on any text at all: what the compiler would refuse is read as far as it makes sense.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Outline", "blank", "code_lines", "opens_structure", "outline"]

# Each alternative starts behind a look at the first character, which lets the scan skip
# all others fast.  A character literal is one token, or '"' would open a string.
_LITERAL = (
    r"(?<=\")"
    r"|(?<=')(?<![\w']')(?:[^\\'\n]|\\(?:[\\\"'ntbr ]|[0-9]{3}|x[0-9a-fA-F]{2}"
    r"|o[0-7]{3}|u\{[0-9a-fA-F]{1,6}\}))'"
    r"|(?<=\{)(?:%%?[A-Za-z_][\w.']*+[ \t\n]*+)?([a-z_]*)\|"
)
_OPENER = re.compile(rf"""[("'{{](?:(?<=\()\*|{_LITERAL})""")
_IN_COMMENT = re.compile(rf"""[*("'{{](?:(?<=\()\*|(?<=\*)\)|{_LITERAL})""")
_STRING_END = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_NOT_NEWLINE = re.compile(r"[^\n]")


def blank(source: str, *, literals: bool = True) -> str:
    """
    Overwrite comments with spaces, string and character literals too unless `literals`
    is False.  Length and newlines stay, so that offsets and lines hold.
    """
    pieces: list[str] = []
    done = 0
    for start, end, is_comment in _opaque(source):
        if is_comment or literals:
            pieces.append(source[done:start])
            pieces.append(_NOT_NEWLINE.sub(" ", source[start:end]))
            done = end
    pieces.append(source[done:])
    return "".join(pieces)


def code_lines(source: str) -> int:
    """
    Count the lines that hold more than blanks and comments.
    """
    return sum(not line.isspace() for line in _filled(blank(source, literals=False)))


def _filled(text: str) -> Iterator[str]:
    return (line for line in text.split("\n") if line)


def _opaque(source: str) -> Iterator[tuple[int, int, bool]]:
    """
    Walk the comments and literals: where each starts and ends, and if it is a comment.
    """
    place = 0
    while found := _OPENER.search(source, place):
        is_comment = found[0] == "(*"
        if is_comment:
            place = _comment_end(source, found.end())
        else:
            place = _literal_end(source, found)
        yield found.start(), place, is_comment


def _literal_end(source: str, found: re.Match[str]) -> int:
    if found[0] == '"':
        end = _STRING_END.match(source, found.end())
        return end.end() if end else len(source)
    if found[0].startswith("{"):
        closer = f"|{found[1]}}}"
        at = source.find(closer, found.end())
        return at + len(closer) if at >= 0 else len(source)
    return found.end()


def _comment_end(source: str, place: int) -> int:
    """
    Find the end of a comment; they nest, and literals inside hide their brackets.
    """
    depth = 1
    while depth:
        found = _IN_COMMENT.search(source, place)
        if not found:
            return len(source)
        if found[0] == "*)":
            depth -= 1
            place = found.end()
        elif found[0] == "(*":
            depth += 1
            place = found.end()
        else:
            place = _literal_end(source, found)
    return place


@dataclass(frozen=True, kw_only=True, slots=True)
class Outline:
    """
    What a source defines at its top level, and whether a definition opens it.
    """

    names: frozenset[str]
    opens_with_definition: bool


_KEYWORD = re.compile(
    r"(?:let|and|in|external|val|type|module|exception|class|open|include)(?![\w'])"
)
# Behind one of these such a word is the end of a name, a label or a field.
_JOINS = re.compile(r"[\w'.~?]")
_NAME = re.compile(r"[A-Za-z_][\w']*")
_OPERATOR = re.compile(r"\(\s*+([!$%&*+\-./:<=>?@^|~#]+|[a-z]+)\s*+\)")
_BINDER = re.compile(
    r"[!$%&*+\-./<=>@^|]*(?:\w+(?=\s))?+\s*+(?:(?:rec|nonrec|type|virtual)\b\s*+)*+"
)
_TYPE_HEAD = re.compile(r"\s*+(?:nonrec\b\s*+)?(?:\([^()]{0,200}\)|[+-]?'\w+)?\s*+")
_MODULE_HEAD = re.compile(r"\s*+(?:(?:type|rec)\b\s*+)*+")


def outline(source: str) -> Outline:
    """
    Find the top-level definitions without a parser: a `let` that never meets its `in`
    is one.  Generous where the source is broken.
    """
    text = blank(source)
    # One entry for each `let` still without its `in`: where it stands, what it binds.
    lets: list[tuple[int, list[str]]] = []
    others: list[tuple[int, str]] = []
    for found in _KEYWORD.finditer(text):
        word = found[0]
        if _JOINS.match(text, found.start() - 1, found.start()):
            continue
        if word == "let":
            lets.append((found.start(), _bound(text, found.end())))
        elif word == "and" and lets:
            lets[-1][1].extend(_bound(text, found.end()))
        elif word == "in":
            if lets:
                lets.pop()
        else:
            head = {"type": _TYPE_HEAD, "and": _TYPE_HEAD}.get(word, _MODULE_HEAD)
            # What is opened or only declared is not defined.
            defined = word not in {"open", "include", "val"}
            name = _named(text, head, found.end()) if defined else ""
            others.append((found.start(), name))
    names = {name for _, bound in lets for name in bound}
    names.update(name for _, name in others if name)
    starts = {start for start, _ in lets} | {start for start, _ in others}
    first = len(text) - len(text.lstrip())
    return Outline(names=frozenset(names), opens_with_definition=first in starts)


_STRUCTURE = re.compile(
    r"\s*(?:let|type|open|module|exception|external|include|class)\b"
)


def opens_structure(text: str) -> bool:
    """
    Tell whether the first word of a blanked text can open an OCaml file.
    """
    return bool(_STRUCTURE.match(text))


def _named(text: str, head: re.Pattern[str], place: int) -> str:
    skipped = head.match(text, place)
    name = _NAME.match(text, skipped.end() if skipped else place)
    return name[0] if name else ""


def _bound(text: str, place: int) -> list[str]:
    """
    List the names that a `let` binds: one function, an operator, or a pattern's names.
    """
    skipped = _BINDER.match(text, place)
    place = skipped.end() if skipped else place
    if operator := _OPERATOR.match(text, place):
        return [operator[1]]
    name = _NAME.match(text, place)
    # A tuple such as `let even, odd = …` binds each of its names.
    if not name or text[name.end() : name.end() + 20].lstrip().startswith(","):
        return _NAME.findall(text[place : place + 200].partition("=")[0])
    return [name[0]]
