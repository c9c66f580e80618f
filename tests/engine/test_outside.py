"""Checks judged outside the code's process: what is taken apart, and that each ends as it does
in plain OCaml.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ocaml_reward.engine import CheckReport, CheckRequest, Engine
from ocaml_reward.model import Budget, Outcome, Problem

SHAPES = {
    "an equation": ("let f x = x", "assert (f 1 = 1); assert (f 1 = 2)", "p f"),
    "and, or, not": (
        "let f x = x",
        "assert (f 1 = 1 && f 2 <> 3); assert (f 1 = 0 || f 2 = 2); assert (not (f 1 = 1))",
        "p p f",
    ),
    "an order": (
        "let f x = x",
        "assert (f 1 < 2); assert (f 2 >= 3); assert (compare (f 1) 2 < 0);"
        " assert (0 = compare (f 1) 1)",
        "p f p p",
    ),
    "nan": (
        "let f _ = nan",
        "assert (f 1 = nan); assert (f 1 <> nan); assert (compare (f 1) nan = 0);"
        " assert (f 1 < 1.)",
        "f p p f",
    ),
    "zeros": ("let f x = x *. -1.", "assert (f 0. = 0.); assert (f 1. = 1.)", "p f"),
    "a tolerance": (
        "let f () = 0.1 +. 0.2",
        "assert (abs_float (f () -. 0.3) < 1e-9); assert (Float.abs (f () -. 0.4) < 1e-9)",
        "p f",
    ),
    "a boolean of the code's": ("let f x = x > 0", "assert (f 1); assert (not (f 1))", "p f"),
    "a local name": (
        "let f x = x",
        "assert (let got = f 2 in let want = 2 in got = want); assert (let g = f in g 1 = 2)",
        "p f",
    ),
    "a helper": (
        "let f x = x",
        "let same a b = assert (a = b) in same (f 1) 1; same (f 1) 2",
        "p f",
    ),
    "a table": (
        "let f x = x",
        "List.iter (fun (x, y) -> assert (f x = y)) [(1, 1); (2, 3); (3, 3)]",
        "p f p",
    ),
    "a function handed over": (
        "let f g x = g (g x)",
        'assert (f (fun x -> x * 3) 2 = 18); assert (f (fun s -> s ^ "!") "a" = "a!!")',
        "p p",
    ),
    "an exception": (
        'let f x = if x = 1 then raise Not_found else failwith "no"',
        "assert (try ignore (f 1); false with Not_found -> true);"
        ' assert (try ignore (f 2); false with Failure s -> s = "no");'
        ' assert (match f 2 with _ -> false | exception Failure "yes" -> true)',
        "p p r",
    ),
    "what is handed over and compared with": (
        "let f a = a.(0) <- 5; a",
        "let m = [| 1; 2 |] in assert (f m = m); assert (m.(0) = 1)",
        "f p",
    ),
    "what is sorted in place": (
        "let f a = Array.sort compare a",
        "assert (let a = [| 3; 1; 2 |] in f a; a = [| 1; 2; 3 |])",
        "p",
    ),
    "a predicate": (
        "let f n = List.init n Fun.id",
        "let rec up = function a :: (b :: _ as t) -> a <= b && up t | _ -> true in"
        " assert (up (f 9)); assert (not (up (f 2000)))",
        "p f",
    ),
    "a general predicate": (
        "let f x = [ x; x ]",
        "let same = function [ a; b ] -> a = b | _ -> false in assert (same (f 1));"
        ' assert (same (f "a")); assert (same (f 2.5)); assert (same (f (1, [| 2. |])))',
        "p p p p",
    ),
    "an option of floats": (
        "let f x = if x = 0 then None else Some (float x)",
        "let close a b = match a, b with None, None -> true"
        " | Some x, Some y -> abs_float (x -. y) < 1e-9 | _ -> false in"
        " assert (close None (f 0)); assert (close (Some 2.) (f 2)); assert (close None (f 3))",
        "p p f",
    ),
    "what raises, loops and leaves": (
        'let f x = if x = 1 then failwith "a" else if x = 2 then while true do () done; x',
        "assert (f 1 = 1); assert (f 2 = 2); assert (f 3 = 3)",
        "r t p",
    ),
    "functions and cycles": (
        "let f x = fun y -> x + y\nlet rec g = 1 :: g",
        "assert (f 1 = (fun x -> x)); assert (g = [1; 2]); assert (g <> [])",
        "r f p",
    ),
}  # fmt: skip
LETTERS = {
    Outcome.PASSED: "p", Outcome.FAILED: "f", Outcome.RAISED: "r", Outcome.TIMED_OUT: "t",
}  # fmt: skip


def letters(report: CheckReport) -> str:
    return " ".join(LETTERS.get(each.outcome, "?") for each in report.results)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_check_ends_outside_as_it_does_beside(engine: Engine, shape: str) -> None:
    """Every check of the table is judged outside, and ends as plain OCaml has it."""
    code, said, expected = SHAPES[shape]
    tests = engine.prepare(Problem(id="p", tests=f"let () = {said}"))
    # To hand out a cycle takes near a second.
    budget = Budget().flat(2_000_000)
    asked = CheckRequest(code=code, tests=tests, budget=budget)
    beside = replace(asked, tests=replace(tests, outside=None))

    assert {} == tests.in_process
    assert [expected] * 2 == [letters(engine.check(each)) for each in (asked, beside)]
