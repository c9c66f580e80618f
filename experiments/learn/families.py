"""The families of problems that a base can be taught and a reward be tried on, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from .generated import GENERATED, exercises
from .lists import PIECES as LIST_PIECES
from .lists import list_problems
from .modules import PIECES as MODULE_PIECES
from .modules import module_problems
from .tasks import LONGEST, PIECES, Learnt, problems
from .variants import STARTS, Start

ALL_STARTS: Final[Mapping[str, Start]] = {**STARTS, **GENERATED}
"""All starts by name: those of the families here, and those of generated problems."""

Drawn = tuple[Sequence[Learnt], Sequence[Learnt]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Family:
    """One family.

    Attributes:
        draw: Makes the problems to train on and as many held-out ones as it is told, of a
            seed, with mistakes of form alone or all of them.
        pieces: Where tokens end, as `make_tokenizer` takes it; None for words, where no two
            solutions are alike.
        longest: How many tokens a completion may have; None for what solutions need.
    """

    draw: Callable[[int, bool, int], Drawn]
    pieces: str | None = None
    longest: int | None = None


def _functions(seed: int, of_form: bool, held_out: int) -> Drawn:
    return problems(seed, training=160, held_out=held_out, of_form=of_form)


def _uneven(seed: int, _: bool, held_out: int) -> Drawn:
    return problems(seed, training=160, held_out=held_out, uneven=True)


def _lists(seed: int, of_form: bool, held_out: int) -> Drawn:
    tasks = list_problems(seed, count=160 + held_out, of_form=of_form)
    return tasks[:160], tasks[160:]


def _modules(seed: int, of_form: bool, held_out: int) -> Drawn:
    tasks = module_problems(seed, count=160 + held_out, of_form=of_form)
    return tasks[:160], tasks[160:]


def _generated(name: str, seed: int, _: bool, held_out: int) -> Drawn:
    return exercises(name, seed, training=96, held_out=held_out)


FAMILIES: Final[Mapping[str, Family]] = {
    "functions": Family(draw=_functions, pieces=PIECES, longest=LONGEST),
    "uneven": Family(draw=_uneven, pieces=PIECES, longest=LONGEST),
    "lists": Family(draw=_lists, pieces=LIST_PIECES),
    "module": Family(draw=_modules, pieces=MODULE_PIECES),
    **{
        start.family: Family(draw=partial(_generated, start.family)) for start in GENERATED.values()
    },
}
