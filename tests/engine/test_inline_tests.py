"""Tests of ppx_inline_test: `let%test`, `let%test_unit`, `let%test_module`."""

from __future__ import annotations

from ocaml_reward import Problem
from ocaml_reward.engine import Engine


def test_they_are_judged_outside_and_named_by_their_line(engine: Engine) -> None:
    """A test is what an assertion of the same is."""
    tests = 'let%test "a" = f 1 = 1\nlet%test_unit "b" =\n  assert (f 2 = 2); assert (f 3 = 3)'
    prepared = engine.prepare(Problem(id="p", tests=tests))

    assert [1, 2] == [check.line for check in prepared.checks]
    assert {} == prepared.in_process
