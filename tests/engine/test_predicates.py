"""Predicates of the tests' own: where they are applied, and that they mean what they say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport, Engine
from ocaml_reward.engine.judge import decide, read_formula
from ocaml_reward.engine.values import ReturnedValue
from ocaml_reward.model import Outcome, Problem

Check = Callable[..., CheckReport]

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED
RAISES = """module T = struct
  let invalid g = match g () with exception Invalid_argument _ -> true | _ -> false
  let failing g = match g () with exception Failure _ -> true | _ -> false
  let forced l = try Lazy.force l = 1 with Invalid_argument _ -> true
end
let rec times n g = n = 0 || (g () && times (n - 1) g)
let is x = let rec same y = x = y in same
"""
COPY = "let copy = Array.copy"
ALIAS = "let copy a = a"
GRID = "let rec t m = if false then t m else (m.(0).(0) <- 7; m.(1).(0) = 0)\n"
# A check, code that passes it, and code that fails it.
POSTPONED = {
    "an exception": ("T.invalid (fun () -> f 1)", "invalid_arg", "raise Not_found"),
    "a failure": ("T.failing (fun () -> f 1)", "failwith", "invalid_arg"),
    "a lazy value": ("T.forced (lazy (f 1))", "invalid_arg", "raise Not_found"),
    "a handler": (
        "is true (try f 1 = 2 with Invalid_argument _ -> true)",
        "invalid_arg",
        "raise Not_found",
    ),
}  # fmt: skip
IDENTITY = {
    "two results": ("let () = assert (copy [|1|] != copy [|1|])", COPY,
                    "let c = [|1|] let copy _ = c"),
    "of a name": ("let a = [|1|] let () = assert (not (copy a == a))", COPY, ALIAS),
    "not the same": ("let a = [|1|] let () = assert (copy a != a)", COPY, ALIAS),
    "the same": ("let l = [1] let () = assert (copy l == l)", ALIAS,
                 "let copy l = List.map Fun.id l"),
    "by a helper": ("let same = ( == ) let rec p a b = not (same a b)\n"
                    "let a = [|1|] let () = assert (p a (copy a))", COPY, ALIAS),
    "in a module": ("module M = struct let rec p a b = not (a == b) end\n"
                    "let a = [|1|] let () = assert (M.p a (copy a))", COPY, ALIAS),
    "in an open module": ("module M = struct let rec p a b = not (a == b) end open M\n"
                          "let a = [|1|] let () = assert (p a (copy a))", COPY, ALIAS),
    "in a list": ("let rec distinct = function a :: t -> not (List.memq a t) && distinct t"
                  " | [] -> true\nlet () = assert (distinct (copy ()))",
                  "let copy () = [ref 1; ref 1]",
                  "let copy () = let r = ref 1 in [r; r]"),
    "what is written": ("let () = let a = [|1;2;3|] in"
                        " assert (let b = copy a in b.(0) <- 9; a <> b)", COPY, ALIAS),
    "what is written by a statement": (
        "let () = let a = [|1;2;3|] in"
        " assert (let b = copy a in let () = b.(0) <- 9 in a <> b)", COPY, ALIAS),
    "rows": (GRID + "let () = assert (t (copy 2 3))",
             "let copy r c = Array.init r (fun _ -> Array.make c 0)",
             "let copy r c = Array.make r (Array.make c 0)"),
}  # fmt: skip
PURE = {
    "what it has made itself": (
        "let rec p l = let n = ref 0 in List.iter (fun x -> n := !n + x) l; !n = 3 && p l\n"
        "let () = assert (not (p (f 1)))"
    ),
    "a table of its own": (
        "let rec p l = let t = Hashtbl.create 3 in List.iter (fun x -> Hashtbl.add t x 1) l;"
        " Hashtbl.length t = 7 || (l <> [] && p [])\nlet () = assert (not (p (f 1)))"
    ),
    "a board of its own": (
        "let rec p l = let b = Array.make_matrix 3 3 false in"
        " List.iter (fun x -> b.(0).(x) <- true) l; b.(0).(1) && (l <> [] || p l)\n"
        "let () = assert (p (f 1))"
    ),
    "a copy": (
        "let rec p l = let a = Array.of_list l in Array.sort compare a;"
        " a.(0) = 1 || (l = [] && p l)\nlet () = assert (p (f 1))"
    ),
    "a constant": "let rec p l = List.length l == 1 || p []\nlet () = assert (p (f 1))",
    "a function that calls nothing": (
        "let rec p n l = n > 0 && List.for_all (fun x -> x = n) l\nlet () = assert (p 1 (f 1))"
    ),
}


@pytest.mark.parametrize("name", POSTPONED)
@pytest.mark.parametrize("known", [False, True])
def test_a_call_that_the_tests_make_as_they_like_is_made_there(
    check: Check, name: str, known: bool
) -> None:
    """Where a call stands inside a function or a handler, its exception meets the handlers."""
    said, right, wrong = POSTPONED[name]
    if not right.startswith("raise"):
        right = f'{right} "no"'
    code = f"let f (_ : int) : int = {right}"
    other = wrong if wrong.startswith("raise") else f'{wrong} "no"'
    tests = f"{RAISES}let () = assert ({said})"
    reference = code if known else None

    report = check(code, tests, reference=reference)
    assert PASSED is report.results[0].outcome
    report = check(f"let f (_ : int) : int = {other}", tests, reference=reference)
    assert PASSED is not report.results[0].outcome


def test_a_call_is_made_as_often_as_the_tests_make_it(check: Check) -> None:
    """Code that is right on its first call only does not pass."""
    tests = f"{RAISES}let () = assert (times 3 (fun () -> f 3 = 9))"
    once = "let n = ref 0 let f x = incr n; if !n = 1 then x * x else 0"

    assert FAILED is check(once, tests).results[0].outcome
    assert PASSED is check("let f x = x * x", tests).results[0].outcome


@pytest.mark.parametrize("name", IDENTITY)
@pytest.mark.parametrize("known", [False, True])
def test_a_copy_is_told_from_what_it_is_a_copy_of(
    check: Check, name: str, known: bool
) -> None:
    """What looks at identity, or writes, looks at the code's own values."""
    tests, right, wrong = IDENTITY[name]
    reference = right if known else None

    assert PASSED is check(right, tests, reference=reference).results[0].outcome
    assert FAILED is check(wrong, tests, reference=reference).results[0].outcome


