"""Checks that say several things of one value: of one answer, whatever the process claims."""

from __future__ import annotations

from collections.abc import Callable

from ocaml_reward.engine import BUDGET, CheckReport
from ocaml_reward.model import Outcome

Check = Callable[..., CheckReport]

PASSED = Outcome.PASSED


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
