"""What code leaves open at its end is there for the tests, as if they stood behind it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Outcome, Stage

Check = Callable[..., CheckReport]

TESTS = "let () =\n  assert (f 1 = 2);\n  assert (f 2 = 3)\n"
RIGHT = "module M = struct let f x = x + 1 end\n"
WRONG = "let f x = x\n"


def outcomes(report: CheckReport) -> set[Outcome]:
    return {result.outcome for result in report.results}


@pytest.mark.parametrize(
    "code",
    [
        RIGHT + "open M",
        RIGHT + "open M\nlet () = assert (f 1 = 2)\nlet _ = f",
        RIGHT + "open! M\n;; print_int (f 1)",
        WRONG + RIGHT + "open M",
        "module M = struct let f _ = 0 let next x = x + 1 end\nopen M\nlet f = next",
        "module L = struct module M = struct let f x = x + 1 end end\nopen L.M",
        "module F (X : sig val by : int end) = struct let f x = x + X.by end\n"
        "module M = F (struct let by = 1 end)\nopen M",
        RIGHT + "open M\nopen (struct let g = f end)\nlet other = g",
        RIGHT + "let log = ref []\nopen M",
        "module L = struct module M = struct let f x = x + 1 end end\nopen L\nopen M",
        "module K = struct module L = struct let k = 1 module M = struct let f x = x + k end end end\n"
        "open K.L\nopen M",
    ],
)
def test_tests_see_what_is_open(check: Check, code: str) -> None:
    """An `open` of a module of the code's own brings its names, but for those that are defined
    again behind it.
    """
    assert {Outcome.PASSED} == outcomes(check(code, TESTS))


def test_types_come_along(check: Check) -> None:
    """Answers that are written with constructors of such a module are worked out likewise."""
    code = (
        "module M = struct type t = A | B of int\n  let f n = if n = 0 then A else B n end\n"
        "open M\n"
    )
    tests = "let () =\n  assert (f 0 = A);\n  assert (f 2 = B 2)\n"

    assert {Outcome.PASSED} == outcomes(check(code, tests))


STACK = "module Stack = struct let of_one x = [ x ] let top = List.hd end\n"
OTHER = "module Stack = struct let of_one x = [ x + 1 ] let top = List.hd end\n"


@pytest.mark.parametrize(
    "code",
    [
        f"module Answer = struct\n{STACK}end\nopen Answer",
        f"module Answer = struct\n{STACK}end\ninclude Answer",
        f"module Answer = struct\n{STACK}let unused = 0 end\nopen Answer\nlet other = 1",
        f"module L = struct module Answer = struct\n{STACK}end end\nopen L\nopen Answer",
        f"{OTHER}module Answer = struct\n{STACK}end\nopen Answer",
        f"module Answer = struct\n{OTHER}end\nopen Answer\n{STACK}",
        f"{STACK}open Stack",
        f"module Answer = struct\n{STACK}end\ninclude Answer\nopen Stack",
        f"include struct\n{STACK}end\nopen Stack",
        f"module A = struct\n{STACK}end\nmodule B = A\nopen B",
        f"module F (X : sig end) = struct\n{STACK}end\nmodule B = F (struct end)\nopen B",
        f"module A = struct module B = struct\n{STACK}end module C = B end\nopen A\nopen C",
        f"{STACK}module A : sig val x : int end = struct let x = 1\n{OTHER}end\nopen A",
    ],
)
def test_what_is_named_as_the_librarys_comes_along(check: Check, code: str) -> None:
    """A module that the problem asks for may have a name of the library's."""
    tests = "let () = assert (Stack.top (Stack.of_one 2) = 2)\n"

    assert {Outcome.PASSED} == outcomes(check(code, tests, reference=STACK))


def test_names_of_names_end(check: Check) -> None:
    """Modules that are parts of others, twice in each, are not followed for ever."""
    code = "module A0 = struct module X = struct end end\n" + "".join(
        f"module A{n} = struct module X = A{n - 1}.X module Y = A{n - 1}.X end\n"
        for n in range(1, 60)
    )

    assert {Outcome.PASSED} == outcomes(
        check(code + RIGHT + "open A59.X\nopen M", TESTS)
    )


def test_a_value_may_have_a_name_of_the_librarys(check: Check) -> None:
    """So may a value."""
    module = "module Answer = struct\nlet max a b = [ a; b ]\nend\n"
    tests = "let () = assert (max 1 2 = [ 1; 2 ])\n"
    signature = "val max : 'a -> 'a -> 'a list"

    for code in (module + "open Answer", module + "include Answer\nopen Answer"):
        assert {Outcome.PASSED} == outcomes(check(code, tests, signature=signature))


@pytest.mark.parametrize(
    "code",
    [
        "module M = struct let f _ = 0 let ( = ) _ _ = true end\nopen M",
        "module M = struct let f _ = 0 let not _ = true let compare _ _ = 0\n"
        "  module Stdlib = struct let ( = ) _ _ = true end end\nopen M",
        "module M = struct let f x = x + 1 end\nopen M\n" + WRONG,
    ],
)
def test_nothing_else_comes_along(check: Check, code: str) -> None:
    """The pristine library lies over it, and so does what is defined behind it."""
    assert {Outcome.FAILED} == outcomes(check(code, TESTS))


@pytest.mark.parametrize(
    "code",
    [
        RIGHT,
        RIGHT + "let g = let open M in f",
        RIGHT + "module N = struct open M end",
        "open List\nmodule List = struct let f x = x + 1 end",
    ],
)
def test_what_is_not_open_is_missing(check: Check, code: str) -> None:
    """A module that is defined and not opened gives the tests nothing."""
    assert Stage.INTERFACE_ERROR == check(code, TESTS).stage


def test_errors_are_counted_behind_it(check: Check) -> None:
    """What the tests miss beyond what is open counts, and what is open does not."""
    tests = TESTS + "let () = assert (g 1 = 2)\n"

    assert 1 == check(RIGHT + "open M", tests).type_errors
    assert 2 == check(RIGHT, tests).type_errors
