"""A minimal OCaml lexer that separates code from comments and literals, in linear time.

Invalid input is lexed on a best-effort basis.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TypeVar

Read = TypeVar("Read")

# Cache at most 32 texts of at most 100,000 characters: the same text is read as a block, as prose
# and as an answer.
_REMEMBERED = 32
_LONGEST_REMEMBERED = 100_000

# The rest of a literal after its first character. A character literal is one token; otherwise '"'
# would open a string. (sauravbhattacharya001/Ocaml-sample-code tests/test_http_server.ml)
_STRING = r'[^"\\]*+(?:\\.[^"\\]*+)*+"'
_CHARACTER = (
    r"(?<![\w']')(?:[^\\'\n]|\\(?:[\\\"'ntbr ]|[0-9]{3}|x[0-9a-fA-F]{2}"
    r"|o[0-7]{3}|u\{[0-9a-fA-F]{1,6}\}))'"
)
_QUOTE = r"(?:%%?[A-Za-z_][\w.']*+[ \t\n]*+)?([a-z_]*)\|"
# (sauravbhattacharya001/Ocaml-sample-code tests/test_http_server.ml)
_QUOTED = re.compile(r"\{" + _QUOTE)
# Each alternative follows a look-ahead at the first character, so that the search skips all others
# fast.
_LITERAL = re.compile(
    rf"""["'{{](?:(?<=")(?:{_STRING}|.*)|(?<='){_CHARACTER}"""
    rf"""|(?<=\{{){_QUOTE}(?:.*?\|\1\}}|.*))""",
    re.DOTALL,
)
# Text before the next bracket of a comment. Strings and characters are skipped as a whole; quoted
# and unterminated strings are left to _passed. The number of repetitions is bounded because all lie
# on the regex engine's stack; a possessive group would be wrong in 3.11.2.
_PIECES = rf""""{_STRING}|'(?:{_CHARACTER})?|\((?!\*)|\{{(?!{_QUOTE})"""
_CODE = re.compile(rf"""(?:[^("'{{]++|{_PIECES}){{1,1000}}""", re.DOTALL)
_COMMENT = re.compile(rf"""(?:[^*("'{{]++|\*(?!\))|{_PIECES}){{1,1000}}""", re.DOTALL)
# Simple comments separated by whitespace only, which are the most common.
_SIMPLE = re.compile(r"""(?:\(\*[^*("'{]*+\*\)[ \n]*+){1,1000}""")

_OPENS = "(*"


class Source:
    """A text that is lexed on first use.

    Both forms keep the text's length and newlines, so that offsets and lines remain valid:
    `without_comments` has spaces for comments, `without_literals` for string and character literals
    too.
    """

    __slots__ = (
        "_lines",
        "_no_comments",
        "_no_literals",
        "text",
    )

    def __init__(self, text: str) -> None:
        """Store the text without lexing it."""
        self.text = text
        self._no_comments: str | None = None
        self._no_literals: str | None = None
        self._lines: list[str] | None = None

    def __eq__(self, other: object) -> bool:
        """Compare the texts."""
        return isinstance(other, Source) and self.text == other.text

    def __hash__(self) -> int:
        """Hash the text."""
        return hash(self.text)

    def __repr__(self) -> str:
        """Return the text's representation."""
        return f"Source({self.text!r})"

    @property
    def without_comments(self) -> str:
        """Return the text without its comments."""
        if self._no_comments is None:
            bare = _OPENS not in self.text
            self._no_comments = self.text if bare else _blank_comments(self.text)
        return self._no_comments

    @property
    def without_literals(self) -> str:
        """Return the text without its comments and literals."""
        if self._no_literals is None:
            bare = _OPENS not in self.text
            self._no_literals = (_without_literals if bare else _blank_literals)(self.text)
        return self._no_literals

    @property
    def lines(self) -> list[str]:
        """Return the stripped lines that hold more than whitespace and comments."""
        if self._lines is None:
            lines = map(str.strip, self.without_comments.split("\n"))
            self._lines = [line for line in lines if line]
        return self._lines


def _remembered(read: Callable[[str], Read]) -> Callable[[str], Read]:
    """Cache the results of `read` for the latest texts."""
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
    """Return the text with blanks for comments and `of_code` applied to the rest."""
    pieces: list[str] = []
    done = 0
    for start, end in _comments(text):
        pieces += (of_code(text[done:start]), _spaces(text[start:end]))
        done = end
    return "".join([*pieces, of_code(text[done:])])


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Yield the range of each comment, or sequence of comments, in a text that has any.
    (ocaml/ocaml testsuite/tests/lexing/comments.ml:5)
    """
    place = 0
    while (start := _passed(_CODE, text, place)) < len(text):
        simple = _SIMPLE.match(text, start)
        place = simple.end() if simple else _comment_end(text, start + 2) or len(text)
        yield start, place


def _comment_end(text: str, place: int) -> int:
    """Return the end of a comment, or 0 if it is unterminated.

    Comments nest, and literals inside hide brackets.
    """
    depth = 1
    while depth and (place := _passed(_COMMENT, text, place)) < len(text):
        depth += 1 if text[place] == "(" else -1
        place += 2
    return 0 if depth else place


def _passed(pieces: re.Pattern[str], text: str, place: int) -> int:
    """Return the offset of the next bracket of a comment, or the end of the text."""
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


def outside_literals(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that are not inside a literal or comment of a single line.

    There the matched text is quoted or mentioned, not used.
    """
    # The matches in one line are tested at once.
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
    """Return blanks for a text, with its line ends."""
    if "\n" not in piece:
        return " " * len(piece)
    return "\n".join([" " * len(line) for line in piece.split("\n")])


def _without_literals(code: str) -> str:
    return _LITERAL.sub(lambda found: _spaces(found[0]), code)
