"""The same experiment on problems of `problems generate`: one family each of two levels, and
what the model is taught to get wrong in them.

    (* Keep the elements of `xs` that are even, and replace each by its double. `sum_of_kept
    xs` is the sum of the results. Where no element is kept it is 0. *)

    let sum_of_kept (xs : int list) : int =
      xs
      |> List.filter (fun x -> x mod 2 = 0)
      |> List.map (fun x -> 2 * x)
      |> List.fold_left ( + ) 0
    (* END *)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from ocaml_reward import Problem
from ocaml_reward.auditing.mutants import common_mutants
from ocaml_reward.engine.engines.printing import Printing
from problem_sets import Made, Oracle, Order, Tally, make

from .tasks import END
from .variants import Start

GENERATED: Final[Mapping[str, Start]] = {
    name: Start(
        mistakes=0.6,
        variants=("pass or fail", "graduated", "solved"),
        first=0,
        family=family,
        problems=4,
    )
    for name, family in {"easy": "list-pipeline", "medium": "zipped"}.items()
}
"""A family whose problems are easy, as they are measured, and one whose are of medium level."""

_WORD: Final = re.compile(r"[\w.']+|[^\w\s]+")


def exercises(
    family: str, seed: int, *, training: int, held_out: int
) -> tuple[list[Exercise], list[Exercise]]:
    """Make problems of a family: those to train on, and of the family's other choices those to
    be measured on.
    """
    oracle = Oracle(Printing())
    made = [
        list(make(order, oracle, None, Tally()))
        for order in (
            Order(count=training, seed=seed, families=(family,), tones=("plain",)),
            Order(
                count=held_out,
                seed=seed,
                families=(family,),
                tones=("plain",),
                split="held-out",
            ),
        )
    ]
    words = sorted({word for one in made[0] for word in _WORD.findall(reference(one))})
    first, second = (
        [Exercise(problem=asked(one.problem), words=tuple(words)) for one in part] for part in made
    )
    return first, second


def reference(made: Made) -> str:
    """Return a problem's solution."""
    return made.problem.reference or ""


def asked(problem: Problem) -> Problem:
    """Keep of a prompt what says what is asked: a tiny model learns nothing from examples."""
    told = problem.prompt.split("\n\n", 1)[1]
    rule = re.split(r"\n\n(?:For example|An example):", told)[0]
    return Problem(
        id=problem.id,
        prompt=f"(* {rule} *)\n",
        tests=problem.tests,
        reference=(problem.reference or "").rstrip(),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Exercise:
    """One problem, and the words and signs that a mistake may put into its solution."""

    problem: Problem
    words: tuple[str, ...]

    @property
    def prompt(self) -> str:
        """What the model reads."""
        return self.problem.prompt

    def written(self, rng: Random, *, share: float) -> str:
        """Write a solution that has a mistake with a chance of `share`, another with the same
        chance, and so on: one of its words made another, or what types and computes
        something else.
        """
        code = self.problem.reference or ""
        while rng.random() < share:
            others = [each.code for each in common_mutants(code, 24)]
            if others and rng.random() < 0.5:
                code = rng.choice(others)
            else:
                place = rng.choice(list(_WORD.finditer(code)))
                code = f"{code[: place.start()]}{rng.choice(self.words)}{code[place.end() :]}"
        return f"{code}\n{END}"
