"""
Whether the answers of a program that nobody has seen answer have anything to do with what it
is given, told by its text; of one that was seen the parser tells (`Part.idle`).

What is in doubt is an attempt: a condition that asks for what is given is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..reading.bodies import GIVEN, Body, Local, Piece, body_of
from ..reading.definitions import Definition, definitions
from ..reading.heads import without
from ..reading.lexing import Source
from .spelling import slips

__all__ = [
    "casts_types", "declared_alone", "ignoring", "missing", "misspelling", "reads_nothing",
]  # fmt: skip

_ENDS = frozenset(("raise", "raise_notrace", "failwith", "invalid_arg", "exit"))
# Definitions that lead from one to the next, and rounds to find what follows from what:
# more than honest code has, and a bound for the work on any other.
_CHAIN = 50
_ROUNDS = 20
_STATEMENT = frozenset((":=", "<-"))
_DROPS = frozenset(("ignore", "assert"))
_STILL = frozenset(("ignore", "assert", "true", "false", "not", "mod", "rec", "lazy"))
_VALUE = re.compile(r"(?:[A-Z][\w']*\s*\.\s*){0,8}[a-z_][\w']*")
_CASTS = re.compile(r"\b(?:external|Obj|Marshal)\b")
_READS = re.compile(
    r"\b(?:read_|input|stdin|scanf|bscanf|In_channel|argv|really_input)"
)
# What is misspelt, or another language's, may be meant to.
_MEANS_TO_READ = re.compile(r"(?i:read|input|stdin|scan|argv|get_?line|channel)")


def casts_types(source: Source) -> bool:
    """
    Tell whether a program has the means to give a value another type.
    """
    return bool(_CASTS.search(source.without_literals))


def reads_nothing(source: Source, *, types: bool = True) -> bool:
    """
    Tell whether a whole program never reads what it is given; one that does not type may
    mean to.
    """
    reads = _READS if types else _MEANS_TO_READ
    return not reads.search(source.without_literals)


def declared_alone(source: Source) -> frozenset[str]:
    """
    Find what is said to be a primitive alone: it has a type for any problem, and no body.
    """
    items = definitions(source.without_literals)
    last = {name: item.kind for item in items for name in item.names}
    return frozenset(name for name, kind in last.items() if kind == "external")


def missing(
    source: Source, wanted: frozenset[str], stubs: frozenset[str]
) -> frozenset[str]:
    """
    Find what of `wanted` nothing defines in a program of `stubs` alone, or of types and
    signatures; what is defined under another name may be meant for it.
    """
    items = definitions(source.without_literals)
    # A type by that name is none of them.
    named = (item.names for item in items if not _declares(item))
    lacking = wanted.difference(*named)
    if not lacking:
        return lacking
    values = frozenset(
        name
        for item in items
        if item.kind in ("let", "module") and not _declares(item)
        for name in item.names
    )
    if values:
        is_idle = values <= stubs | ignoring(source, values)
    else:
        is_idle = bool(items) and all(map(_declares, items))
    return lacking if is_idle else frozenset()


def misspelling(
    source: Source, wanted: frozenset[str], lacking: frozenset[str]
) -> frozenset[str]:
    """
    Find what of `wanted` takes something whose name is nearly one of those that the program
    lacks: it may be about that.
    """
    bodies = (
        (item.names & wanted, body_of(item.text))
        for item in definitions(source.without_literals)
        if item.kind == "let" and not item.names.isdisjoint(wanted)
    )
    return frozenset().union(
        *(names for names, body in bodies if body and any(slips(lacking, body.takes)))
    )


def ignoring(source: Source, wanted: frozenset[str]) -> frozenset[str]:
    """
    Find what of `wanted` gives no result made of what it is given, but for what it gives
    back as it is; with any such, what is no value at all is found, too.

    Not even a condition may ask for what is given, nor may one definition call another that
    is not idle, or name what is nearly something made of what is given.  What cannot be
    told, as it is not defined at the top, is not found.
    """
    items = definitions(source.without_literals)
    by_name = {name: item for item in items for name in item.names}
    judge = _Judge(by_name)
    found = {name: by_name[name] for name in wanted if name in by_name}
    values = {
        name: judge.is_idle(item)
        for name, item in found.items()
        if item.kind in ("let", "module")
    }
    return frozenset(name for name in found if values.get(name, bool(values)))


@dataclass(slots=True)
class _Judge:
    """
    Judges the definitions of one program, or of one module, each once.
    """

    around: Mapping[str, Definition]
    _known: dict[int, bool] = field(default_factory=dict)
    _bodies: dict[int, Body | None] = field(default_factory=dict)
    _depth: int = 0

    def is_idle(self, item: Definition) -> bool:
        if item.start not in self._known and self._depth < _CHAIN:
            self._depth += 1
            # Whoever comes back to it on the way gets no further by that.
            self._known[item.start] = False
            self._known[item.start] = (
                self._is_idle_inside(item.text)
                if item.kind == "module"
                else item.kind == "let" and self._gives_nothing(self._body(item))
            )
            self._depth -= 1
        return self._known.get(item.start, False)

    def _body(self, item: Definition) -> Body | None:
        if item.start not in self._bodies:
            self._bodies[item.start] = body_of(item.text)
        return self._bodies[item.start]

    def _is_idle_inside(self, text: str) -> bool:
        _, struct, inside = text.partition("struct")
        items = definitions(inside)
        inner = [item for item in items if item.kind == "let"]
        # Judged by itself: a name further in is another one.
        judge = _Judge({name: item for item in inner for name in item.names})
        if not inner:
            return bool(struct) and all(map(_declares, items))
        return all(map(judge.is_idle, inner))

    def _gives_nothing(self, body: Body | None) -> bool:
        if body is None or body.looks:
            return False
        # Local functions that never answer.
        dead = {each.call[0] for each in body.locals if _never_answers(each)}
        dead -= body.takes
        inside = {body.name}.union(*(each.names for each in body.locals))
        live = _live(body)
        for piece in body.pieces:
            names = _names(without(piece.words, body.call))
            if (
                (_ENDS | dead).intersection(names)
                or (piece.thrown and _is_still(piece))
                or any(self._is_dead(name) for name in names if name not in inside)
                or _is_bare(piece, body)
            ):
                continue
            if live.intersection(names) if body.is_function else names:
                return False
            if not self.around.keys().isdisjoint(names):
                # It calls itself, or a definition that does something.
                return False
            if any(slips(set(names) - inside, live - {GIVEN})):
                # What nothing binds may be meant for what something does.
                return False
        return True

    def _is_dead(self, name: str) -> bool:
        """
        Tell whether a name is that of an idle function at the top.
        """
        item = self.around.get(name)
        if item is None or item.kind != "let":
            return False
        body = self._body(item)
        return body is not None and body.is_function and self.is_idle(item)


def _declares(item: Definition) -> bool:
    """
    Tell an item that has no value, whatever is in it: a type, a signature, an exception.
    """
    is_signature = item.kind == "module" and "type" in item.names
    return is_signature or item.kind in ("type", "exception", ";;")


def _live(body: Body) -> set[str]:
    """
    Find the names that stand for what is given, or for what is made of it: also what a
    statement is about together with it.
    """
    live = body.takes | {GIVEN}
    statements = [
        names
        for piece in body.pieces
        if piece.thrown and piece.words[0] not in _DROPS
        for names in (set(_names(piece.words)),)
    ]
    for _ in range(_ROUNDS):
        before = len(live)
        for each in body.locals:
            if live.intersection(each.words):
                live |= each.names
        for names in statements:
            if live & names:
                live |= names
                # A local function that is called for what it does does it to what it names.
                for each in body.locals:
                    if each.call and each.call[0] in names:
                        live.update(_names(each.words))
        if len(live) == before:
            break
    return live


def _never_answers(local: Local) -> bool:
    """
    Tell whether a local function only raises, or goes round in a circle.
    """
    if len(local.call) < 2:
        return False
    left = without(local.words, local.call)
    names = set(_names(left)) - set(local.call[1:])
    stops = len(left) < len(local.words) or not _ENDS.isdisjoint(names)
    return stops and names <= _ENDS


def _is_bare(piece: Piece, body: Body) -> bool:
    """
    Tell whether it is what was given, as it is.
    """
    given = body.takes.union(*(e.names for e in body.locals if e.words == [GIVEN]))
    words = without(piece.words, ())
    return not piece.thrown and len(words) == 1 and words[0] in given


def _is_still(piece: Piece) -> bool:
    """
    Tell whether a statement changes nothing that could be read behind it.
    """
    return piece.words[0] in _DROPS or not any(
        word in _STATEMENT or "." in word for word in piece.words
    )


def _names(words: Iterable[str]) -> Sequence[str]:
    return [word for word in words if _VALUE.fullmatch(word) and word not in _STILL]
