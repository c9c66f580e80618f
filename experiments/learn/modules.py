"""The problems with a module: a signature and what keeps to it, three values about one type
that the signature hides; each line has a choice and mistakes of its own.

    (* M: int. make: more. next: up. get: show. *)

    module type S = sig
      type t
      val make : int -> t
      val next : t -> t
      val get : t -> string
    end
    module M : S = struct
      type t = int
      let make x = x + 1
      let next t = t + 5
      let get t = string_of_int t
    end
    (* END *)
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from ocaml_reward import Problem

from .lines import Line, choice, written
from .list_choices import argument
from .module_choices import KINDS, Getter, Kind, Maker
from .tasks import drawn

PIECES: Final = r"\n|= |\. |: |-> "
"""Where tokens end: what a line is of is one, and its choice another."""


def module_problems(seed: int, *, count: int, of_form: bool = False) -> list[ModuleTask]:
    """Draw so many problems, none twice, with mistakes `of_form` alone or all of them."""
    # Each kind has as many choices.
    one = KINDS[0]
    choices = (KINDS, one.make, one.next, one.get)
    return [
        ModuleTask(numbers=numbers, of_form=of_form)
        for numbers in drawn(seed, [*map(len, choices)], count=count)
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class ModuleTask:
    """One problem, by its choices: what the module holds, how that is made and changed, and
    how one gets at it.
    """

    numbers: tuple[int, ...]
    of_form: bool = False

    @property
    def kind(self) -> Kind:
        """What the module may do."""
        return KINDS[self.numbers[0]]

    @property
    def makers(self) -> tuple[Maker, Maker]:
        """How a value is made and changed."""
        return self.kind.make[self.numbers[1]], self.kind.next[self.numbers[2]]

    @property
    def getter(self) -> Getter:
        """How one gets at it."""
        return self.kind.get[self.numbers[3]]

    @property
    def prompt(self) -> str:
        """What the model reads."""
        make, after = self.makers
        return (
            f"(* M: {self.kind.type}. make: {make.word}. next: {after.word}."
            f" get: {self.getter.word}. *)\n"
        )

    @property
    def problem(self) -> Problem:
        """The problem with its tests: two that change nothing, two that do, one that does twice."""
        make, after = self.makers
        show = self.getter.shows
        checks = []
        for times in (0, 1, 2):
            for given in self.kind.given[: 1 if times == 2 else 2]:
                code, value = f"M.make {argument(given)}", make.does(given)
                for _ in range(times):
                    code, value = f"M.next ({code})", after.does(value)
                checks.append(f"assert (M.get ({code}) = {show(value)});;")
        return Problem(
            id="-".join(map(str, self.numbers)),
            prompt=self.prompt,
            tests="\n".join(checks),
            reference="\n".join(line.right for line in self.lines()),
        )

    def written(self, rng: Random, *, share: float) -> str:
        """Write a solution in which a share of the lines with a choice is wrong."""
        return written(self.lines(), rng, share=share, of_form=self.of_form)

    def lines(self) -> list[Line]:
        """List the lines of the signature and the structure, with what may go wrong in each."""
        kind, get = self.kind, self.getter
        make, after = self.makers
        kinds = [each for each in KINDS if each is not kind]
        types = [each.type for each in kinds]
        return [
            Line(right="module type S = sig"),
            Line(right="  type t"),
            _value("make", f"{kind.parameter} -> t", ["bool -> t", "t"]),
            _value("next", "t -> t", ["t", "t -> t -> t", "bool -> t"]),
            _value(
                "get",
                f"t -> {get.type}",
                [f"t -> {one}" for one in types if one != get.type],
            ),
            Line(right="end"),
            Line(right="module M : S = struct"),
            choice(
                "  type t = {}",
                kind.type,
                strange=types,
                slips=[("type", "typ"), (" =", " :")],
            ),
            _definition(
                "make x",
                make.code,
                own=[each.code for each in kind.make],
                strange=["x ^ 1", "not x", "x +. 1"],
            ),
            _definition(
                "next t",
                after.code,
                own=[each.code for each in kind.next],
                strange=["t ^ 1", "not t", "t +. 1"],
            ),
            _definition(
                "get t",
                get.code,
                own=[each.code for each in kind.get if each.type == get.type],
                strange=[each.code for each in kind.get if each.type != get.type],
            ),
            Line(right="end"),
        ]


def _value(name: str, right: str, strange: list[str]) -> Line:
    """Make a line of the signature: what it says, what the structure does not keep to."""
    return choice(
        f"  val {name} : {{}}",
        right,
        strange=strange,
        slips=[("val ", "vall "), (" :", " =")],
    )


def _definition(name: str, right: str, *, own: list[str], strange: list[str]) -> Line:
    """Make a line of the structure."""
    return choice(
        f"  let {name} = {{}}",
        right,
        own=own,
        strange=strange,
        slips=[("let ", "lett "), (" =", " ->")],
    )
