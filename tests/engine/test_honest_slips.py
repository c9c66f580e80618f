"""
Attempts with a slip of the pen are not taken for stubs.
"""

from __future__ import annotations

import pytest

from ocaml_reward import Completion, Grader, Problem, StdioCase
from ocaml_reward.engine import Engine

LISTS = Problem(id="lists", tests="let () =\n  assert (f [ 1 ] = [ 77 ])\n")
PROGRAM = Problem(id="program", tests=(StdioCase(stdin="1\n2\n", stdout="77\n"),))

SLIPS = {
    "a parameter's name, bound again": (
        LISTS,
        "let f xs =\n  let xs = List.filter (fun x -> x <> []) xs in\n"
        "  let xs = xs @ List.rev xs in\n  let xs = List.length xs + List.hd xs in\n  xs\n",
    ),
    "an argument forgotten": (
        LISTS,
        "let f (xs : int list) : int list =\n"
        "  let found = List.filter (fun x -> x > 1) in\n  List.map succ found\n",
    ),
    "an argument forgotten at the end": (
        LISTS,
        "let f (xs : int list) : int list =\n"
        "  let found = List.filter (fun x -> x > 1) xs in\n  List.map succ\n",
    ),
    "a parameter misspelt": (
        LISTS,
        "let f (rowss : int list) : int list =\n  rows\n  |> List.filter (fun x -> x > 1)\n",
    ),
    "a format behind what it shows": (
        PROGRAM,
        "let () =\n  try\n    while true do\n      let n = int_of_string (read_line ()) in\n"
        '      Printf.printf n "%d\\n"\n    done\n  with End_of_file -> ()\n',
    ),
    "no end of the input": (
        PROGRAM,
        "let rec read found =\n  match read_line () with\n  | line -> read (line :: found)\n\n"
        "let all = read []\nlet () = List.iter print_endline all\n",
    ),
    "no case without the operator": (
        LISTS,
        "let f xs =\n  let left = ref xs in\n"
        "  let peek () = match !left with [] -> None | x :: _ -> Some x in\n"
        "  let next () = left := List.tl !left in\n"
        "  let rec sums () = match peek () with Some x -> next (); x :: sums () in\n"
        "  sums ()\n",
    ),
}


def penalties(engine: Engine, problem: Problem, code: str) -> list[str]:
    # Not closed: the engine is there for other tests.
    found = Grader("concise", engine=engine).grade(problem, Completion(text=code))

    return [penalty.code for penalty in found.penalties]


@pytest.mark.parametrize(("problem", "code"), SLIPS.values(), ids=SLIPS.keys())
def test_an_attempt_with_a_slip_is_no_stub(
    engine: Engine, problem: Problem, code: str
) -> None:
    """
    Code that does something with what it is given, or meant to, keeps its credit.
    """
    assert "idle" not in penalties(engine, problem, code)
