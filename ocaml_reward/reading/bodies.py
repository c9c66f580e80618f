"""
What a definition takes and what its result is made of, read without a parser.

A result is where nothing else happens to a value: what a condition asks, what is matched
and what a local name stands for are none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .heads import CLOSERS, LISTS, NAME, OPENERS, WORD_OR_SIGN, call_of, parameters

__all__ = ["GIVEN", "Body", "Local", "Piece", "body_of"]

GIVEN = "\0"
"""
Stands for an argument without a name.
"""

# How many frames back is looked, which bounds the work on what nests without an end.
_DEPTH = 50
_LOOKS = frozenset(("if", "while", "for"))
_BREAKS = _LOOKS | frozenset(
    (
        *("then", "else", "match", "try", "with", "when", "fun", "function", "->"),
        *("|", ";", "in", "let", "and", "to", "downto"),
    )
)


@dataclass(slots=True)
class Piece:
    """
    An expression without control flow in it, in a place that gives a result; `thrown` if
    another one follows instead.
    """

    words: list[str] = field(default_factory=list)
    thrown: bool = False


@dataclass(slots=True)
class Local:
    """
    Names that are bound further in, and what they are bound to; `call` is a call of a
    local function with its own parameters.
    """

    names: set[str] = field(default_factory=set)
    words: list[str] = field(default_factory=list)
    call: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Body:
    """
    What a definition takes, what it binds, and the pieces that its result may be.

    `call` is a call of itself with what it was given.  `looks` says whether any condition
    or pattern asks for that.
    """

    name: str
    call: list[str]
    takes: set[str]
    is_function: bool
    looks: bool = False
    locals: list[Local] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)


def body_of(text: str) -> Body | None:
    """
    Read a definition by `let` or `and`; None where it does not look like one.
    """
    words = [
        word for word in WORD_OR_SIGN.findall(text) if word[:2] not in ("[@", "[%")
    ]
    if words[:1] not in (["let"], ["and"]):
        return None
    start = 2 if words[1:2] == ["rec"] else 1
    if start >= len(words) or not NAME.fullmatch(words[start]):
        return None
    place, names, count = parameters(words, start + 1)
    body = Body(
        name=words[start],
        call=call_of(words[start:place]),
        takes=set(names),
        is_function=bool(count) or words[place : place + 1] in (["fun"], ["function"]),
    )
    _Reader(words, place, body).read()
    return body


@dataclass(slots=True)
class _Reader:
    """
    Goes through the words of a body once.

    A frame is what has begun and not ended: "local" is what a local name stands for,
    "look" and "match" what is looked at, "arms" the cases, "list" and "(" are brackets.
    """

    words: Sequence[str]
    place: int
    body: Body
    piece: Piece = field(default_factory=Piece)
    frames: list[tuple[str, Local | None]] = field(default_factory=list)
    # How many frames there are of each kind.
    open: Counter[str] = field(default_factory=Counter)
    known: set[str] = field(default_factory=set)
    # Nothing but `fun` and `function` has stood here so far.
    leading: bool = True

    def read(self) -> None:
        self.known |= self.body.takes
        while self.place < len(self.words):
            word = self.words[self.place]
            self.place += 1
            in_list = bool(self.frames) and self.frames[-1][0] == "list"
            if word in _BREAKS and not (word in (";", "with") and in_list):
                self._flush(thrown=word == ";")
            if word in OPENERS or word in CLOSERS:
                self._bracket(word)
            elif word in ("let", "and"):
                self._local(word)
            elif word in ("|", "with", "fun", "function"):
                if not (word == "with" and in_list):
                    self._cases(word)
            elif word in _BREAKS:
                self._control(word)
            else:
                self._note(word)
            self.leading = self.leading and word in ("fun", "function", "(", "->")
        self._flush()

    def _next(self) -> str:
        return self.words[self.place] if self.place < len(self.words) else ""

    def _flush(self, *, thrown: bool = False) -> None:
        if self.piece.words:
            self.piece.thrown = thrown
            self.body.pieces.append(self.piece)
            self.piece = Piece()

    def _note(self, word: str) -> None:
        for kind, local in self.frames[-_DEPTH:]:
            if local is not None and kind in ("local", "match"):
                local.words.append(word)
        looked_at = self.open["look"] + self.open["match"]
        if looked_at and word in self.known:
            self.body.looks = True
        if not looked_at and not self.open["local"]:
            self.piece.words.append(word)

    def _push(self, kind: str, local: Local | None = None) -> None:
        self.frames.append((kind, local))
        self.open[kind] += 1

    def _pop(self) -> tuple[str, Local | None]:
        kind, local = self.frames.pop()
        self.open[kind] -= 1
        return kind, local

    def _bind(self, local: Local) -> None:
        self.body.locals.append(local)
        self.known |= local.names

    def _close(self, *kinds: str) -> Local | None:
        """
        Leave the innermost frame of these kinds, unless a bracket is open within it.
        """
        for back, (kind, local) in enumerate(reversed(self.frames[-_DEPTH:]), start=1):
            if kind in kinds:
                for _ in range(back):
                    self._pop()
                return local
            if kind in ("(", "list"):
                break
        return None

    def _bracket(self, word: str) -> None:
        if word in OPENERS:
            if word == "do":
                self._close("look")
            self._push("list" if word in LISTS else "(")
        if word in ("(", ")"):
            self._note(word)
        if word in CLOSERS:
            while self.frames and self._pop()[0] not in ("(", "list"):
                pass

    def _local(self, word: str) -> None:
        if word == "and":
            self._close("local")
        while self._next() in ("rec", "open", "exception"):
            self.place += 1
        start = self.place
        self.place, names, count = parameters(self.words, start)
        local = Local(names=set(names))
        if count > 1 and NAME.match(self.words[start]):
            local.call = call_of(self.words[start : self.place])
        self._bind(local)
        self._push("local", local)

    def _control(self, word: str) -> None:
        if word == "in":
            self._close("local")
        elif word in _LOOKS:
            self._push("look")
        elif word == "then":
            self._close("look")
        elif word == "match":
            self._push("match", Local())
        elif word == "try":
            self._push("try")

    def _cases(self, word: str) -> None:
        """
        Read a pattern, which binds its names to what is looked at.
        """
        seen: Local | None = None
        if word == "|":
            self.body.looks = self.body.looks or not self.leading
            recent = reversed(self.frames[-_DEPTH:])
            seen = next((local for kind, local in recent if kind == "arms"), None)
        elif word == "with":
            seen = self._close("match", "try")
            self.body.looks = True
        elif (word == "function" or self.leading) and not self.open["local"]:
            seen = Local(words=[GIVEN])
        if word in ("with", "function"):
            self._push("arms", seen)
            if self._next() == "|":
                self.place += 1
        self._pattern(seen)

    def _pattern(self, seen: Local | None) -> None:
        names: set[str] = set()
        guard = False
        depth = 0
        while self.place < len(self.words):
            word = self.words[self.place]
            self.place += 1
            depth += (word in OPENERS) - (word in CLOSERS)
            if word == "->" and depth <= 0:
                break
            guard = guard or word == "when"
            if not guard and NAME.fullmatch(word) and word[0] != "_":
                names.add(word)
        if seen is not None:
            self._bind(Local(names=names, words=seen.words))
