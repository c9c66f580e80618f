"""
Where code breaks off within a definition, told by the words that wait for another one.

Anything that no code has, as the end of a sentence, or a word that belongs to one that has not
been said, tells prose from code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from .lexing import Source

__all__ = ["Opening", "opening"]

_TOKEN = re.compile(
    r"(?:[A-Z][\w']*\.)*[A-Za-z_][\w']*|`[A-Za-z][\w']*|'[a-z_]\w*|\d[\w.]*"
    r"|[~?][a-z_][\w']*:?|;;|\[\||\|\]|[()\[\]{},;]|[-!$%&*+/:<=>?@^|~.#]+|\S"
)
_BRACKETS = {")": "(", "]": "[", "}": "{", "|]": "[|"}
_STRUCTURES = frozenset(("struct", "sig", "object"))
_BLOCKS = _STRUCTURES | {"begin"}
_ITEMS = frozenset(
    ("let", "type", "module", "exception", "open", "include", "class", "external")
)
_MEMBERS = frozenset(("val", "method", "inherit", "initializer", "constraint"))
# What has begun, and ends by itself where something else begins or closes.
_SOFT = frozenset(("item", "definition", "arms", "then"))
# Each needs something behind it, besides operators.
_WAITS = frozenset(
    (
        *("in", "then", "else", "with", "function", "match", "try", "if", "while", "for"),
        *("do", "to", "downto", "when", "fun", "begin", "struct", "sig", "object", "let"),
        *("and", "rec", "of", "as", "not", "lazy", "assert", "new", "type", "module"),
        *("or", "mod", "land", "lor", "lxor", "lsl", "lsr", "asr"),
    )
)  # fmt: skip
_OPENS_PART = frozenset(("match", "try", "if", "while", "for", "fun"))
_SIGN = re.compile(r"[-!$%&*+/:<=>?@^|~.#]+\Z")
# Behind one of these such a word belongs to what has begun.
_JOINS = frozenset(("module", "class", "with", "and", ":", "include", "(", "="))


@dataclass(frozen=True, kw_only=True, slots=True)
class Opening:
    """
    A definition that a text breaks off in: where it begins, and whether items are what
    comes next, as behind `struct`.
    """

    start: int
    in_structure: bool


class _NoCodeError(Exception):
    """
    What was read is no code.
    """


def opening(text: str) -> Opening | None:
    """
    Find the definition that a text of code breaks off in; None where the last one may be
    complete, where it is no more than a head, or where the text is no code.
    """
    source = Source(text)
    reader = _Reader()
    blank = "".join(
        "0" if there.isspace() and not said.isspace() else there
        for said, there in zip(
            source.without_comments, source.without_literals, strict=True
        )
    )
    try:
        for token in _TOKEN.finditer(blank):
            reader.read(token[0], token.start(), blank[token.end() : token.end() + 1])
    except _NoCodeError:
        return None
    return reader.opening()


@dataclass(slots=True)
class _Reader:
    """
    What has begun and not ended, by kind: brackets and blocks, "head" and "local head" up to
    the equals sign of a `let`, then "definition" or "local"; "item", "arms" and "then".
    """

    frames: list[str] = field(default_factory=list)
    # Whether the last word needs something behind it; nothing has begun yet.
    waits: bool = True
    last: str = ""
    start: int = 0
    start_kind: str = ""

    def opening(self) -> Opening | None:
        """
        Tell what the words so far break off in.
        """
        if self.start_kind not in ("let", "module") or not self.frames:
            return None
        hard = [frame for frame in self.frames if frame not in _SOFT]
        if self.frames[0] == "head" or not (hard or self.waits):
            return None
        if self.start_kind == "module" and "struct" not in hard:
            return None
        between = self.frames[-1] == "struct" or not self.waits
        in_structure = hard[-1:] == ["struct"] and between
        return Opening(start=self.start, in_structure=in_structure)

    def read(self, word: str, place: int, behind: str) -> None:
        """
        Take the next word; raises where none of OCaml's can stand so.
        """
        if word in _ITEMS and self._begins_item(word):
            self._item(word, place)
        elif word in _RULES:
            _RULES[word](self, word)
        elif _SIGN.match(word):
            self._sign(word, behind)
        elif word in _MEMBERS:
            self._member()
        elif not word.isascii() or word in ("`", "'", '"', "\\"):
            raise _NoCodeError
        self.waits = word in _WAITS or word in _BRACKETS.values() or word in ",;"
        self.waits = self.waits or bool(_SIGN.match(word)) or word[-1] == ":"
        self.last = word

    def _drop_soft(self) -> str:
        """
        End what ends by itself; return what is left on top.
        """
        while self.frames and self.frames[-1] in _SOFT:
            self.frames.pop()
        return self.frames[-1] if self.frames else ""

    def _close(self, *kinds: str) -> None:
        if self._drop_soft() not in kinds:
            raise _NoCodeError
        self.frames.pop()

    def _begins_item(self, word: str) -> bool:
        if not self.frames or self.frames[-1] in _STRUCTURES:
            return True
        if self.frames[-1] == "item" and self.last in _JOINS:
            return False
        if self.waits:
            return word != "let" and self.frames[-1] == "item"
        soft = 0
        while soft < len(self.frames) and self.frames[-1 - soft] in _SOFT:
            soft += 1
        return soft == len(self.frames) or self.frames[-1 - soft] in _STRUCTURES

    def _item(self, word: str, place: int) -> None:
        self._drop_soft()
        if not self.frames:
            self.start, self.start_kind = place, word
        self.frames.append("head" if word == "let" else "item")

    def on_let(self, _word: str) -> None:
        if not self.waits:
            raise _NoCodeError
        self.frames.append("local head")

    def on_of_item(self, _word: str) -> None:
        # As in `let open M in`, `(module M : S)` and `fun (type a) ->`.
        if self.last not in ("let", "(") and self.frames[-1] not in ("head", "item"):
            raise _NoCodeError

    def on_part(self, word: str) -> None:
        if not self.waits or self._top() in ("head", "local head", "item"):
            raise _NoCodeError
        self.frames.append(word)

    def _top(self) -> str:
        return self.frames[-1] if self.frames else ""

    def on_function(self, _word: str) -> None:
        self.on_part("arms")

    def on_bracket(self, word: str) -> None:
        self.frames.append(word)

    def on_block(self, word: str) -> None:
        if word in _STRUCTURES and not self.waits:
            raise _NoCodeError
        self.frames.append(word)

    def on_closing(self, word: str) -> None:
        self._close(_BRACKETS[word])

    def on_end(self, _word: str) -> None:
        self._close(*_BLOCKS)

    def on_then(self, _word: str) -> None:
        self._close("if")
        self.frames.append("then")

    def on_else(self, _word: str) -> None:
        while self._top() == "arms":
            self.frames.pop()
        if self._top() != "then":
            raise _NoCodeError
        self.frames.pop()

    def on_with(self, _word: str) -> None:
        if self._top() in ("item", "{", "("):
            return
        self._close("match", "try")
        self.frames.append("arms")

    def on_do(self, _word: str) -> None:
        self._close("while", "for")
        self.frames.append("do")

    def on_done(self, _word: str) -> None:
        self._close("do")

    def on_in(self, _word: str) -> None:
        self._close("local", "local head")

    def on_and(self, _word: str) -> None:
        if self.waits:
            raise _NoCodeError
        if self._top() in _SOFT:
            last = ""
            while self._top() in _SOFT:
                last = self.frames.pop()
            if last in ("definition", "item"):
                self.frames.append("head" if last == "definition" else last)
                return
        self._close("local")
        self.frames.append("local head")

    def on_case(self, _word: str) -> None:
        if self._top() not in ("arms", "item", "(", "[", "then"):
            raise _NoCodeError

    def on_ends_all(self, _word: str) -> None:
        if self._drop_soft():
            raise _NoCodeError

    def _member(self) -> None:
        while self._top() in _SOFT:
            self.frames.pop()
        if self._top() not in ("sig", "object"):
            raise _NoCodeError
        self.frames.append("item")

    def _sign(self, word: str, behind: str) -> None:
        top = self._top()
        if word == "=" and top in ("head", "local head"):
            self.frames[-1] = "definition" if top == "head" else "local"
        elif word == "->" and top == "fun":
            self.frames.pop()
        elif (
            not self.frames
            or word.startswith("...")
            # The end of a sentence, or what leads to a list of them.
            or (word == "." and (not behind or behind.isspace()))
            or (word == ":" and top in ("definition", "local", "arms", "then"))
        ):
            raise _NoCodeError

    def on_of(self, _word: str) -> None:
        if self._top() not in ("item", "head", "local head", "[", "(", "{"):
            raise _NoCodeError


_RULES: Final[Mapping[str, Callable[[_Reader, str], None]]] = {
    "let": _Reader.on_let,
    **dict.fromkeys(_ITEMS - {"let"}, _Reader.on_of_item),
    **dict.fromkeys(_OPENS_PART, _Reader.on_part),
    **dict.fromkeys(_BRACKETS.values(), _Reader.on_bracket),
    **dict.fromkeys(_BRACKETS, _Reader.on_closing),
    **dict.fromkeys(_BLOCKS, _Reader.on_block),
    "function": _Reader.on_function,
    "end": _Reader.on_end,
    "then": _Reader.on_then,
    "else": _Reader.on_else,
    "with": _Reader.on_with,
    "do": _Reader.on_do,
    "done": _Reader.on_done,
    "in": _Reader.on_in,
    "and": _Reader.on_and,
    "|": _Reader.on_case,
    "of": _Reader.on_of,
    ";;": _Reader.on_ends_all,
}
