"""What a module's type is made of is the reference's choice, unless somebody tells it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import Engine
from ocaml_reward.model.types import Arrow, Constructed, Interface, Variable
from problem_sets.certifying import Examiner, fixed
from problem_sets.strengthening.own_types import with_own_types

INT = Constructed("int")
ISTACK = Problem(
    id="istack",
    prompt="Write a module Istack with `type t`, `empty : t`, `push : int -> t -> t`,"
    " `pop : t -> t` and `top : t -> int option`.",
    tests="let () = assert (Istack.top Istack.empty = None)\n"
    "let () = assert (Istack.top (Istack.push 1 Istack.empty) = Some 1)\n"
    "let () = assert (Istack.top (Istack.pop (Istack.push 1 Istack.empty)) = None)",
    reference="""module Istack = struct
  type t = int list
  let empty = []
  let push x s = x :: s
  let pop = function [] -> [] | _ :: rest -> rest
  let top = function [] -> None | x :: _ -> Some x
end""",
)
OTHERWISE = """module Istack : sig
  type t
  val empty : t
  val push : int -> t -> t
  val pop : t -> t
  val top : t -> int option
end = struct
  type t = Empty | Push of int * t
  let empty = Empty
  let push x s = Push (x, s)
  let pop = function Empty -> Empty | Push (_, rest) -> rest
  let top = function Empty -> None | Push (x, _) -> Some x
end"""


def test_no_check_fails_who_made_the_type_otherwise(engine: Engine) -> None:
    """The prompt names the type, and the reference happens to use lists."""
    mended, _ = fixed(Examiner(engine).examine(ISTACK, search=True))

    grader = Grader("concise", engine=engine, jobs=1)
    assert "passed" == grader.grade(mended.problem, Completion(text=OTHERWISE)).verdict


def interface_of(reference: str, problem: Problem) -> Interface:
    from ocaml_reward.engine.prepare.interfaces import (  # noqa: PLC0415
        interface_of,
        read_interfaces,
    )

    (found,) = read_interfaces([interface_of(reference)])
    return with_own_types(found, problem)


@pytest.mark.parametrize("told", [False, True])
def test_a_type_is_hidden_unless_it_is_told(*, told: bool) -> None:
    """As inferred, `push` takes any list; that is the type's, unless the prompt defines it."""
    problem = replace(ISTACK, prompt="`type t = int list` in Istack") if told else ISTACK

    found = interface_of(ISTACK.reference or "", problem)

    list_ = Constructed("list", (Variable("a"),))
    of = list_ if told else Constructed("Istack.t")
    assert Arrow("", Variable("a"), Arrow("", of, of)) == found.values["Istack.push"]
    assert told is not found.types["Istack.t"].is_abstract


def test_a_name_at_the_top_is_only_a_name() -> None:
    """Unless the prompt speaks of that type without saying what it is."""
    reference = "type matrix = int list list\nlet rows (m : int list list) = List.length m"
    lists = Constructed("list", (Constructed("list", (INT,)),))
    rows = Problem(id="rows", tests="let () = assert (rows [] = 0)", prompt="Count the rows.")

    plain = interface_of(reference, rows)
    named = interface_of(reference, replace(rows, prompt="Choose a `type matrix`."))

    assert Arrow("", lists, INT) == plain.values["rows"]
    assert Arrow("", Constructed("matrix"), INT) == named.values["rows"]
