"""What tests open, out of the code: its modules lend what they were asked for and no more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Outcome

Check = Callable[..., CheckReport]


def outcomes(report: CheckReport) -> list[Outcome]:
    return [result.outcome for result in report.results]


LYING = """
module M = struct
  let f _ = 0
  let (=) _ _ = true
  let not _ = true
  let (&&) _ _ = true
  let (!) _ = 1
  let ( let+ ) _ _ = true
  module List = struct let length _ = 1 end
end
module F (X : sig type t end) = M
include M
"""


@pytest.mark.parametrize(
    "tests",
    [
        "open M\nlet () = assert (f 1 = 1)",
        "include M\nlet () = assert (f 1 = 1)",
        "open! M\nlet () = assert (not (f 1 = 0))",
        "let () = assert M.(f 1 = 1)",
        "let () = let open M in assert (false && f 1 = 0)",
        "open F (struct type t = int end)\nlet () = assert (!(ref (f 1)) = 1)",
        "module N = M\nopen N\nlet () = assert (List.length [f 1; f 2] = 1)",
        "let () = assert (let open! M in List.length [f 1; f 2] = 1)",
        "module T = struct open M let same = f 1 = 1 end\nlet () = assert T.same",
        "let ( let+ ) o f = f o\nopen M\nlet () = assert (let+ x = f 1 in x = 1)",
    ],
)
def test_what_tests_open_brings_no_equality_along(check: Check, tests: str) -> None:
    """A module of the code's lends the tests what it was asked for, not its own `=`."""
    assert [Outcome.FAILED] == outcomes(check(LYING, tests))


def test_what_tests_open_brings_no_exception_along(check: Check) -> None:
    """An exception that the tests declare stands for itself behind what they open."""
    code = "module M = struct let f _ = 0 exception Own end"
    tests = (
        "exception Own\nlet g () = raise Own\nopen M\n"
        "let () = assert (try g () with Own -> f 1 = 1 | _ -> true)"
    )

    assert [Outcome.FAILED] == outcomes(check(code, tests))


def test_what_tests_open_brings_no_library_along(check: Check) -> None:
    """Nor does a module of the problem's libraries stand for the code's own."""
    code = 'module M = struct let f _ = 0 module Str = struct let quote _ = "1" end end'
    tests = 'open M\nlet () = assert (Str.quote (string_of_int (f 1)) = "1")'

    assert [Outcome.FAILED] == outcomes(check(code, tests, libraries=("str",)))


VECTORS = """
module V = struct
  let ( + ) (a, b) (c, d) = (a + c, b + d)
  let compare a b = compare b a
  let same (a : int * int) b = a = b
end
"""


@pytest.mark.parametrize(
    ("tests", "more"),
    [
        ("let () = assert V.((1, 2) + (3, 4) = (4, 6))", {"reference": VECTORS}),
        ("open V\nlet () = assert (compare 1 2 > 0)", {"reference": VECTORS}),
        (
            "open V\nlet () = assert (compare 1 2 > 0)",
            {"signature": "module V : sig val compare : 'a -> 'a -> int end"},
        ),
        ("let (=) = V.same\nopen V\nlet () = assert ((1, 2) = (1, 2))", {}),
        ("open V\nopen List\nlet () = assert (length [same (1, 2) (1, 2)] = 1)", {}),
        (
            "open V\nlet () = assert (true || exit 1); assert (not (false && exit 1))",
            {},
        ),
        ("open V\nlet () = if not (same (1, 2) (1, 2)) then exit 1", {}),
        ('open V\nlet () = assert (1 = 1 && "a" = "a" && same (1, 2) (1, 2))', {}),
    ],
)
def test_what_a_module_is_asked_for_is_taken_from_it(
    check: Check, tests: str, more: dict[str, object]
) -> None:
    """Operators of a module count where its reference or signature has them; tests may
    define their own.
    """
    assert {Outcome.PASSED} == set(outcomes(check(VECTORS, tests, **more)))


ASSERTING = """
module M = struct
  let f x = x + 1
  let assert_equal ?ctxt:_ ?cmp:_ ?printer:_ ?pp_diff:_ ?msg:_ _ _ = ()
  let assert_bool _ _ = ()
  let assert_raises ?msg:_ _ _ = ()
  let assert_string _ = ()
  let skip_if _ _ = ()
  module OUnit2 = struct let assert_failure _ = () end
end
"""


@pytest.mark.parametrize(
    "body",
    [
        "assert_equal 1 (f 1)",
        "M.(assert_equal 1 (f 1))",
        'let open M in assert_bool "same" (f 1 = 1)',
        "assert_raises Exit (fun () -> f 1)",
        'assert_string (string_of_int (f 1)); skip_if false "no"',
        'if f 1 <> 1 then OUnit2.assert_failure "not the same"',
    ],
)
def test_what_tests_open_brings_no_assertions_along(check: Check, body: str) -> None:
    """Nor does it lend assertions to a suite that opens OUnit2 before it."""
    tests = f'open OUnit2\nopen M\nlet () = run_test_tt_main ("s" >:: fun _ -> {body})'

    assert [Outcome.FAILED] == outcomes(check(ASSERTING, tests))


def test_tests_may_ask_a_module_for_an_assertion_of_its_own(check: Check) -> None:
    """What the signature gives a module is meant where the tests open it after OUnit2."""
    code = (
        "module M = struct let f x = x let assert_bool _ (b : int) = assert (b = 1) end"
    )
    tests = 'open OUnit2\nopen M\nlet () = run_test_tt_main ("s" >:: fun _ -> assert_bool "m" (f 1))'
    signature = (
        "module M : sig val f : int -> int val assert_bool : string -> int -> unit end"
    )
    report = check(code, tests, signature=signature)

    assert [Outcome.PASSED] == outcomes(report)
