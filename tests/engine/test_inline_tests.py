"""Tests of ppx_inline_test: `let%test`, `let%test_unit`, `let%test_module`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward import Problem
from ocaml_reward.engine import CheckReport, Engine

Check = Callable[..., CheckReport]

# Right for 1 alone.
HALF_RIGHT = 'let f x = if x = 0 then failwith "zero" else if x = 1 then 1 else 9'
RIGHT = "let f x = x"


@pytest.mark.parametrize(
    ("tests", "outcomes"),
    [
        ('let%test "one" = f 1 = 1\nlet%test _ = f 2 = 2', "passed failed"),
        ('let%test "one" [@tags "slow"] = f 1 = 1', "passed"),
        ("let%test (_ : string) = f 0 = 0", "raised"),
        ('[%%test let "one" = f 1 = 1]\nlet%inline_test.test _ = f 2 = 2', "passed failed"),
        ("let%test_unit _ = assert (f 1 = 1); assert (f 2 = 2)", "failed"),
        ("let%test_unit _ = assert (f 1 = 1); assert (f 1 < 2)", "passed"),
        ('let%test_unit "ends" = ignore (f 1)\nlet%test_unit _ = ignore (f 0)', "passed raised"),
        ('let%test_unit _ = if f 2 <> 2 then failwith "two"', "raised"),
        ("let%test_unit _ = let x = f 2 in ignore x; assert (x = 2)", "failed"),
        ("let%test_unit _ = let open List in iter (fun x -> assert (f x = x)) [1; 2]", "failed"),
        ("let%test_unit _ = assert (f 1 = 1); assert false", "failed"),
        (
            'let%test_module "all" = (module struct\n  let one = 1\n  let%test _ = f one = one\n'
            '  let%test_module _ = (module struct let%test _ = f 2 = 2 end)\n'
            "  let () = assert (f 1 = 1)\nend)",
            "passed failed passed",
        ),
        ('module T = struct let%test "in" = f 1 = 1 end', "passed"),
        ("let%test_unit _ = [%test_eq: int] (f 1) 1; [%test_eq: int list] [f 2] [2]", "failed"),
        ('let%test_unit _ = [%test_result: int] (f 1) ~expect:1 ~message:"m"', "passed"),
        ("let%test_unit _ = [%test_pred: int] (fun x -> x = 2) (f 2)", "failed"),
        ('module%test T = struct let one = 1 let%test "x" = f one = 1 end', "passed"),
        ('let want = 1\nlet%test "w" = (f 1 = want)\nlet () = assert (f 2 = 2)', "passed failed"),
    ],
)  # fmt: skip
def test_each_is_a_check(check: Check, tests: str, outcomes: str) -> None:
    """What has to be true, or to return, is asserted; with no library."""
    report = check(HALF_RIGHT, tests)

    assert outcomes.split() == [result.outcome for result in report.results]
    if "assert false" not in tests:
        assert {"passed"} == {result.outcome for result in check(RIGHT, tests).results}


def test_they_are_judged_outside_and_named_by_their_line(engine: Engine) -> None:
    """A test is what an assertion of the same is."""
    tests = 'let%test "a" = f 1 = 1\nlet%test_unit "b" =\n  assert (f 2 = 2); assert (f 3 = 3)'
    prepared = engine.prepare(Problem(id="p", tests=tests))

    assert [1, 2] == [check.line for check in prepared.checks]
    assert {} == prepared.in_process
