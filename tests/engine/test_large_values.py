"""What a program hands out is bounded, in both engines alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ocaml_reward.engine import BUDGET, CheckReport, Engine
from ocaml_reward.model import Budget, Outcome, Problem

Check = Callable[..., CheckReport]

CODE = "let f n = List.init n Fun.id"
# A list of n numbers takes about 12 n bytes where a predicate looks into it.
UP = "let rec up = function a :: (b :: _ as t) -> a <= b && up t | _ -> true\n"
LARGE = "assert (up (f 400_000))"
# Of time there is enough: the limit that is met is the other.
AMPLE = Budget(check_cpu_s=5.0)


def test_values_of_some_megabytes_are_judged(check: Check) -> None:
    """Two lists of 400,000 numbers are less than what a program may hand out."""
    report = check(CODE, UP + "let () = " + "; ".join([LARGE] * 2), budget=AMPLE)

    assert [Outcome.PASSED] * 2 == [each.outcome for each in report.results]


def test_more_than_that_is_an_output_limit(check: Check) -> None:
    """The check whose value does not fit any more is named for what stopped it."""
    report = check(CODE, UP + "let () = " + "; ".join([LARGE] * 3), budget=AMPLE)

    assert Outcome.OUTPUT_LIMIT == report.results[2].outcome
    assert "12 MB" in report.results[2].detail


def test_a_reference_that_hands_out_so_much_is_judged_beside(engine: Engine) -> None:
    """Checks that right code could not pass outside are decided beside the code."""
    tests = UP + "let () = " + "; ".join([LARGE] * 3)
    prepared = engine.prepare(Problem(id="p", tests=tests, reference=CODE))

    assert {2} <= set(prepared.in_process)


def test_nobody_rebuilds_a_value_that_was_cut(check: Check) -> None:
    """To find that out by rebuilding it takes seconds, and on a busy machine more than there are."""
    tests = "let () = assert (let l = f 700_000 in l <> [] && List.hd l = 0)"
    code = "let f n = List.init n Fun.id"

    result = check(code, tests, budget=replace(BUDGET, check_cpu_s=BUDGET.tests_cpu_s)).results[0]

    assert Outcome.RAISED is result.outcome
    assert "too long to leave the process" in result.detail
