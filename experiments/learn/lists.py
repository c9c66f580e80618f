"""The problems with branches: one function over a list that calls itself, with a helper; each
of its branches has a choice and mistakes of its own.

    (* f: int. keep even. kept: add. other: skip. end: 0. stop: 5. *)

    let keep (x : int) : bool = x mod 2 = 0
    let rec f (xs : int list) : int =
      match xs with
      | [] -> 0
      | 0 :: _ -> 5
      | x :: rest ->
        if keep x then x + f rest
        else f rest
    (* END *)
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from ocaml_reward import Problem

from .lines import Line, choice, written
from .list_choices import (
    INPUTS,
    KINDS,
    SKIP,
    TESTS,
    Kind,
    Step,
    Test,
    argument,
    literal,
)
from .tasks import drawn

PIECES: Final = r"\n|= |\. |: |-> |then |else "
"""Where tokens end: an arm's pattern is one, and its result another."""

# None of these types in the helper.
_NO_TESTS: Final = ("string_of_int x", "x > 5.", "x +. 1. > 0.", "not x")


def list_problems(seed: int, *, count: int, of_form: bool = False) -> list[ListTask]:
    """Draw so many problems, none twice, with mistakes `of_form` alone or all of them."""
    # Each kind has as many choices.
    one = KINDS[0]
    choices = (KINDS, TESTS, one.kept, one.other, one.ends, one.stops)
    return [
        ListTask(numbers=numbers, of_form=of_form)
        for numbers in drawn(seed, [*map(len, choices)], count=count)
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class ListTask:
    """One problem, by its choices: the kind, the test, what is done with the kept and the
    other elements, what the end and the stop give.
    """

    numbers: tuple[int, ...]
    of_form: bool = False

    @property
    def kind(self) -> Kind:
        """What the function may do."""
        return KINDS[self.numbers[0]]

    @property
    def test(self) -> Test:
        """What the helper asks."""
        return TESTS[self.numbers[1]]

    @property
    def steps(self) -> tuple[Step, Step]:
        """What is done with an element that is kept, and with another one."""
        return self.kind.kept[self.numbers[2]], self.kind.other[self.numbers[3]]

    @property
    def values(self) -> tuple[Any, Any]:
        """What the end and the stop give."""
        return self.kind.ends[self.numbers[4]], self.kind.stops[self.numbers[5]]

    @property
    def prompt(self) -> str:
        """What the model reads."""
        kept, other = self.steps
        end, stop = map(literal, self.values)
        return (
            f"(* f: {self.kind.type}. keep {self.test.word}. kept: {kept.word}."
            f" other: {other.word}. end: {end}. stop: {stop}. *)\n"
        )

    @property
    def problem(self) -> Problem:
        """The problem with its tests, which take the function alone."""
        checks = [f"assert (f {literal(xs)} = {argument(self.result(xs))});;" for xs in INPUTS]
        return Problem(
            id="-".join(map(str, self.numbers)),
            prompt=self.prompt,
            tests="\n".join(checks),
            reference="\n".join(line.right for line in self.lines()),
        )

    def result(self, xs: list[int]) -> Any:
        """Work out what the function gives."""
        end, stop = self.values
        if not xs:
            return end
        if xs[0] == 0:
            return stop
        kept, other = self.steps
        step = kept if self.test.holds(xs[0]) else other
        return step.does(xs[0], self.result(xs[1:]))

    def written(self, rng: Random, *, share: float) -> str:
        """Write a solution in which a share of the helper, the head and the branches is wrong."""
        return written(self.lines(), rng, share=share, of_form=self.of_form)

    def lines(self) -> list[Line]:
        """List the lines of the helper and the function, with what may go wrong in each."""
        kind = self.kind
        kinds = [each for each in KINDS if each is not kind]
        kept, other = self.steps
        end, stop = map(literal, self.values)
        return [
            choice(
                "let keep (x : int) : bool = {}",
                self.test.code,
                own=[each.code for each in TESTS],
                strange=_NO_TESTS,
                slips=[("let ", "lett "), ("(x : int)", "(x : int")],
            ),
            choice(
                "let rec f (xs : int list) : {} =",
                kind.type,
                strange=[each.type for each in kinds],
                slips=[("let ", "lett "), ("(xs : int list)", "(xs : int list")],
            ),
            Line(right="  match xs with"),
            choice(
                "  | [] -> {}",
                end,
                own=map(literal, kind.ends),
                strange=[literal(value) for each in kinds for value in each.ends],
                slips=[("->", "=>"), ("[]", "[")],
            ),
            choice(
                "  | 0 :: _ -> {}",
                stop,
                own=map(literal, kind.stops),
                strange=[literal(value) for each in kinds for value in each.stops],
                slips=[("->", "=>"), ("0 ::", "0 :")],
            ),
            Line(right="  | x :: rest ->"),
            choice(
                "    if keep x then {}",
                kept.code,
                own=[step.code for step in kind.kept],
                strange=[step.code for each in kinds for step in each.kept],
                slips=[("then", "than"), ("if keep", "iff keep")],
            ),
            choice(
                "    else {}",
                other.code,
                own=[step.code for step in kind.other],
                strange=[step.code for each in kinds for step in each.other if step != SKIP],
                slips=[("else", "esle"), ("f rest", "f res")],
            ),
        ]
