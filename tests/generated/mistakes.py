"""Mistakes put into programs, token by token: of types, of syntax, or in their bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

_TOKEN = re.compile(r"""(\s+|"(?:[^"\\]|\\.)*"|'[^'\\]'|\w+|[-+*/=<>|&:@^!.~?#]+|.)""", re.DOTALL)
_WORD = re.compile(r"[a-z_]\w*\Z")
KEYWORDS = re.compile(
    r"(let|in|rec|fun|function|match|with|if|then|else|type|of|module|struct|sig|end|val"
    r"|open|include|and|or|try|when|begin|do|done|for|to|while|class|object|method|new"
    r"|exception|mutable|lazy|assert|external|functor|as|nonrec|private|virtual)\Z"
)


def tokens(code: str) -> list[str]:
    """Split code so that joining gives it back."""
    return _TOKEN.findall(code)


def _names(found: list[str]) -> list[int]:
    return [i for i, t in enumerate(found) if _WORD.match(t) and not KEYWORDS.match(t)]


def _rename(rng: Random, found: list[str]) -> None:
    if places := _names(found):
        found[rng.choice(places)] = rng.choice(("nowhere", "xs", "lst", "List.mpa"))


def _exchange(rng: Random, found: list[str]) -> None:
    if len(places := _names(found)) > 1:
        a, b = rng.sample(places, 2)
        found[a], found[b] = found[b], found[a]


def _drop_name(rng: Random, found: list[str]) -> None:
    if places := _names(found):
        del found[rng.choice(places)]


def _repeat_name(rng: Random, found: list[str]) -> None:
    if places := _names(found):
        place = rng.choice(places)
        found[place] += f" {found[place]}"


def _literal(rng: Random, found: list[str]) -> None:
    if places := [i for i, t in enumerate(found) if t[0].isdigit() or t[0] == '"']:
        other = ('"seven"', "7", "7.5", "'c'", "()", "[]", "None", "true", "(1, 2)")
        found[rng.choice(places)] = rng.choice(other)


def _sign(rng: Random, found: list[str]) -> None:
    signs = ("+", "-", "*", "^", "@", "+.", "*.", "&&", "::", "=")
    if places := [i for i, t in enumerate(found) if t in signs]:
        found[rng.choice(places)] = rng.choice(signs)


def _constructor(rng: Random, found: list[str]) -> None:
    if places := [i for i, t in enumerate(found) if t[0].isupper()]:
        found[rng.choice(places)] = rng.choice(("Some", "None", "Nope", "String"))


def _drop_case(rng: Random, found: list[str]) -> None:
    bars = [i for i, t in enumerate(found) if t == "|"]
    if len(bars) > 1:
        place = rng.randrange(len(bars) - 1)
        del found[bars[place] : bars[place + 1]]


_MISTAKES = (_rename, _exchange, _drop_name, _repeat_name, _literal, _sign)
_ALL: tuple[Callable[[Random, list[str]], None], ...] = (
    *_MISTAKES,
    _literal,
    _constructor,
    _drop_case,
)


def mistaken(rng: Random, code: str) -> str:
    """Put one to five mistakes of the kind that a type checker finds into code."""
    found = tokens(code)
    for _ in range(rng.randrange(1, 6)):
        rng.choice(_ALL)(rng, found)
    return "".join(found)


def broken(rng: Random, code: str) -> str:
    """Break the syntax: brackets, keywords, comments, strings, or the end of the text."""
    found = tokens(code)
    for _ in range(rng.randrange(1, 4)):
        marks = ("(", ")", "[", "]", "{", "}", "end", "in", "=", "->", "|", "then", ";")
        places = [i for i, t in enumerate(found) if t in marks]
        if places and rng.random() < 0.5:
            del found[rng.choice(places)]
        else:
            extra = (*marks, ";;", '"', "(*", "*)", "let", "{|", "'", "struct", "begin")
            found.insert(rng.randrange(len(found) + 1), f" {rng.choice(extra)} ")
    text = "".join(found)
    return text[: rng.randrange(len(text) + 1)] if rng.random() < 0.3 else text


def damaged(rng: Random, code: str) -> str:
    """Change bytes anywhere, whatever comes of it."""
    raw = bytearray(code.encode("utf-8", "surrogateescape"))
    for _ in range(rng.randrange(1, 9)):
        place = rng.randrange(len(raw) + 1)
        raw[place : place + rng.randrange(3)] = rng.randbytes(rng.randrange(4))
    return raw.decode("utf-8", rng.choice(("replace", "surrogateescape")))
