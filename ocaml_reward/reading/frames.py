"""
What has begun in code and not ended, told word by word without a parser.

Anything that no code has, as the end of a sentence, or a word that belongs to one that has not
been said, tells prose from code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from .lexing import Source

__all__ = ["Ending", "ending"]

_TOKEN = re.compile(
    r":\s*(?:type(?:\s+[a-z_][\w']*)+|'[a-z_]\w*(?:\s+'[a-z_]\w*)*)\s*\.(?=\s)|"
    r"\([ ]*(?:let|and)[$&*+\-/:<=>@^|]+[ ]*\)|(?:[A-Z][\w']*\.)*[A-Za-z_][\w']*|`[A-Za-z][\w']*|'[a-z_]\w*|\d[\w.]*"
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


class Ending(NamedTuple):
    """
    How a text of code ends: where its last item begins, whether it breaks off within a
    definition and behind its head, whether items of a structure come next, as behind
    `struct`, and whether all that has begun has ended.
    """

    start: int
    breaks_off: bool
    in_structure: bool
    is_complete: bool


class _NoCodeError(Exception):
    """
    What was read is no code.
    """


def ending(source: Source) -> Ending | None:
    """
    Read the words of a text up to its end; None where it is no code.
    """
    frames = _Frames()
    # A literal is a word.
    blank = "".join(
        "0" if there.isspace() and not said.isspace() else there
        for said, there in zip(
            source.without_comments, source.without_literals, strict=True
        )
    )
    try:
        for token in _TOKEN.finditer(blank):
            frames.read(token[0], token.start(), blank[token.end() : token.end() + 1])
    except _NoCodeError:
        return None
    return Ending(
        frames.start, frames.breaks_off, frames.in_structure, frames.is_complete
    )


@dataclass(slots=True)
class _Frames:
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

    @property
    def is_complete(self) -> bool:
        return not self.waits and all(frame in _SOFT for frame in self.frames)

    @property
    def breaks_off(self) -> bool:
        if self.start_kind not in ("let", "module") or not self.frames:
            return False
        if self.start_kind == "module" and "struct" not in self.frames:
            return False
        return self.frames[0] != "head" and not self.is_complete

    @property
    def in_structure(self) -> bool:
        hard = [frame for frame in self.frames if frame not in _SOFT]
        between = self.frames[-1:] == ["struct"] or not self.waits
        return hard[-1:] == ["struct"] and between

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
        elif word in _MEMBERS and self.last != "(":
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
        if self.last not in ("let", "(", "with", "|") and self.frames[-1] not in (
            "head",
            "item",
        ):
            raise _NoCodeError

    def on_part(self, word: str) -> None:
        if not self.waits or self._top() in ("head", "local head", "item"):
            raise _NoCodeError
        self.frames.append(word)

    def _top(self) -> str:
        return self.frames[-1] if self.frames else ""

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


_RULES: Final[Mapping[str, Callable[[_Frames, str], None]]] = {
    "let": _Frames.on_let,
    **dict.fromkeys(_ITEMS - {"let"}, _Frames.on_of_item),
    **dict.fromkeys(_OPENS_PART, _Frames.on_part),
    **dict.fromkeys(_BRACKETS.values(), _Frames.on_bracket),
    **dict.fromkeys(_BRACKETS, _Frames.on_closing),
    **dict.fromkeys(_BLOCKS, _Frames.on_block),
    "function": lambda frames, _word: frames.on_part("arms"),
    "end": _Frames.on_end,
    "then": _Frames.on_then,
    "else": _Frames.on_else,
    "with": _Frames.on_with,
    "do": _Frames.on_do,
    "done": _Frames.on_done,
    "in": _Frames.on_in,
    "and": _Frames.on_and,
    "|": _Frames.on_case,
    "of": _Frames.on_of,
    ";;": _Frames.on_ends_all,
}
