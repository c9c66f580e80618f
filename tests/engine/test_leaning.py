"""A statement of the tests that does not come to its end is not without consequence: what
later checks read of the state that it was to change says nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward import Problem, ProblemError
from ocaml_reward.engine import CheckReport, Engine
from ocaml_reward.model import Outcome

Check = Callable[..., CheckReport]

RIGHT = "let f x = x + 1"
WRONG = "let f _ = -7"
NOTHING = {
    "raises": ("let f _ = raise Exit", "raised"),
    "leaves": ("let f _ = exit 0", "exited"),
    "leaves badly": ("let f _ = exit 1", "exited"),
    "loops": ("let rec f x = f x", "timed_out"),
    "overflows": ("let rec f x = 1 + f x", "stack_overflow"),
}
BAD = (
    "let bad = ref 0\n"
    'let test name cond = if not cond then (incr bad; Printf.printf "FAIL %s\\n" name)\n'
)
TWICE = 'let () = test "a" (f 1 = 2)\nlet () = test "b" (f 2 = 3)\n'
LOG = (
    "let log = Buffer.create 9\nlet say = Buffer.add_string log\n"
    'let same a b = if a <> b then say "no"\n'
)
COUNTED = {
    "a counter": BAD + TWICE + "let () = assert (!bad = 0)",
    "as items": BAD
    + ';;test "a" (f 1 = 2);;\ntest "b" (f 2 = 3);;\nassert (!bad = 0);;',
    "an exit": BAD + TWICE + "let () = if !bad > 0 then exit 1",
    "an exit by status": BAD + TWICE + "let () = exit (if !bad = 0 then 0 else 1)",
    "a failure": BAD + TWICE + 'let () = if !bad <> 0 then failwith "bad"',
    "a function at the end": BAD
    + TWICE
    + "let report () = assert (!bad = 0)\nlet () = report ()",
    "a function of all": BAD
    + 'let run () = test "a" (f 1 = 2); test "b" (f 2 = 3)\n'
    + "let () = run ()\nlet () = exit (if !bad = 0 then 0 else 1)",
    "all": "let ok = ref true\nlet test b = ok := !ok && b\n"
    "let () = test (f 1 = 2)\nlet () = test (f 2 = 3)\nlet () = assert !ok",
    "a list": "let failures = ref []\n"
    "let test name b = if not b then failures := name :: !failures\n"
    'let () = test "a" (f 1 = 2)\nlet () = test "b" (f 2 = 3)\n'
    "let () = assert (!failures = [])",
    "a table": "let cases = [1, 2; 2, 3]\nlet bad = ref 0\n"
    "let () = List.iter (fun (x, y) -> if f x <> y then incr bad) cases\n"
    "let () = assert (!bad = 0)",
    "a loop": "let bad = ref 0\n"
    "let () = for i = 1 to 9 do if f i <> i + 1 then incr bad done\n"
    "let () = assert (!bad = 0)",
    "a log": LOG + "let () = same (f 1) 2\nlet () = same (f 2) 3\n"
    'let () = assert (Buffer.contents log = "")',
    "a record": "type t = { mutable bad : int }\nlet t = { bad = 0 }\n"
    "let () = if f 1 <> 2 then t.bad <- 1\nlet () = assert (t.bad = 0)",
    "a module": "module T = struct let bad = ref 0 let test b = if not b then incr bad end\n"
    "let () = T.test (f 1 = 2)\nlet () = assert (!T.bad = 0)",
    "an open module": "module T = struct let bad = ref 0 let test b = if not b then incr bad"
    " end\nopen T\nlet () = test (f 1 = 2)\nlet () = assert (!bad = 0)",
    "statements in a module": "module T = struct let bad = ref 0\n"
    "let () = if f 1 <> 2 then incr bad\nlet () = assert (!bad = 0) end",
    "included": "include struct let bad = ref 0 end\n"
    "let () = if f 1 <> 2 then incr bad\nlet () = assert (!bad = 0)",
    "hidden in functions": "let miss, missed = let n = ref 0 in (fun () -> incr n), fun () -> !n\n"
    "let () = if f 1 <> 2 then miss ()\nlet () = assert (missed () = 0)",
    "handed on": "let bad = ref 0\nlet ok = ref true\nlet () = if f 1 <> 2 then incr bad\n"
    "let () = if !bad > 0 then ok := false\nlet () = assert !ok",
    "an object": "let t = object val mutable n = 0 method miss = n <- n + 1 method n = n end\n"
    "let () = if f 1 <> 2 then t#miss\nlet () = assert (t#n = 0)",
    "a class": "class c = object val mutable n = 0 method miss = n <- n + 1 method n = n end\n"
    "let t = new c\nlet () = if f 1 <> 2 then t#miss\nlet () = assert (t#n = 0)",
    "a formatter": "let () = if f 1 <> 2 then Format.fprintf Format.str_formatter {|no|}\n"
    "let () = assert (Format.flush_str_formatter () = {||})",
    "behind a check": BAD
    + 'let () = assert (0 = 0); test "a" (f 1 = 2)\nlet () = assert (!bad = 0)',
    "at the exit": "let bad = ref 0\nlet () = at_exit (fun () -> assert (!bad = 0))\n"
    "let () = if f 1 <> 2 then incr bad",
}


def outcomes(report: CheckReport) -> list[str]:
    return [str(result.outcome) for result in report.results]


@pytest.mark.parametrize("tests", COUNTED)
def test_tests_that_count_their_own_failures(check: Check, tests: str) -> None:
    """They pass right code, and neither wrong code nor code that does not return."""
    right, wrong = (outcomes(check(code, COUNTED[tests])) for code in (RIGHT, WRONG))

    assert {"passed"} == set(right)
    assert wrong[-1] != "passed"
    code, outcome = NOTHING["raises"]
    assert outcome == outcomes(check(code, COUNTED[tests]))[-1]


@pytest.mark.parametrize("code", NOTHING)
@pytest.mark.parametrize("tests", ["a counter", "an exit by status", "a loop"])
def test_however_code_does_not_return(check: Check, tests: str, code: str) -> None:
    """Later checks of what was to be changed end as the statement did."""
    program, outcome = NOTHING[code]

    assert outcome == outcomes(check(program, COUNTED[tests]))[-1]


def test_what_shares_nothing_with_the_statement_is_credited(check: Check) -> None:
    """A line that shows a value costs the check behind it, as plain OCaml would not go on, and no
    other which asks for another value.
    """
    tests = (
        "let xs = [1; 2]\nlet show x = List.map string_of_int x\n"
        "let () = print_string (String.concat {| |} (show (List.map f xs)))\n"
        "let () = assert (f 3 = 4)\nlet () = assert (show (g xs) = [{|2|}; {|1|}])"
    )
    code = "let f x = if x < 3 then raise Exit else x + 1\nlet g = List.rev"

    assert ["raised", "passed"] == outcomes(check(code, tests))


def test_checks_before_the_statement_keep_their_credit(check: Check) -> None:
    """Only what comes later reads the state too late."""
    tests = BAD + 'let () = assert (!bad = f 0)\nlet () = test "a" (f 1 = 2)\n'
    tests += "let () = assert (!bad = 0)"
    code = "let f x = if x = 0 then 0 else raise Exit"

    assert ["passed", "raised"] == outcomes(check(code, tests))


def test_a_check_that_loops_restarts_no_state(check: Check) -> None:
    """What was left out when the tests were run again counts as before."""
    tests = BAD + 'let () = test "a" (f 1 = 2)\nlet () = assert (f 2 = 3)\n'
    tests += "let () = assert (!bad = 0)"
    code = "let rec f x = if x = 1 then f x else if x = 2 then f x else 0"

    assert ["timed_out", "timed_out"] == outcomes(check(code, tests))


UNCHANGED = (
    "let a = [|3; 1|]\nlet () = assert (f a = 3)\nlet () = assert (f [|4|] = 4)\n"
    "let () = assert (a = [|3; 1|])"
)
"""The last calls nothing of the code: it tells what the first has left."""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("let f a = a.(0)", ["passed", "passed", "passed"]),
        ("let f a = let x = a.(0) in a.(0) <- 7; x", ["passed", "passed", "failed"]),
        ("let f _ = 0", ["failed", "failed", "passed"]),
        ("let f _ = raise Exit", ["raised", "raised", "raised"]),
        (
            "let f a = if a = [|4|] then 4 else raise Exit",
            ["raised", "passed", "raised"],
        ),
        ("let rec f a = f a", ["timed_out", "timed_out", "timed_out"]),
    ],
)
def test_a_check_of_what_others_left_takes_one_that_returned(
    check: Check, code: str, expected: list[str]
) -> None:
    """Where none did, there is nothing that it could tell."""
    assert expected == outcomes(check(code, UNCHANGED))


def test_one_that_returned_is_enough(check: Check) -> None:
    """Credit for one function is not lost by another that raises."""
    tests = (
        "let a = [|3; 1|]\nlet () = assert (least a = 1)\nlet () = assert (sort a = ())\n"
        "let () = assert (a = [|1; 3|])"
    )
    code = "let least _ = raise Exit\nlet sort a = Array.sort compare a"

    assert ["raised", "passed", "passed"] == outcomes(check(code, tests))


@pytest.mark.parametrize(
    ("end", "outcome"),
    [("if !bad > 0 then exit 1", "raised"), ("assert (!bad = 0)", "passed")],
)
def test_an_exit_takes_all_that_returned(check: Check, end: str, outcome: str) -> None:
    """It tells how all have ended, and an assertion what one has left."""
    tests = (
        "let bad = ref 0\nlet ok b = if not b then incr bad; b\n"
        f"let () = assert (ok (f 1 = 2))\nlet () = assert (ok (g 1 = 1))\nlet () = {end}"
    )
    code = "let f _ = raise Exit\nlet g x = x"

    assert ["raised", "passed", outcome] == outcomes(check(code, tests))
    right = "let f x = x + 1\nlet g x = x"
    assert ["passed"] * 3 == outcomes(check(right, tests))


AT_EXIT = {
    "a function": "let () = at_exit (fun () -> assert (!n = 2))",
    "a name": "let last () = assert (!n = 2)\nlet () = at_exit last",
    "an item": ";; at_exit (fun () -> if !n <> 2 then exit 1);;",
    "an operator": "let () = Stdlib.at_exit @@ fun () -> assert (!n = 2)",
    "two": "let () = at_exit (fun () -> assert (!n = 5))\n"
    "let () = at_exit (fun () -> assert (!n = 2); n := 5)",
}


@pytest.mark.parametrize("tests", AT_EXIT)
def test_what_tests_leave_for_their_end_is_run(check: Check, tests: str) -> None:
    """Their own at_exit functions are checks like others, the last registered first."""
    tests = f"let n = ref 0\n{AT_EXIT[tests]}\nlet () = n := f 1"
    right = set(outcomes(check("let f x = x + 1", tests)))
    wrong = set(outcomes(check("let f _ = 0", tests)))

    assert {"passed"} == right
    assert {"failed", "exited"} & wrong


@pytest.mark.parametrize(
    "tests",
    [
        "let () = if f 1 = 2 then at_exit (fun () -> assert (f 2 = 3))",
        "let later g = at_exit g\nlet () = later (fun () -> assert (f 2 = 3))",
        "let () = assert (f 1 = 2); at_exit (fun () -> assert (f 2 = 3))",
        "let () = at_exit (fun () -> assert (f 2 = 3))\nlet () = if f 1 = 2 then exit 0",
        "open OUnit2\nlet () = at_exit (fun () -> assert (f 2 = 3))\n"
        "let () = run_test_tt_main ({|f|} >:: fun _ -> assert_equal 2 (f 1))",
    ],
)
def test_what_cannot_be_run_at_the_end_is_refused(engine: Engine, tests: str) -> None:
    """Nothing that tests say is left out in silence."""
    with pytest.raises(ProblemError, match=r"line [1-3]: unsupported: at_exit"):
        engine.prepare(Problem(id="p", tests=tests))


def test_a_predicate_of_what_others_left_takes_one_that_returned(check: Check) -> None:
    """It is applied after the last run, and holds for what nobody has changed."""
    tests = (
        "let a = [| 3; 1; 2 |]\n"
        "let rec positive = function [] -> true | x :: t -> x > 0 && positive t\n"
        "let () = assert (sort a; a = [| 1; 2; 3 |])\n"
        "let () = assert (positive (Array.to_list a))\n"
    )
    raises = check('let sort _ = failwith "no"', tests)
    wrong = check("let sort _ = ()", tests)

    assert [Outcome.RAISED] * 2 == [each.outcome for each in raises.results]
    assert [Outcome.FAILED, Outcome.PASSED] == [each.outcome for each in wrong.results]
