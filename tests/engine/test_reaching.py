"""Which of the code's names each check takes, as both engines tell it."""

from __future__ import annotations

import pytest

from ocaml_reward import Problem, StdioCase
from ocaml_reward.engine import Engine


@pytest.mark.parametrize(
    ("tests", "needs"),
    [
        ("assert (f 1 = 2);; assert (g 1 = f 2)", [("f",), ("f", "g")]),
        ("let x = f 1\nlet () = assert (x = 2); assert (g 1 = 1)", [("f",), ("g",)]),
        ("let twice y = f (f y)\nlet () = assert (twice 1 = g 1)", [("f", "g")]),
        ("let rec down n = if n = 0 then f 0 else down (n - 1)\n"
         "let () = assert (down 3 = 1)", [("f",)]),
        ("let () = List.iter (fun (x, y) -> assert (f x = y)) [1, 2; g 2, 3]",
         [("f",), ("f", "g")]),
        ("let f x = x + 1\nlet () = assert (f 1 = g 2)", [("g",)]),
        ("let () = let f = 3 in assert (f = g 2)", [("g",)]),
        ("let () = match f 1 with x -> assert (x = 2)", [("f",)]),
        ("let () = let s = make () in push s 1; assert (pop s = 1)",
         [("make", "pop", "push")]),
        ("let s = make ()\nlet () = fill s\nlet () = assert (size s = 1)",
         [("fill", "make", "size")]),
        ("assert (Q.push 1 Q.empty = [1]);; assert (Q.(size empty) = 0)",
         [("Q.empty", "Q.push"), ("Q", "empty", "size")]),
        ("module T = struct let x = f 1 end\nlet () = assert (T.x = g 1)", [("f", "g")]),
        ("open Q\nlet () = assert (f 1 = 2)", [("Q", "f")]),
        ("let () = assert (1 + 1 = 2); assert (f 1 = 2)", [("f",)]),
        ("let () = assert (( +! ) 1 2 = 3)", [("+!",)]),
    ],
)  # fmt: skip
def test_a_check_takes_what_its_names_stand_for(
    engine: Engine, tests: str, needs: list[tuple[str, ...]]
) -> None:
    """By itself, by definitions of the tests, by a statement before it that shares a name with
    it; of a module one value, where it is named by its path.
    """
    prepared = engine.prepare(Problem(id="p", tests=tests))

    assert needs == [check.needs for check in prepared.checks]


def test_cases_of_a_suite_are_told_apart(engine: Engine) -> None:
    """Each case of an OUnit2 suite takes what is in it."""
    tests = """\
open OUnit2
let suite = "s" >::: [
  "one" >:: (fun _ -> assert_equal 2 (f 1));
  "two" >:: (fun ctxt -> ignore ctxt; assert_bool "g" (g 1)) ]
let () = run_test_tt_main suite
"""
    prepared = engine.prepare(Problem(id="p", tests=tests))

    assert [("f",), ("g",)] == [check.needs for check in prepared.checks]


def test_what_a_suite_builds_is_not_known(engine: Engine) -> None:
    """Where only running tells the checks, or a case is for what a function is handed, nobody
    knows what they take.
    """
    tests = """\
open OUnit2
let case y = "s" >:: (fun _ -> assert_equal y (f y))
let () = run_test_tt_main ("s" >::: List.map case [1; 2])
"""
    problem = Problem(id="p", tests=tests, reference="let f x = x")
    prepared = engine.prepare(problem)

    assert [None, None] == [check.needs for check in prepared.checks]


def test_cases_of_a_program_take_nothing_by_name(engine: Engine) -> None:
    """A program judged on what it prints has no names to take."""
    cases = (StdioCase(stdin="1", stdout="2"),)
    prepared = engine.prepare(Problem(id="p", tests=cases))

    assert [None] == [check.needs for check in prepared.checks]
