"""
Just enough of OCaml's lexer to tell code from comments and literals, in linear time and
on any text at all: what the compiler would refuse is read as far as it makes sense.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Outline", "Source", "opens_structure"]

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
# Several at a time where only blanks lie between them, which is most of the work saved
# on text that is full of them.
_COMMENTS = re.compile(r"""(?:\(\*[^*("'{]*+\*\)[ \n]*+){1,500}""")
_STRINGS = re.compile(r'(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[ \n]*+){1,500}', re.DOTALL)


class Source:
    """
    A text that is lexed when something asks for it, and then once.

    Both forms have the text's length and its newlines, so that offsets and lines hold:
    `bare` has spaces for comments, `blank` for string and character literals too.
    """

    __slots__ = ("_forms", "_lines", "_outline", "text")

    def __init__(self, text: str) -> None:
        """
        Look at nothing yet.
        """
        self.text = text
        self._forms: tuple[str, str] | None = None
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
    def bare(self) -> str:
        """
        The text without its comments.
        """
        return self._lexed()[0]

    @property
    def blank(self) -> str:
        """
        The text without its comments and literals.
        """
        return self._lexed()[1]

    @property
    def outline(self) -> Outline:
        """
        What the text defines.
        """
        if self._outline is None:
            self._outline = _outline(self.blank)
        return self._outline

    @property
    def lines(self) -> list[str]:
        """
        The lines that hold more than blanks and comments, without margins.
        """
        if self._lines is None:
            lines = map(str.strip, self.bare.split("\n"))
            self._lines = [line for line in lines if line]
        return self._lines

    def is_plain(self, *, until: int) -> bool:
        """
        Say whether no comment and no literal begins before a place.
        """
        found = _OPENER.search(self.text)
        return not found or found.start() >= until

    def _lexed(self) -> tuple[str, str]:
        if self._forms is None:
            self._forms = _forms(self.text)
        return self._forms


def _forms(text: str) -> tuple[str, str]:
    """
    Make a text's two forms in one walk.
    """
    bare: list[str] = []
    blank: list[str] = []
    place = done = 0
    while found := _OPENER.search(text, place):
        start = found.start()
        blank.append(text[place:start])
        if found[0] == "(*":
            place = _comments_end(text, found)
            spaces = _spaces(text[start:place])
            bare += (text[done:start], spaces)
            done = place
        else:
            place = _literals_end(text, found)
            spaces = _spaces(text[start:place])
        blank.append(spaces)
    if not blank:
        return text, text
    blank.append(text[place:])
    bare.append(text[done:])
    return "".join(bare), "".join(blank)


def _spaces(piece: str) -> str:
    if "\n" not in piece:
        return " " * len(piece)
    return "\n".join([" " * len(line) for line in piece.split("\n")])


def _comments_end(text: str, found: re.Match[str]) -> int:
    """
    Find the end of a comment, or of several.
    """
    simple = _COMMENTS.match(text, found.start())
    return simple.end() if simple else _comment_end(text, found.end())


def _literals_end(text: str, found: re.Match[str]) -> int:
    """
    Find the end of a literal, or of several strings; open ones end with the text.
    """
    if found[0] == '"':
        end = _STRINGS.match(text, found.start())
        return end.end() if end else len(text)
    if found[0].startswith("{"):
        closer = f"|{found[1]}}}"
        at = text.find(closer, found.end())
        return at + len(closer) if at >= 0 else len(text)
    return found.end()


def _comment_end(text: str, place: int) -> int:
    """
    Find the end of a comment; they nest, and literals inside hide their brackets.
    """
    depth = 1
    while depth:
        found = _IN_COMMENT.search(text, place)
        if not found:
            return len(text)
        if found[0] == "*)":
            depth -= 1
            place = found.end()
        elif found[0] == "(*":
            depth += 1
            place = found.end()
        else:
            place = _literals_end(text, found)
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
    is one.  Generous where the source is broken.
    """
    # One entry for each `let` still without its `in`: where it stands, what it binds.
    lets: list[tuple[int, list[str]]] = []
    others: list[tuple[int, str]] = []
    for found in _KEYWORD.finditer(blank):
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
