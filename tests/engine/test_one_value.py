"""Checks that say several things of one value: of one answer, whatever the process claims."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import BUDGET, CheckReport, Engine
from ocaml_reward.model import Outcome, Problem

Check = Callable[..., CheckReport]

PASSED = Outcome.PASSED
SORTED = (
    "let rec sorted = function a :: (b :: _ as t) -> a <= b && sorted t | _ -> true\n"
)
OPEN_SUITE = "open OUnit2\n" + SORTED
# What is said of one value, and what a process claims of each of its parts, with code that
# is right.
ONE_VALUE = {
    "a list": (
        SORTED + "let () = assert (let s = f [3;1;2] in"
        " sorted s && List.length s = 3 && List.mem 2 s)",
        ("a", "i3", "i1"), "let f l = List.sort compare l",
    ),
    "a name around the check": (
        SORTED + "let () = let s = f [3;1;2] in assert (sorted s && List.length s = 3)",
        ("i0", "i3"), "let f l = List.sort compare l",
    ),
    "a helper's argument": (
        SORTED + "let good s = sorted s && List.length s = 3\n"
        "let () = assert (good (f [3;1;2]))",
        ("i0", "i3"), "let f l = List.sort compare l",
    ),
    "numbers": (
        "let () = assert (let r = f 10 in r * r <= 10 && (r + 1) * (r + 1) > 10)",
        ("i0", "i100"), "let f n = int_of_float (sqrt (float n))",
    ),
    "parts": (
        "let () = assert (let (a, b) = f 10 in a * b = 10 && a < b && a > 1)",
        ("i10", "i1", "i2"), "let f _ = (2, 5)",
    ),
    "a suite": (
        OPEN_SUITE + 'let () = run_test_tt_main ("s" >::: ["a" >:: fun _ ->'
        " let s = f [3;1;2] in assert_equal 3 (List.length s);"
        ' assert_bool "sorted" (sorted s)])',
        ("i3", "i0"), "let f l = List.sort compare l",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ONE_VALUE)
def test_what_has_one_name_is_one_answer(
    engine: Engine, check: Check, name: str
) -> None:
    """A process that says one thing for each question says nothing that holds together."""
    tests, claims, right = ONE_VALUE[name]
    said = "".join(
        f'; note "value 0 {slot}" " {claim}"' for slot, claim in enumerate(claims)
    )
    liar = (
        'external note : string -> string -> unit = "ocaml_reward_note"\n'
        f'let () = note "begin 0" ""{said}; note "end 0 0" ""\n'
        f"{right}"
    )

    assert {} == engine.prepare(Problem(id="p", tests=tests)).in_process
    assert PASSED is check(right, tests).results[0].outcome
    assert PASSED is check(right, tests, reference=right).results[0].outcome
    assert PASSED not in {each.outcome for each in check(liar, tests).results}


@pytest.mark.parametrize(
    ("tests", "code"),
    [
        (
            "let () = assert (let h = f 1 in Hashtbl.length h = 1 && Hashtbl.mem h 1)",
            "let f x = let h = Hashtbl.create 3 in Hashtbl.add h x x; h",
        ),
        (
            "let () = assert (let s = f 1 in List.of_seq s = [1] && s () != Seq.Nil)",
            "let f x = Seq.return x",
        ),
        (
            "let () = assert (let g = f 1 in g 2 = 3 && g 3 = 4)",
            "let f x y = x + y",
        ),
        (
            "let () = assert (let a = f 1 in a.(0) = 1 && (a.(0) <- 2; f 3 = [|3|])"
            " && a.(0) = 2)",
            "let f x = [|x|]",
        ),
        (
            "let rec p a b = a <> b && (a = a || p a b)\n"
            "let () = assert (p (f 1) (f 2))",
            "let f x = [|x|]",
        ),
    ],
)
def test_what_cannot_leave_the_process_is_looked_at_there(
    check: Check, tests: str, code: str
) -> None:
    """Right code passes whatever its values are, with a reference and without."""
    assert {PASSED} == {
        each.outcome for each in check(code, tests, reference=code).results
    }
    assert {PASSED} == {each.outcome for each in check(code, tests).results}


def test_a_value_too_long_to_leave_the_process_is_looked_at_there(
    check: Check,
) -> None:
    """With a reference it is known that it is."""
    code = "let f n = List.init n Fun.id"
    tests = (
        "let () = assert (let l = f 2_000_000 in"
        " List.length l = 2_000_000 && List.hd l = 0)"
    )

    assert PASSED is check(code, tests, reference=code).results[0].outcome


def test_nobody_rebuilds_a_value_that_was_cut(check: Check) -> None:
    """To find that out by rebuilding it takes seconds, and on a busy machine more than there are."""
    tests = "let () = assert (let l = f 700_000 in l <> [] && List.hd l = 0)"
    code = "let f n = List.init n Fun.id"

    result = check(code, tests, budget=BUDGET.flat(BUDGET.tests_cpu_s)).results[0]

    assert Outcome.RAISED is result.outcome
    assert "too long to leave the process" in result.detail


@pytest.mark.parametrize("form", ["i5", "(0:1 i5", "s1:61", "d3ff0000000000000"])
def test_a_value_with_a_name_has_a_type(check: Check, form: str) -> None:
    """What a process hands out as a list is one."""
    code = (
        'external note : string -> string -> unit = "ocaml_reward_note"\n'
        f'let () = note "begin 0" ""; note "value 0 0" " {form}"; note "end 0 0" ""\n'
        "let f x = [x]"
    )
    tests = "let () = assert (let s = f 1 in List.length s < 9 && s <> [])"

    assert Outcome.RAISED is check(code, tests).results[0].outcome
