"""
The words of a definition, its parameters, and calls of itself, read without a parser.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = [
    "CLOSERS",
    "LISTS",
    "NAME",
    "OPENERS",
    "WORD_OR_SIGN",
    "call_of",
    "parameters",
    "without",
]

WORD_OR_SIGN = re.compile(
    r"(?:[A-Z][\w']*\s*\.\s*){0,8}[a-z_][\w']*|[A-Z][\w']*|\d[\w.]*|\[[@%]{1,3}[^\]]{0,400}\]"
    r"|\[\||\|\]|[-!$%&*+/:<=>?@^|~.]+|[()\[\]{};,]"
)
NAME = re.compile(r"[a-z_][\w']*")
LISTS = frozenset(("[", "{", "[|"))
OPENERS = LISTS | {"(", "begin", "struct", "object", "sig", "do"}
CLOSERS = frozenset((")", "]", "}", "|]", "end", "done"))


def without(words: Sequence[str], call: Sequence[str]) -> list[str]:
    """
    Leave out a call, wherever it stands, and parentheses around one name.
    """
    left: list[str] = []
    for word in words:
        left.append(word)
        if word == ")" and left[-3:-2] == ["("]:
            left[-3:] = [left[-2]]
        if call and left[-len(call) :] == call:
            del left[-len(call) :]
    return left


def call_of(head: Sequence[str]) -> list[str]:
    """
    Write the call that a definition's head looks like, without types.
    """
    call: list[str] = []
    typed = False
    for word in head[:-1]:
        typed = (typed or word == ":") and word not in (")", ",")
        if not typed:
            call.append(word)
    return without(call, ())


def parameters(words: Sequence[str], place: int) -> tuple[int, list[str], int]:
    """
    Read parameters up to the equals sign: where the body begins, the names, how many
    parameters there are.
    """
    names: list[str] = []
    depth = count = 0
    typed: int | None = None
    while place < len(words):
        word = words[place]
        place += 1
        if depth == 0 and word == "=":
            break
        here = depth == 0 and typed is None
        if word in OPENERS:
            count += here
            depth += 1
        elif word in CLOSERS:
            depth -= 1
            typed = None if typed is not None and depth < typed else typed
        elif word == ":":
            typed = depth if typed is None else typed
        elif word == ",":
            typed = None if typed == depth else typed
        elif typed is None and (word[0] == "_" or word[0].islower()):
            count += here
            if word[0] != "_":
                names.append(word)
    return place, names, count
