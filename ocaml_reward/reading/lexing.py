"""A minimal OCaml lexer that separates code from comments and literals, in linear time.

Invalid input is lexed on a best-effort basis.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

# The rest of a literal after its first character. A character literal is one token; otherwise '"'
# would open a string. (sauravbhattacharya001/Ocaml-sample-code tests/test_http_server.ml)
_STRING = r'[^"\\]*+(?:\\.[^"\\]*+)*+"'
_CHARACTER = (
    r"(?<![\w']')(?:[^\\'\n]|\\(?:[\\\"'ntbr ]|[0-9]{3}|x[0-9a-fA-F]{2}"
    r"|o[0-7]{3}|u\{[0-9a-fA-F]{1,6}\}))'"
)
# (sauravbhattacharya001/Ocaml-sample-code tests/test_http_server.ml)
_QUOTED = r"(?:%%?[A-Za-z_][\w.']*+[ \t\n]*+)?([a-z_]*)\|(?:.*?\|\1\}|.*)"
# A literal, or a bracket of a comment. Each alternative follows a look-ahead at the first character,
# so that the search skips all others fast.
_TOKEN = re.compile(
    rf"""["'{{(*](?:(?<=")(?:{_STRING}|.*)|(?<='){_CHARACTER}|(?<=\{{){_QUOTED}"""
    r"|(?<=\()\*|(?<=\*)\))",
    re.DOTALL,
)


@dataclass(frozen=True)
class Source:
    """A text that is lexed on first use.

    Both forms keep the text's length and newlines, so that offsets and lines remain valid:
    `without_comments` has spaces for comments, `without_literals` for string and character literals
    too.
    """

    text: str

    @cached_property
    def without_comments(self) -> str:
        """Return the text without its comments."""
        return _blanked(self.text, literals=False) if "(*" in self.text else self.text

    @cached_property
    def without_literals(self) -> str:
        """Return the text without its comments and literals."""
        return _blanked(self.text, literals=True)

    @cached_property
    def lines(self) -> list[str]:
        """Return the stripped lines that hold more than whitespace and comments."""
        lines = map(str.strip, self.without_comments.split("\n"))
        return [line for line in lines if line]


def _blanked(text: str, *, literals: bool) -> str:
    """Return the text with blanks for comments, and also for literals.

    Comments nest, and literals inside hide brackets; an unterminated one ends with the text.

    (ocaml/ocaml testsuite/tests/lexing/comments.ml:5)
    """
    pieces: list[str] = []
    done = start = depth = 0
    for token in _TOKEN.finditer(text):
        word = token[0]
        if not depth:
            if word == "*)" or not (literals or word == "(*"):
                continue
            start = token.start()
        depth += (word == "(*") - (word == "*)")
        if not depth:
            pieces += text[done:start], _spaces(text[start : token.end()])
            done = token.end()
    pieces += (text[done:start], _spaces(text[start:])) if depth else (text[done:],)
    return "".join(pieces)


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
