"""
Just enough of OCaml's lexer to tell code from comments and literals, in linear time and
on any text at all: what the compiler would refuse is read as far as it makes sense.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

__all__ = ["Outline", "Source", "opens_structure"]

# What follows the character that opens a literal.  A character literal is one token, or
# '"' would open a string.
_STRING = r'[^"\\]*+(?:\\.[^"\\]*+)*+"'
_CHARACTER = (
    r"(?<![\w']')(?:[^\\'\n]|\\(?:[\\\"'ntbr ]|[0-9]{3}|x[0-9a-fA-F]{2}"
    r"|o[0-7]{3}|u\{[0-9a-fA-F]{1,6}\}))'"
)
_QUOTE = r"(?:%%?[A-Za-z_][\w.']*+[ \t\n]*+)?([a-z_]*)\|"
_QUOTED = re.compile(r"\{" + _QUOTE)
# Each alternative stands behind a look at the first character, which lets the search
# skip all others fast.
_LITERAL = re.compile(
    rf"""["'{{](?:(?<=")(?:{_STRING}|.*)|(?<='){_CHARACTER}"""
    rf"""|(?<=\{{){_QUOTE}(?:.*?\|\1\}}|.*))""",
    re.DOTALL,
)
_OPENER = re.compile(
    rf"""[("'{{](?:(?<=\()\*|(?<=")|(?<='){_CHARACTER}|(?<=\{{){_QUOTE})"""
)
# What lies before the next bracket of a comment: strings and characters are passed over
# as a whole, quoted and open strings are left to _passed.  So many at a time, as they
# all lie on the stack of the regex engine; a possessive group would be wrong in 3.11.2.
_PIECES = rf""""{_STRING}|'(?:{_CHARACTER})?|\((?!\*)|\{{(?!{_QUOTE})"""
_CODE = re.compile(rf"""(?:[^("'{{]++|{_PIECES}){{1,1000}}""", re.DOTALL)
_COMMENT = re.compile(rf"""(?:[^*("'{{]++|\*(?!\))|{_PIECES}){{1,1000}}""", re.DOTALL)
# Simple comments with no more than blanks between them, which are most of them.
_SIMPLE = re.compile(r"""(?:\(\*[^*("'{]*+\*\)[ \n]*+){1,1000}""")


class Source:
    """
    A text that is lexed when something asks for it, and then once.

    Both forms have the text's length and its newlines, so that offsets and lines hold:
    `without_comments` has spaces for them, `without_literals` for string and character
    literals too.
    """

    __slots__ = (
        "_comments",
        "_lines",
        "_no_comments",
        "_no_literals",
        "_outline",
        "text",
    )

    def __init__(self, text: str) -> None:
        """
        Look at nothing yet.
        """
        self.text = text
        self._comments: list[tuple[int, int]] | None = None
        self._no_comments: str | None = None
        self._no_literals: str | None = None
        self._lines: list[str] | None = None
        self._outline: Outline | None = None

    def __eq__(self, other: object) -> bool:
        """
        Compare the texts, from which all else follows.
        """
        return isinstance(other, Source) and self.text == other.text

    def __hash__(self) -> int:
        """
        Agree with equality.
        """
        return hash(self.text)

    def __repr__(self) -> str:
        """
        Show the text.
        """
        return f"Source({self.text!r})"

    @property
    def without_comments(self) -> str:
        """
        The text without its comments.
        """
        if self._no_comments is None:
            self._no_comments = self._rebuilt(str)
        return self._no_comments

    @property
    def without_literals(self) -> str:
        """
        The text without its comments and literals.
        """
        if self._no_literals is None:
            self._no_literals = self._rebuilt(_without_literals)
        return self._no_literals

    @property
    def outline(self) -> Outline:
        """
        What the text defines.
        """
        if self._outline is None:
            self._outline = _outline(self.without_literals)
        return self._outline

    @property
    def lines(self) -> list[str]:
        """
        The lines that hold more than blanks and comments, without margins.
        """
        if self._lines is None:
            lines = map(str.strip, self.without_comments.split("\n"))
            self._lines = [line for line in lines if line]
        return self._lines

    def is_plain(self, *, until: int) -> bool:
        """
        Say whether no comment and no literal begins before a place.
        """
        found = _OPENER.search(self.text)
        return not found or found.start() >= until

    def _rebuilt(self, of_code: Callable[[str], str]) -> str:
        pieces: list[str] = []
        done = 0
        for start, end in self._all_comments():
            pieces += (of_code(self.text[done:start]), _spaces(self.text[start:end]))
            done = end
        return "".join([*pieces, of_code(self.text[done:])])

    def _all_comments(self) -> list[tuple[int, int]]:
        if self._comments is None:
            self._comments = list(_comments(self.text))
        return self._comments


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """
    Yield where each comment, or row of comments, starts and ends.
    """
    place = 0
    while (start := _passed(_CODE, text, place)) < len(text):
        simple = _SIMPLE.match(text, start)
        place = simple.end() if simple else _comment_end(text, start + 2)
        yield start, place


