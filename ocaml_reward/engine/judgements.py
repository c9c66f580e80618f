"""What a check that is judged outside the code's process says, and of which values.  Pure.

`ocaml/judge/judgement.ml` writes what a check says of the values that were asked of the code and
of those that were told without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import EngineFault
from ..model import Outcome

Judgement = tuple["Judgement | str", ...]
"""What a check says, as nested words: ("compare", "=", ("asked", "0"), ("told", "0"))."""


@dataclass(frozen=True, slots=True)
class Handed:
    """One value that a process handed out, or the exception in its place; of which `shape` it is
    (ocaml/judge/value_shape.mli) where the tests' own say so.
    """

    form: str
    outcome: Outcome | None = None
    detail: str = ""
    shape: str = field(default="", compare=False)


Values = Mapping[int, Handed]
"""The values of one check, by their numbers."""


def read_judgement(text: str) -> Judgement:
    """Read what the helper wrote.  Raises EngineFault."""
    stack: list[list[Judgement | str]] = [[]]
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            stack.append([])
        elif word == ")" and len(stack) > 1:
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    match stack:
        case [[tuple() as judgement]]:
            return judgement
    raise EngineFault("the helper that prepares tests answered nonsense")


def is_applied(judgement: Judgement) -> bool:
    """Tell whether a predicate of the tests' own is applied to what the code hands out."""
    waiting: list[Judgement | str] = [judgement]
    while waiting:
        part = waiting.pop()
        if part == "applied":
            return True
        if isinstance(part, tuple):
            waiting.extend(part)
    return False
