"""The formulas of checks that are judged outside the code's process, and their values.  Pure.

A formula is written over values returned by the code ("returned") and expected values ("expected").
`ocaml/judge/formula.ml` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import EngineFault
from ..model import Outcome

Formula = tuple["Formula | str", ...]
"""A formula as nested words: ("compare", "=", ("returned", "0"), ("expected", "0"))."""


@dataclass(frozen=True, slots=True)
class ReturnedValue:
    """One value that a process returned, or the exception in its place.

    `form` is the encoded value (forms.py).  `shape` describes its type
    (ocaml/judge/value_shape.ml), if it comes from the oracle program.
    """

    form: str
    outcome: Outcome | None = None
    detail: str = ""
    shape: str = field(default="", compare=False)


Values = Mapping[int, ReturnedValue]
"""The values of one check, by their numbers."""


def read_formula(text: str) -> Formula:
    """Return the formula that a helper wrote as text.  Raises EngineFault."""
    stack: list[list[Formula | str]] = [[]]
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            stack.append([])
        elif word == ")" and len(stack) > 1:
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    match stack:
        case [[tuple() as formula]]:
            return formula
    raise EngineFault("the helper that prepares tests answered nonsense")


def applies_predicate(formula: Formula) -> bool:
    """Tell whether a formula applies a predicate of the tests to values that the code returns."""
    waiting: list[Formula | str] = [formula]
    while waiting:
        part = waiting.pop()
        if part == "applied":
            return True
        if isinstance(part, tuple):
            waiting.extend(part)
    return False
