"""Whether a reference is sound: one answer for `validate` and for training data."""

from __future__ import annotations

import pytest

from ocaml_reward import Breakdown, EngineFault, Grader, MachineError
from ocaml_reward.auditing import reference_failures
from ocaml_reward.testing import (
    Answer,
    FakeEngine,
    completion,
    diagnostic,
    problem,
    report,
)

CASES: list[tuple[Answer, tuple[str, ...]]] = [
    (report("passed", "passed"), ()),
    (
        report("passed", "timed_out"),
        ("the reference does not pass: timed_out",),
    ),
    (report(forbidden=["Obj"]), ("the reference is a forbidden: Obj",)),
    (
        report(stage="type_error", type_errors=1, diagnostics=[diagnostic("no")]),
        ("the reference is a type_error: no",),
    ),
    (report(stage="compiler_limit"), ("the reference is a compiler_limit",)),
]


def graded(answer: Answer) -> Breakdown:
    """Grade a reference about which the engine answers so."""
    tests = "assert (f 1 = 1)\nassert (f 2 = 2)"
    with Grader(engine=FakeEngine(otherwise=answer), jobs=1) as grader:
        return grader.grade(problem(tests=tests), completion())


@pytest.mark.parametrize(("answer", "expected"), CASES)
def test_what_is_wrong_is_said(answer: Answer, expected: tuple[str, ...]) -> None:
    """Each failed check, else what the compiler or the scan had against it."""
    assert expected == tuple(each.message for each in reference_failures(graded(answer)))


def test_a_machine_that_fails_says_nothing_of_the_reference() -> None:
    """Its failure is raised."""
    with pytest.raises(MachineError, match="out of order"):
        reference_failures(graded(EngineFault("out of order")))
