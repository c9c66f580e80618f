"""Mutants of a reference, of more kinds than an audit tries; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ocaml_reward.auditing.trivial import Program, mutants
from ocaml_reward.reading.lexing import Source

_NUMBER: Final = re.compile(r"(?<![\w.'])\d+(?![\w.'])")
_IF: Final = re.compile(r"\bif\b((?:(?!\b(?:if|then|else|in)\b)[^\n])+?)(?=\s+then\b)")
_GUARD: Final = re.compile(r"\s+when\b[^\n]*?(?=\s*->)")
_CASE: Final = re.compile(r"^[ \t]*\|[^\n|]*->[^\n]*\n(?=[ \t]*\|)", re.MULTILINE)
_STEP: Final = re.compile(r"(?<=[\w)]) [+-] 1\b(?!\.)")
_STRING: Final = re.compile(r'"(?:[^"\\\n]|\\.)+"')
_BOTH: Final = re.compile(r"&&|\|\|")


def changed(reference: str, most: int) -> list[Program]:
    """Return mutants of a reference; those of an audit come first.

    Args:
        reference: The code.
        most: Maximum number, taken evenly from the code.

    Returns:
        The programs, most of which are wrong; some do not type.
    """
    found = list(mutants(reference, most))
    seen = {reference, *(each.code for each in found)}
    for each in _others(reference):
        if each.code not in seen:
            seen.add(each.code)
            found.append(each)
    step = max(1, -(-len(found) // most))
    return found[::step]


def _others(reference: str) -> Iterator[Program]:
    """Yield mutants of a reference of kinds that an audit does not make."""
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
    for found in _GUARD.finditer(blank):
        yield made(*found.span(), "", "a guard taken away")
    for found in _CASE.finditer(blank):
        yield made(*found.span(), "", "a case taken away")
    for found in _STEP.finditer(blank):
        yield made(*found.span(), "", f"{found[0].strip()} taken away")
    for found in _BOTH.finditer(blank):
        yield made(*found.span(), "= ", f"{found[0]} made =")
    for found in _STRING.finditer(Source(reference).without_comments):
        yield made(*found.span(), '""', "a string made empty")