def _comment_end(text: str, place: int) -> int:
    """
    Find the end of a comment; they nest, and literals inside hide their brackets.
    """
    depth = 1
    while depth and (place := _passed(_COMMENT, text, place)) < len(text):
        depth += 1 if text[place] == "(" else -1
        place += 2
    return place


def _passed(pieces: re.Pattern[str], text: str, place: int) -> int:
    """
    Find the next bracket of a comment, or the end of the text.
    """
    while True:
        while found := pieces.match(text, place):
            place = found.end()
        if quoted := _QUOTED.match(text, place):
            closer = f"|{quoted[1]}}}"
            at = text.find(closer, quoted.end())
            place = at + len(closer) if at >= 0 else len(text)
        elif text.startswith('"', place):
            return len(text)
        else:
            return place


def _spaces(piece: str) -> str:
    if "\n" not in piece:
        return " " * len(piece)
    return "\n".join([" " * len(line) for line in piece.split("\n")])


def _without_literals(code: str) -> str:
    return _LITERAL.sub(lambda found: _spaces(found[0]), code)


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
# More than are in a megabyte of code; bounds the work on spam.
_MOST_KEYWORDS = 100_000
# Behind one of these such a word is the end of a name, a label or a field.
_JOINS = frozenset("_'.~?")
# What most definitions look like; _bound reads them all.
_PLAIN = re.compile(
    r" (?:rec )?(?!(?:rec|nonrec|type|virtual)\b)([A-Za-z_][\w']*+) (?=[\w(=:'~?])"
)
_NAME = re.compile(r"[A-Za-z_][\w']*")
_OPERATOR = re.compile(r"\(\s*+([!$%&*+\-./:<=>?@^|~#]+|[a-z]+)\s*+\)")
_BINDER = re.compile(
    r"[!$%&*+\-./<=>@^|]*(?:\w+(?=\s))?+\s*+(?:(?:rec|nonrec|type|virtual)\b\s*+)*+"
)
_TYPE_HEAD = re.compile(r"\s*+(?:nonrec\b\s*+)?(?:\([^()]{0,200}\)|[+-]?'\w+)?\s*+")
_MODULE_HEAD = re.compile(r"\s*+(?:(?:type|rec)\b\s*+)*+")


def _outline(blank: str) -> Outline:
    """
    Find the top-level definitions without a parser: a `let` that never meets its `in`
    is one.  Generous where the source is broken; only the first 100,000 keywords count.
    """
    # One entry for each `let` still without its `in`: where it stands, what it binds.
    lets: list[tuple[int, list[str]]] = []
    others: list[tuple[int, str]] = []
    for found in islice(_KEYWORD.finditer(blank), _MOST_KEYWORDS):
        start, end = found.span()
        before = blank[start - 1 : start]
        if before.isalnum() or before in _JOINS:
            continue
        word = found[0]
        if word == "let":
            lets.append((start, _bound(blank, end)))
        elif word == "in":
            if lets:
                lets.pop()
        elif word == "and" and lets:
            lets[-1][1].extend(_bound(blank, end))
        else:
            head = _TYPE_HEAD if word in {"type", "and"} else _MODULE_HEAD
            # What is opened or only declared is not defined.
            defined = word not in {"open", "include", "val"}
            others.append((start, _named(blank, head, end) if defined else ""))
    names = {name for _, bound in lets for name in bound}
    names.update(name for _, name in others if name)
    first = len(blank) - len(blank.lstrip())
    opens = any(each and each[0][0] == first for each in (lets, others))
    return Outline(names=frozenset(names), opens_with_definition=opens)


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
    if plain := _PLAIN.match(text, place):
        return [plain[1]]
    skipped = _BINDER.match(text, place)
    place = skipped.end() if skipped else place
    if operator := _OPERATOR.match(text, place):
        return [operator[1]]
    name = _NAME.match(text, place)
    # A tuple such as `let even, odd = …` binds each of its names.
    if not name or text[name.end() : name.end() + 20].lstrip().startswith(","):
        return _NAME.findall(text[place : place + 200].partition("=")[0])
    return [name[0]]
