"""
What a text defines at its top, found without a parser in text whose comments and literals are
blanked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

__all__ = ["Outline", "opens_structure", "outline_of"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Outline:
    """
    What a source defines at its top level, and whether a definition opens it.
    """

    names: frozenset[str]
    opens_with_definition: bool


_KEYWORD = re.compile(
    r"(?:let|and|in|external|val|type|module|exception|class|open|include"
    r"|begin|struct|sig|object|end)(?![\w'])"
)
_OPENERS = frozenset(("begin", "struct", "sig", "object"))
# What makes `let` or `and` the name of an operator between parentheses.
_BINDING = re.compile(r"[$&*+\-/:<=>@^|]{1,20}[ \t]*\)")
# More than are in a megabyte of code; bounds the work on spam.
_MOST_KEYWORDS = 100_000
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


def outline_of(blank: str) -> Outline:
    """
    Find the top-level definitions without a parser: a `let` that never meets its `in`
    is one.  Generous where the source is broken; only the first 100,000 keywords count.
    """
    # Where each definition stands, and what it defines.
    found: list[tuple[int, list[str]]] = []
    # The places in `found` of each `let` still without its `in`.
    lets: list[int] = []
    # How many of them each `struct`, `begin` and the like stands in.
    frames: list[int] = []
    for token in islice(_KEYWORD.finditer(blank), _MOST_KEYWORDS):
        start, end = token.span()
        if _is_part_of_a_name(blank, start, end):
            continue
        word = token[0]
        if word in _OPENERS:
            frames.append(len(lets))
        elif word == "end":
            if frames:
                # A `let` in there meets no `in` out here.
                del lets[frames.pop() :]
        elif word == "in":
            if lets:
                # With all that stands in it: `let module M = struct … end in`.
                del found[lets.pop() :]
        elif word == "let":
            lets.append(len(found))
            found.append((start, _bound(blank, end)))
        elif word == "and" and lets:
            found[lets[-1]][1].extend(_bound(blank, end))
        else:
            head = _TYPE_HEAD if word in {"type", "and"} else _MODULE_HEAD
            # What is opened or only declared is not defined.
            defined = word not in {"open", "include", "val"}
            found.append((start, [_named(blank, head, end)] if defined else []))
    first = len(blank) - len(blank.lstrip())
    return Outline(
        names=frozenset(name for _, names in found for name in names if name),
        opens_with_definition=bool(found) and found[0][0] == first,
    )


def _is_part_of_a_name(blank: str, start: int, end: int) -> bool:
    before = blank[start - 1 : start]
    if before.isalnum() or before in _JOINS:
        return True
    # `let ( let* ) = …` has one `let` and one `in`.
    if not _BINDING.match(blank, end):
        return False
    return blank[max(0, start - 20) : start].rstrip().endswith("(")


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
