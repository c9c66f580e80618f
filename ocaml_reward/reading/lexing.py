"""Just enough of OCaml's lexer to tell code from comments and literals, in linear time and
on any text at all: what the compiler would refuse is read as far as it makes sense.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TypeVar

Read = TypeVar("Read")

# One text is looked at as a block, as prose and as an answer; so many are remembered, of so
# many characters at most.
_REMEMBERED = 32
_LONGEST_REMEMBERED = 100_000

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
# What lies before the next bracket of a comment: strings and characters are passed over
# as a whole, quoted and open strings are left to _passed.  So many at a time, as they
# all lie on the stack of the regex engine; a possessive group would be wrong in 3.11.2.
_PIECES = rf""""{_STRING}|'(?:{_CHARACTER})?|\((?!\*)|\{{(?!{_QUOTE})"""
_CODE = re.compile(rf"""(?:[^("'{{]++|{_PIECES}){{1,1000}}""", re.DOTALL)
_COMMENT = re.compile(rf"""(?:[^*("'{{]++|\*(?!\))|{_PIECES}){{1,1000}}""", re.DOTALL)
# Simple comments with no more than blanks between them, which are most of them.
_SIMPLE = re.compile(r"""(?:\(\*[^*("'{]*+\*\)[ \n]*+){1,1000}""")

# What begins a comment or a quoted string in a text that need not be code: in prose a quotation
# mark may stand alone, and so ends with its line.
_ENCLOSES = re.compile(
    r"""\(\*|\{([a-z_]*+)\||"(?:[^"\\\n]|\\[^\n])*+"?|(?<![\w'])'["\\]'"""
)
# Comments and strings that never end are looked for to the end of the text.
_MOST_UNENDED = 20


class Source:
    """A text that is lexed when something asks for it, and then once.

    Both forms have the text's length and its newlines, so that offsets and lines hold:
    `without_comments` has spaces for them, `without_literals` for string and character
    literals too.
    """

    __slots__ = (
        "_lines",
        "_no_comments",
        "_no_literals",
        "text",
    )

    def __init__(self, text: str) -> None:
        """Look at nothing yet."""
        self.text = text
        self._no_comments: str | None = None
        self._no_literals: str | None = None
        self._lines: list[str] | None = None

    def __eq__(self, other: object) -> bool:
        """Compare the texts, from which all else follows."""
        return isinstance(other, Source) and self.text == other.text

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash(self.text)

    def __repr__(self) -> str:
        """Show the text."""
        return f"Source({self.text!r})"

    @property
    def without_comments(self) -> str:
        """The text without its comments."""
        if self._no_comments is None:
            self._no_comments = _blank_comments(self.text)
        return self._no_comments

    @property
    def without_literals(self) -> str:
        """The text without its comments and literals."""
        if self._no_literals is None:
            self._no_literals = _blank_literals(self.text)
        return self._no_literals

    @property
    def lines(self) -> list[str]:
        """The lines that hold more than blanks and comments, without margins."""
        if self._lines is None:
            lines = map(str.strip, self.without_comments.split("\n"))
            self._lines = [line for line in lines if line]
        return self._lines


def _remembered(read: Callable[[str], Read]) -> Callable[[str], Read]:
    """Remember what `read` made of the last texts."""
    known = lru_cache(maxsize=_REMEMBERED)(read)

    def remembering(text: str) -> Read:
        return known(text) if len(text) <= _LONGEST_REMEMBERED else read(text)

    return remembering


@_remembered
def _blank_comments(text: str) -> str:
    return _rebuilt(text, str)


@_remembered
def _blank_literals(text: str) -> str:
    return _rebuilt(text, _without_literals)


def _rebuilt(text: str, of_code: Callable[[str], str]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end in _comments(text):
        pieces += (of_code(text[done:start]), _spaces(text[start:end]))
        done = end
    return "".join([*pieces, of_code(text[done:])])


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each comment, or row of comments, starts and ends."""
    if "(*" not in text:
        return
    place = 0
    while (start := _passed(_CODE, text, place)) < len(text):
        simple = _SIMPLE.match(text, start)
        place = simple.end() if simple else _comment_end(text, start + 2) or len(text)
        yield start, place


def _comment_end(text: str, place: int) -> int:
    """Find the end of a comment, 0 if it has none; they nest, and literals inside hide their
    brackets.
    """
    depth = 1
    while depth and (place := _passed(_COMMENT, text, place)) < len(text):
        depth += 1 if text[place] == "(" else -1
        place += 2
    return 0 if depth else place


def _passed(pieces: re.Pattern[str], text: str, place: int) -> int:
    """Find the next bracket of a comment, or the end of the text."""
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


def enclosed(text: str) -> Iterator[tuple[int, int]]:
    """Yield where comments and quoted strings start and end in a text that may be code, prose or
    both; those that never end are none.
    """
    place = unended = 0
    while unended < _MOST_UNENDED and (found := _ENCLOSES.search(text, place)):
        place = found.end()
        if found[0] == "(*":
            stop = _comment_end(text, place)
        elif found[1] is not None:
            closer = f"|{found[1]}}}"
            stop = text.find(closer, place) + len(closer)
            stop = stop if stop > place else 0
        else:
            continue
        unended += not stop
        if stop:
            yield found.start(), stop
            place = stop


def outside_literals(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield where a pattern is found, but for places in a literal or a comment that begins and
    ends on its line: there it is spoken of, or code.
    """
    # The places of one line are looked at once.
    blank, line, stop = "", 0, 0
    for found in pattern.finditer(text):
        if found.start() >= stop:
            line = text.rfind("\n", 0, found.start()) + 1
            stop = text.find("\n", found.end())
            stop = len(text) if stop < 0 else stop
            blank = Source(f"{text[line:stop]}\nend").without_literals
        if not blank.endswith("end") or blank[found.start() - line] != " ":
            yield found


def _spaces(piece: str) -> str:
    if "\n" not in piece:
        return " " * len(piece)
    return "\n".join([" " * len(line) for line in piece.split("\n")])


def _without_literals(code: str) -> str:
    return _LITERAL.sub(lambda found: _spaces(found[0]), code)
