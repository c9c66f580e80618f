"""Suites of OUnit: of its first version, run more than once, and not run at all."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward import ProblemError
from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Outcome

Check = Callable[..., CheckReport]

RIGHT, WRONG = "let f x = x + 1", "let f x = 3 * x"
F = '"f" >:: (fun _ -> assert_equal 3 (f 2))'
RUN = f'let () = run_test_tt_main ("a" >::: [{F}])\n'
LIST = 'List.map (fun n -> "l" >:: fun _ -> assert_equal (n + 1) (f n)) [1; 2]'

FIRST = {
    "opened": 'let suite = "s" >::: ["f" >:: (fun () -> assert_equal 3 (f 2))]\n'
    "let _ = run_test_tt suite",
    "main": "let f_2 () = assert_equal ~printer:string_of_int 3 (f 2)\n"
    'let suite : test = "s" >::: ["f" >:: f_2]\nlet _ = run_test_tt_main suite',
    "operator": 'let _ = run_test_tt ~verbose:true ("f" >:: fun _ -> "3" @? (f 2 = 3))',
    "constructors": 'let suite = TestList [TestLabel ("f", TestCase (fun () -> assert_equal 3 (f 2)))]\n'
    "let _ = run_test_tt suite",
    "bracket": "let taken = bracket (fun () -> ref 2) (fun r -> assert_equal 3 (f !r)) ignore\n"
    'let _ = run_test_tt_main ("f" >:: taken)',
    "raises": "let g () = if f 2 = 3 then raise Not_found\n"
    'let _ = run_test_tt_main ("f" >:: fun () -> assert_raises Not_found g)',
    "in an expression": 'let () = OUnit.(if not (was_successful (run_test_tt ("f" >::\n'
    "  (fun () -> assert_equal 3 (f 2))))) then exit 1)",
}


def outcomes(report: CheckReport) -> list[Outcome]:
    return [result.outcome for result in report.results]


@pytest.mark.parametrize("reference", [None, RIGHT])
@pytest.mark.parametrize("tests", FIRST.values(), ids=FIRST)
def test_suites_of_the_first_version(
    check: Check, tests: str, reference: str | None
) -> None:
    """What OUnit 1 has a case is one, with a reference and without."""
    tests = tests if "OUnit." in tests else f"open OUnit\n{tests}"
    right, wrong = (
        outcomes(check(code, tests, reference=reference)) for code in (RIGHT, WRONG)
    )

    assert {Outcome.PASSED} == set(right)
    assert Outcome.FAILED is wrong[0]


@pytest.mark.parametrize("reference", [None, RIGHT])
@pytest.mark.parametrize(
    "never",
    [
        'let other = ["g" >:: (fun _ -> assert_equal 0 (f 2))]\n',
        'let case = fun _ -> assert_equal 0 (f 2)\nlet other = "g" >:: case\n'
        'let all = "all" >::: [other]\n',
        f"let other = {LIST}\n",
    ],
)
def test_cases_in_no_suite_that_is_run(
    check: Check, never: str, reference: str | None
) -> None:
    """They count as nothing: neither do they fail code nor do they earn it anything."""
    tests = f"open OUnit2\n{never}{RUN}"

    assert [Outcome.PASSED] == outcomes(check(RIGHT, tests, reference=reference))
    assert [Outcome.FAILED] == outcomes(check(WRONG, tests, reference=reference))


def test_no_suite_that_is_run(check: Check) -> None:
    """Tests that run none check nothing."""
    with pytest.raises(ProblemError, match="without an assertion"):
        check(RIGHT, f"open OUnit2\nlet suite = [{F}]")


@pytest.mark.parametrize(
    "again",
    [
        'let g x = f (f x)\nlet () = run_test_tt_main ("b" >:: fun _ -> assert_equal 4 (g 2))',
        "let three = f 2\n"
        'let () = run_test_tt_main ("b" >:: fun _ -> assert_equal 4 (f three))',
        f'let others = {LIST}\nlet () = run_test_tt_main ("b" >::: others)',
        f'let () = ignore (f 1)\nlet () = run_test_tt_main ("b" >::: {LIST})',
    ],
)
def test_suites_that_are_run_one_after_the_other(check: Check, again: str) -> None:
    """What stands between them may call the code, also where the cases are made while running."""
    tests = f"open OUnit2\n{RUN}{again}"
    right, wrong = (
        outcomes(check(code, tests, reference=RIGHT)) for code in (RIGHT, WRONG)
    )

    assert {Outcome.PASSED} == set(right)
    assert [Outcome.FAILED] * 2 == wrong[:2]
    assert len(right) == len(wrong)


def test_a_suite_that_is_run_for_its_results(check: Check) -> None:
    """A statement whose value is dropped is no boolean, though nothing says what a run returns."""
    tests = f'open OUnit2\nlet _ = run_test_tt_main ("a" >::: [{F}])'

    assert [Outcome.PASSED] == outcomes(check(RIGHT, tests))
