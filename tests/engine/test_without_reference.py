"""Tests without a reference, in the forms of real suites: what checks is known, or the problem is
refused in words.
"""

from __future__ import annotations

import pytest

from ocaml_reward import Completion, Grader, Problem, ProblemError, Verdict
from ocaml_reward.engine import Engine

RIGHT = "let half x = x / 2"
WRONG = "let half x = x"

# Lines and suites of Alcotest, cases that a function or a functor makes, in lists that are joined.
FORMS = {
    "let _ dot": 'let _ = Alcotest.(check int) "eight" 4 (half 8)\n'
    'let _ = Alcotest.(check int) "seven" 3 (half 7)\n',
    "let _ check": 'let _ = Alcotest.check Alcotest.int "eight" 4 (half 8)\n'
    'let _ = Alcotest.check Alcotest.int "seven" 3 (half 7)\n',
    "open let _": "open Alcotest\n"
    'let _ = check int "eight" 4 (half 8)\n'
    'let _ = check int "seven" 3 (half 7)\n',
    "open let ()": "open Alcotest\n"
    'let () = check int "eight" 4 (half 8)\n'
    'let () = check int "seven" 3 (half 7)\n',
    "let ()": 'let () = Alcotest.(check int) "eight" 4 (half 8)\n'
    'let () = Alcotest.check Alcotest.int "seven" 3 (half 7)\n',
    ";;": ';; Alcotest.(check int) "eight" 4 (half 8)\n'
    ';; Alcotest.(check int) "seven" 3 (half 7)\n',
    "open ;;": 'open Alcotest\n;; check int "eight" 4 (half 8)\n;; check int "seven" 3 (half 7)\n',
    "check'": 'let _ = Alcotest.(check\' int) ~msg:"eight" ~expected:4 ~actual:(half 8)\n'
    'let _ = Alcotest.(check\' int) ~msg:"seven" ~expected:3 ~actual:(half 7)\n',
    "check_raises": 'let _ = Alcotest.check_raises "x" Division_by_zero (fun () -> ignore (1 / half 0))\n'
    'let _ = Alcotest.(check int) "seven" 3 (half 7)\n',
    "ounit let _": "open OUnit2\n"
    "let _ = assert_equal 4 (half 8)\n"
    "let _ = assert_equal 3 (half 7)\n",
    "functor inline": "module type T = sig val half : int -> int end\n"
    "module Make (X : T) = struct\n"
    '  let eight () = Alcotest.(check int) "eight" 4 (X.half 8)\n'
    '  let seven () = Alcotest.(check int) "seven" 3 (X.half 7)\n'
    '  let run () = Alcotest.(run "half" [ "half", [ test_case "eight" `Quick eight; test_case "seven" `Quick seven ] ])\n'
    "end\n"
    "module R = Make (struct let half = half end)\n"
    "let () = R.run ()\n",
    "functor tests": "module type T = sig val half : int -> int end\n"
    "module Make (X : T) = struct\n"
    '  let tests = [ Alcotest.test_case "eight" `Quick (fun () -> Alcotest.(check int) "eight" 4 (X.half 8)); Alcotest.test_case "seven" `Quick (fun () -> Alcotest.(check int) "seven" 3 (X.half 7)) ]\n'
    "end\n"
    "module X = struct let half = half end\n"
    "module R = Make (X)\n"
    'let () = Alcotest.run "half" [ "half", R.tests ]\n',
    "functor include": "module type T = sig val half : int -> int end\n"
    "module Make (X : T) = struct\n"
    "  open X\n"
    '  let suite = [ "half", [ Alcotest.test_case "eight" `Quick (fun () -> Alcotest.(check int) "eight" 4 (half 8)); Alcotest.test_case "seven" `Quick (fun () -> Alcotest.(check int) "seven" 3 (half 7)) ] ]\n'
    '  let () = Alcotest.run "half" suite\n'
    "end\n"
    "module Half = struct let half = half end\n"
    "include Make (Half)\n",
    "functor signature": "module Make (X : sig val half : int -> int end) : sig val run : unit -> unit end = struct\n"
    '  let eight () = Alcotest.(check int) "eight" 4 (X.half 8)\n'
    '  let seven () = Alcotest.(check int) "seven" 3 (X.half 7)\n'
    '  let run () = Alcotest.(run "half" [ "half", [ test_case "eight" `Quick eight; test_case "seven" `Quick seven ] ])\n'
    "end\n"
    "module H = struct let half x = half x end\n"
    "module R = Make (H)\n"
    "let () = R.run ()\n",
    "helper ounit": "open OUnit2\n"
    "let case name want x = name >:: (fun _ -> assert_equal want (half x))\n"
    'let tests = "half" >::: [ case "eight" 4 8; case "seven" 3 7; case "zero" 0 0 ]\n'
    "let _ = run_test_tt_main tests\n",
    "helper ounit inline": "open OUnit2\n"
    "let case name want x = name >:: (fun _ -> assert_equal want (half x))\n"
    'let _ = run_test_tt_main ("half" >::: [ case "eight" 4 8; case "seven" 3 7; case "zero" 0 0 ])\n',
    "helper lists": "open OUnit2\n"
    "let case name want x = name >:: (fun _ -> assert_equal want (half x) ~printer:string_of_int)\n"
    'let evens = [ case "eight" 4 8; case "ten" 5 10 ]\n'
    'let odds = [ case "seven" 3 7 ]\n'
    'let suite = "half" >::: List.flatten [ evens; odds ]\n'
    "let _ = run_test_tt_main suite\n",
    "helper lists @": "open OUnit2\n"
    "let case name want x = name >:: fun _ -> assert_equal want (half x)\n"
    'let evens = [ case "eight" 4 8; case "ten" 5 10 ]\n'
    'let odds = [ case "seven" 3 7 ]\n'
    'let suite = "half" >::: (evens @ odds)\n'
    "let () = run_test_tt_main suite\n",
    "helper alcotest": "let case name want x = Alcotest.test_case name `Quick (fun () -> Alcotest.(check int) name want (half x))\n"
    'let () = Alcotest.run "half" [ "half", [ case "eight" 4 8; case "seven" 3 7 ] ]\n',
    "helper nested": "open OUnit2\n"
    "let make name want x = name >:: (fun _ -> assert_equal want (half x))\n"
    'let tests = "all" >::: [ "evens" >::: [ make "eight" 4 8 ]; "odds" >::: [ make "seven" 3 7 ] ]\n'
    "let _ = run_test_tt_main tests\n",
    "helper test fun": "open OUnit2\n"
    "let check want x _ = assert_equal want (half x)\n"
    'let tests = "half" >::: [ "eight" >:: check 4 8; "seven" >:: check 3 7 ]\n'
    "let _ = run_test_tt_main tests\n",
}
# What is refused, and the words for it.
REFUSED = {
    ";; half 3": "a statement whose type nothing says",
    ";; half 3\n;; half 4": "a statement whose type nothing says",
    "let () = ()\nlet () = assert (Unix.time () > 0. && half 8 = 4)": (
        "line 2: unsupported: Unix of the library unix: name that in `libraries`"
    ),
    'let () = assert (Str.string_match (Str.regexp "4") (string_of_int (half 8)) 0)': (
        "Str of the library str: name that in `libraries`"
    ),
    "open OUnit2\nlet case x = x >:: fun _ -> assert_equal 4 (half 8)\n"
    'let cases = List.init (half 4) (fun _ -> case "a")\n'
    'let () = run_test_tt_main ("half" >::: cases)': "counting them needs a reference",
}


