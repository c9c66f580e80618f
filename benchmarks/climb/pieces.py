"""
A program's text as the pieces that edits work on: its items, heads and bodies, cases, names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ocaml_reward.reading.definitions import WORD, definitions
from ocaml_reward.reading.lexing import Source

__all__ = ["Item", "cases", "items", "local_names", "replaced"]

_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_EQUALS = re.compile(r"[()\[\]{}]|(?<![!$%&*+\-./:<=>?@^|~])=(?![!$%&*+\-./:<=>?@^|~])")
_LOCAL = re.compile(r"^[ \t]+let\s+(?:rec\s+)?([a-z_][\w']*)", re.MULTILINE)
_LABELLED = r"[~?.`{;]\s*{name}(?![\w'])|(?<![\w']){name}\s*[:=]\s"


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """
    An item at the top; `body` is where what stands behind its equals sign begins, and `end`
    where it ends, without the blank lines and comments behind it.
    """

    kind: str
    names: frozenset[str]
    start: int
    body: int | None
    end: int


def items(code: str) -> list[Item]:
    """
    Find what stands at the top of a program.
    """
    blank = Source(code).without_literals
    found = []
    for item in definitions(blank):
        text = item.text.rstrip()
        if not text or item.kind == ";;":
            continue
        found.append(
            Item(
                kind=item.kind,
                names=item.names,
                start=item.start,
                body=_body(blank, item.start, item.start + len(text)),
                end=item.start + len(text),
            )
        )
    return found


def _body(blank: str, start: int, end: int) -> int | None:
    depth = 0
    for sign in _EQUALS.finditer(blank, start, end):
        if sign[0] == "=" and depth == 0:
            return sign.end()
        depth += _BRACKETS.get(sign[0], 0)
    return None


def replaced(code: str, start: int, end: int, text: str) -> str:
    """
    Put other text in a place.
    """
    return code[:start] + text + code[end:]


def cases(code: str) -> Iterator[tuple[int, int]]:
    """
    Yield the cases of matches that begin and end with a line.
    """
    lines = Source(code).without_literals.split("\n")
    place = 0
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if line.lstrip().startswith("| "):
            stop = place + len(line) + 1
            for further in lines[number + 1 :]:
                if (
                    not further.strip()
                    or len(further) - len(further.lstrip()) <= indent
                ):
                    break
                stop += len(further) + 1
            yield place, min(stop, len(code))
        place += len(line) + 1


def local_names(code: str) -> list[str]:
    """
    Name what a `let` further in binds and nothing else in the program is called.
    """
    blank = Source(code).without_literals
    top = {name for item in items(code) for name in item.names}
    words = WORD.findall(blank)
    return [
        name
        for name in dict.fromkeys(_LOCAL.findall(blank))
        if name not in top
        and words.count(name) > 1
        and not re.search(_LABELLED.replace("{name}", re.escape(name)), blank)
    ]
