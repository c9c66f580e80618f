"""Tests that are compiled once for many completions: only for those with one interface."""

from __future__ import annotations

import itertools
import re

import pytest

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import Engine

# Pairs of code that the same tests accept, and that differ where a careless key would not:
# the order of constructors, fields and values, what is mutable, float or unboxed, labels,
# an argument's type where the tests leave it open, a helper that hides what tests mean.
FAMILIES = {
    "constructors": (
        "let () = assert (f A = 1); assert (f B = 2)",
        "type t = A | B\nlet f = function A -> 1 | B -> 2",
        "type t = B | A\nlet f = function A -> 1 | B -> 2",
        "type t = C of int | B | A\nlet f = function A -> 1 | B -> 2 | C n -> n",
    ),
    "fields": (
        "let () = assert (f { x = 1; y = 2 } = 1); assert ((g 7).y = 7)",
        "type t = { x : int; y : int }\nlet f t = t.x\nlet g y = { x = 0; y }",
        "type t = { y : int; x : int }\nlet f t = t.x\nlet g y = { x = 0; y }",
        "type t = { y : int; mutable x : int }\nlet f t = t.x\nlet g y = { x = 0; y }",
    ),
    "floats": (
        "let () = assert (f p = p); assert (g p = h)",
        "type t = { x : float; y : float }\nlet p = { x = 1.; y = 2. }\nlet f t = t\n"
        "let g t = t.x\nlet h = 1.",
        "type t = { x : float; y : int }\nlet p = { x = 1.; y = 2 }\nlet f t = t\n"
        "let g t = t.x\nlet h = 1.",
        "type t = { x : float } [@@unboxed]\nlet p = { x = 1. }\nlet f t = t\n"
        "let g t = t.x\nlet h = 1.",
    ),
    "values": (
        "let () = assert (f 1 = 2); assert (g 1 = 3)",
        "let f x = x + 1\nlet g x = x + 2",
        "let g x = x + 2\nlet f x = x + 1",
        "let helper x = x + 1\nlet f = helper\nlet g x = helper (helper x)",
        "let max _ _ = 0\nlet f x = x + 1\nlet compare = 3\nlet g x = x + 2",
    ),
    "comparisons": (
        "let () = assert (same a a); assert (a = a); assert (not (a < a))",
        "let a = 1\nlet same x y = x = y",
        'let a = "one"\nlet same x y = x = y',
        "let a = 1.0\nlet same x y = x = y",
        "let a = [ Some 'a' ]\nlet same x y = x = y",
    ),
    "labels": (
        "let () = assert (f ~by:2 4 = 8)",
        "let f ~by x = x * by",
        "let f x ~by = x * by",
        "let f ?(by = 1) x = x * by",
        "let by ~f x = f x\nlet f ~by ?(plus = 0) x = (x * by) + plus",
    ),
    "exceptions": (
        "let () = assert (try ignore (f 0); false with Bad n -> n = 0)",
        "exception Bad of int\nlet f n = raise (Bad n)",
        "exception Worse of string\nexception Bad of int\nlet f n = raise (Bad n)",
        "let f n = n\nexception Bad of int\nlet f n = if f n = n then raise (Bad n)",
    ),
    "hidden names": (
        "let () = assert (max 1 2 = 2); assert (f 1 = 2); assert (abs (-1) = 1)",
        "let f x = x + 1",
        "let max _ _ = 1\nlet abs x = x\nlet f x = x + 1",
    ),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_no_order_of_completions_changes_what_they_earn(engine: Engine, name: str) -> None:
    """Each passes its tests, whichever came before it on the same server."""
    tests, *codes = FAMILIES[name]
    problem = Problem(id=name, tests=tests)
    for order in itertools.permutations(codes, 2):
        grader = Grader("seed", engine=engine, jobs=1)
        tallies = [grader.grade(problem, Completion(text=code)).tests for code in order]
        assert all(tally.passed == tally.total > 0 for tally in tallies), order


def test_an_error_is_worded_with_all_that_is_in_scope(engine: Engine) -> None:
    """What tests cannot name is hidden from them, not from the compiler's advice."""
    problem = Problem(id="advice", tests="let () = assert (total [ 1 ] = 1)")
    grader = Grader("seed", engine=engine, jobs=1)

    good = grader.grade(problem, Completion(text="let total = List.fold_left (+) 0"))
    typo = grader.grade(problem, Completion(text="let totals = List.fold_left (+) 0"))

    assert good.tests.passed == 1
    said = "".join(f"{each.message} {each.hint}" for each in typo.diagnostics)
    # From 5.2 on names are quoted.
    assert re.search('Did you mean "?totals', said)