@pytest.mark.parametrize("form", FORMS)
def test_its_checks_are_known(engine: Engine, form: str) -> None:
    """As many as with a reference, and they tell right from wrong."""
    grader = Grader("concise", engine=engine, jobs=1)
    alone, beside = (
        Problem(id="p", prompt="Write half.", tests=FORMS[form], reference=reference)
        for reference in (None, RIGHT)
    )
    right, wrong = (grader.grade(alone, Completion(text=code)) for code in (RIGHT, WRONG))

    assert right.verdict is Verdict.PASSED
    assert wrong.verdict is not Verdict.PASSED
    assert grader.grade(beside, Completion(text=RIGHT)).tests.total == right.tests.total


@pytest.mark.parametrize("tests", REFUSED)
def test_it_is_refused_in_words(engine: Engine, tests: str) -> None:
    with pytest.raises(ProblemError, match=REFUSED[tests]):
        engine.prepare(Problem(id="p", prompt="Write half.", tests=tests))


def test_a_library_that_is_named_is_linked(engine: Engine) -> None:
    problem = Problem(
        id="p",
        tests='let () = assert (Str.string_match (Str.regexp "4") (string_of_int (half 8)) 0)',
        libraries=("str",),
    )
    grader = Grader("concise", engine=engine, jobs=1)

    assert grader.grade(problem, Completion(text=RIGHT)).verdict is Verdict.PASSED
