"""Mutants of a reference: it with one thing changed; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ..reading.lexing import Source
from .trivial import Program

_SWAPS: Mapping[str, str] = {
    "+": "-", "-": "+", "*": "+", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "<>",
    "<>": "=", "&&": "||", "||": "&&", "+.": "-.", "-.": "+.", "true": "false",
    "false": "true", "min": "max", "max": "min", "List.rev": "Fun.id", "mod": "/",
    "fst": "snd", "snd": "fst", "succ": "pred", "pred": "succ",
}  # fmt: skip
_TOKEN = re.compile(
    r"List\.rev\b(?!_)|\b(?:true|false|min|max|mod|fst|snd|succ|pred)\b(?!')|\b\d+\b"
    r"|(?<![!$%&*+\-./:<=>?@^|~])(?:<>|<=|>=|&&|\|\||\+\.|-\.|[+\-*<>=])"
    r"(?![!$%&*+\-./:<=>?@^|~])"
)
# An `=` after one of these defines, and does not compare.
_DEFINES = re.compile(r"(?:let|and|type|module|val|method|with|\{|;)[^=]*$")
_NUMBER: Final = re.compile(r"(?<![\w.'])\d+(?![\w.'])")
# Possessive or atomic, as each is to take linear time: a run of blanks is looked at once. Groups
# that are possessive and look ahead are wrong in Python 3.11.2.
_IF: Final = re.compile(
    r"\bif\b((?>(?:(?!\b(?:if|then|else|in)\b)\S|[^\S\n]++(?!\s|then\b))+))(?=\s++then\b)"
)
_GUARD: Final = re.compile(
    r"(?<!\s)\s++when\b(?>(?:(?!->|\bwhen\b)\S|[^\S\n]++(?!\s|->))*)(?=\s*+->)"
)
_CASE: Final = re.compile(r"^[ \t]*+\|(?>(?:(?!->)[^\n|])*)->[^\n]*+\n(?=[ \t]*+\|)", re.MULTILINE)
_STEP: Final = re.compile(r"(?<=[\w)]) [+-] 1\b(?!\.)")
_STRING: Final = re.compile(r'"(?:[^"\\\n]++|\\.)++("?)')
_BOTH: Final = re.compile(r"&&|\|\|")


def mutants(reference: str, most: int) -> list[Program]:
    """Return mutants of a reference of all kinds; the common ones come first.

    Args:
        reference: The code.
        most: Maximum number, taken evenly from the code.

    Returns:
        The programs, most of which are wrong; some do not type.
    """
    found = list(common_mutants(reference, most))
    seen = {reference, *(each.code for each in found)}
    for each in _others(reference):
        if each.code not in seen:
            seen.add(each.code)
            found.append(each)
    step = max(1, -(-len(found) // most))
    return found[::step]


def common_mutants(reference: str, most: int) -> Iterator[Program]:
    """Yield a reference with one thing changed: an operator, a number, a truth value.

    If there are more than `most` mutants, they are taken evenly from the code.
    (ocaml/ocaml.org data/exercises/031_is_prime.md, 019_rotate_list.md, 057_bst.md)
    """
    blank = Source(reference).without_literals
    found = [each for each in _TOKEN.finditer(blank) if _compares(blank, each)]
    step = max(1, -(-len(found) // most))
    for token in found[::step]:
        word = token[0]
        new = _SWAPS.get(word) or str(int(word) + 1)
        line = blank.count("\n", 0, token.start()) + 1
        code = reference[: token.start()] + new + reference[token.end() :]
        yield Program(kind="mutant", what=f"{word} made {new}", code=code, line=line)


def _others(reference: str) -> Iterator[Program]:
    """Yield mutants of a reference of the less common kinds."""
    blank = Source(reference).without_literals

    def made(start: int, stop: int, new: str, what: str) -> Program:
        code = reference[:start] + new + reference[stop:]
        line = blank.count("\n", 0, start) + 1
        return Program(kind="mutant", what=what, code=code, line=line)

    for number in _NUMBER.finditer(blank):
        for new in {max(int(number[0]) - 1, 0), 0} - {int(number[0])}:
            yield made(*number.span(), str(new), f"{number[0]} made {new}")
    for found in _IF.finditer(blank):
        condition = reference[found.start(1) : found.end(1)].strip()
        yield made(*found.span(), f"if not ({condition})", "a condition turned round")
    changes = (
        (_GUARD, "", "a guard taken away"),
        (_CASE, "", "a case taken away"),
        (_STEP, "", "{} taken away"),
        (_BOTH, "= ", "{} made ="),
    )
    for part, put, what in changes:
        for found in part.finditer(blank):
            yield made(*found.span(), put, what.format(found[0].strip()))
    for found in _STRING.finditer(Source(reference).without_comments):
        if found[1]:
            yield made(*found.span(), '""', "a string made empty")


def _compares(blank: str, token: re.Match[str]) -> bool:
    """Tell whether an equals sign compares, and does not define."""
    if token[0] != "=":
        return True
    line = blank[blank.rfind("\n", 0, token.start()) + 1 : token.start()]
    return not _DEFINES.search(line.rpartition(" in ")[2].rpartition(" then ")[2])
