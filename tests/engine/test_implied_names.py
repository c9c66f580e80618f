"""
Names that tests share with the standard library, of a problem that has neither a signature nor
a reference: the code's where the tests do not type with the library's.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Outcome, Stage

RIGHT = {
    "a module's value that the library lacks": (
        "let () = assert (Queue.to_list (Queue.push 2 (Queue.push 1 Queue.empty)) = [ 1; 2 ])",
        "module Queue = struct\n  let empty = []\n  let push x q = q @ [ x ]\n"
        "  let to_list q = q\nend\n",
    ),
    "a module whose functions have other types": (
        "let () = assert (Stack.push 1 (Stack.create 3) = [ 1; 3 ])",
        "module Stack = struct\n  let create x = [ x ]\n  let push x s = x :: s\nend\n",
    ),
    "a module that goes on from the library's": (
        "let () = assert (Option.map2 ( + ) (Some 1) (Option.some 2) = Some 3)",
        "module Option = struct\n  include Option\n  let map2 f a b =\n"
        "    match (a, b) with Some x, Some y -> Some (f x y) | _ -> None\nend\n",
    ),
    "a function of more arguments": (
        "let () = assert (max 1 2 3 = 3)",
        "let max a b c = Stdlib.max a (Stdlib.max b c)\n",
    ),
    "beside names of the code's own": (
        "let q = make ()\nlet () = assert (List.sum (elements q) = 6)",
        "let make () = [ 1; 2; 3 ]\nlet elements q = q\n"
        "module List = struct\n  include List\n  let sum = fold_left ( + ) 0\nend\n",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_the_codes_is_meant(name: str, check: Callable[..., CheckReport]) -> None:
    """
    Right code passes, and code without the name lacks it.
    """
    tests, code = RIGHT[name]
    lacking = check("let make () = []\nlet elements q = q\n", tests)

    assert [Outcome.PASSED] == [each.outcome for each in check(code, tests).results]
    assert Stage.INTERFACE_ERROR is lacking.stage


def test_the_librarys_is_meant_where_the_tests_type_with_it(
    check: Callable[..., CheckReport],
) -> None:
    """
    Code that redefines what tests use of the library does not change what they say.
    """
    tests = "let () = assert (List.length (f 3) = 3)\nlet () = assert (abs (g 2) = 2)"
    fakes = (
        "let f _ = [ 1 ]\nlet g _ = 7\nlet abs _ = 2\n"
        "module List = struct\n  let length _ = 3\nend\n"
    )
    outcomes = [each.outcome for each in check(fakes, tests).results]

    assert [Outcome.FAILED, Outcome.FAILED] == outcomes


def test_a_signature_decides_where_there_is_one(
    check: Callable[..., CheckReport],
) -> None:
    """
    It names what the code owns: `List` is not among it, whatever the tests use.
    """
    tests = "let () = assert (List.sum (f 3) = 6)"
    code = (
        "let f _ = [ 1; 2; 3 ]\nmodule List = struct\n  include List\n"
        "  let sum = fold_left ( + ) 0\nend\n"
    )

    assert Stage.EXECUTABLE is check(code, tests).stage
    report = check(code, tests, signature="val f : int -> int list")
    assert Stage.INTERFACE_ERROR is report.stage