@pytest.mark.parametrize("name", PURE)
def test_a_predicate_that_tells_no_copies_apart_is_applied_outside(
    engine: Engine, check: Check, name: str
) -> None:
    """It may write into what it has made itself."""
    tests = PURE[name]

    assert {} == engine.prepare(Problem(id="p", tests=tests)).in_process
    assert PASSED is check("let f x = [x]", tests).results[0].outcome


def test_a_later_call_may_write_into_an_earlier_result(check: Check) -> None:
    """A predicate of two results looks at them when both are there."""
    tests = (
        "let rec p a b = a <> b && (a = a || p a b)\nlet () = assert (p (f 1) (f 2))"
    )
    one = "let a = [|0|]\nlet f x = a.(0) <- x; a"

    assert FAILED is check(one, tests).results[0].outcome


def test_without_a_value_a_predicate_says_nothing() -> None:
    """The check ends as what was asked for has ended, whatever came of the predicate."""
    says = read_formula("(is (applied 0 0))")
    thrown = {0: ReturnedValue("n", Outcome.STACK_OVERFLOW, "")}
    refused = {0: ReturnedValue("n", Outcome.RAISED, "Invalid_argument")}

    assert (Outcome.STACK_OVERFLOW, "") == decide(says, thrown, refused)
    assert (Outcome.RAISED, "Invalid_argument") == decide(
        says, {0: ReturnedValue("i1")}, refused
    )
    assert (FAILED, "") == decide(says, {}, refused)


SHAPES = {
    "int and string": ("match f 1 with 4 -> true | _ -> false",
                       'match g 1 with "a" -> true | _ -> false'),
    "a list before a pair": ("match l 1 with [_] -> true | _ -> false",
                             "match p 1 with (1, 'a') -> true | _ -> false"),
    "two in one check": ('let rec is n s = n = 4 && s = "a" || is n s in is (f 1) (g 1)',
                         "match o 1 with Some 1. -> true | _ -> false"),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("again", [False, True])
def test_each_predicate_takes_values_of_its_own_type(
    engine: Engine, check: Check, name: str, again: bool
) -> None:
    """Whatever other checks of the same tests take, before it or behind it."""
    first, second = SHAPES[name]
    order = (second, first) if again else (first, second)
    tests = "\n".join(f"let () = assert ({each})" for each in order)
    code = (
        "let f _ = 4 let g _ = \"a\" let l x = [x] let p x = (x, 'a') let o _ = Some 1."
    )

    assert {} == engine.prepare(Problem(id="p", tests=tests)).in_process
    assert [PASSED] * 2 == [each.outcome for each in check(code, tests).results]
