"""Checks that have to be decided beside the code are, and by the assertion itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward import Problem
from ocaml_reward.engine import BUDGET, CheckReport, CheckRequest, PreparedTests
from ocaml_reward.engine.messages.values import ReturnedValue
from ocaml_reward.engine.prepare.preparation import prepare_tests
from ocaml_reward.model import CheckResult, Outcome, Stage

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED


REWRITTEN = [
    b"ok", b"whole", b"f", b"false", b"query", b"oracle", b"false", b"",
    b"", b"", b"", b"", b"false", b"false", b"false", b"", b"", b"", b"", b"", b"false", b"",
    b"as written", b"", b"",
    b"1 0 1 9", b"f 1 = 1", b"(compare = (returned 0) (expected 0))", b"f", b"",
]  # fmt: skip


def prepared_with(check: Callable[[CheckRequest], CheckReport]) -> PreparedTests:
    return prepare_tests(
        Problem(id="p", tests="let () = assert (f 1 = 1)", reference="let f x = x"),
        rewrite=lambda _: REWRITTEN,
        complete=lambda request: (request, ()),
        attempt=lambda *_: (CheckReport(stage=Stage.EXECUTABLE, type_errors=0), ()),
        compute=lambda *_: {0: {0: ReturnedValue("1")}},
        check=check,
        budget=BUDGET,
    )


def reported(outcome: Outcome) -> CheckReport:
    result = CheckResult(index=1, line=1, outcome=outcome)
    return CheckReport(stage=Stage.EXECUTABLE, type_errors=0, results=(result,))


def test_checks_that_cannot_be_asked_are_decided_beside() -> None:
    """A reference that gets nowhere where checks are judged outside agrees with nothing."""

    def check(request: CheckRequest) -> CheckReport:
        if request.tests.outside is None:
            return reported(PASSED)
        return CheckReport(stage=Stage.INTERFACE_ERROR, type_errors=1)

    assert prepared_with(check).outside is None


@pytest.mark.parametrize(("outcome", "tried"), [(PASSED, {True}), (FAILED, {True, False})])
def test_only_what_fails_outside_is_tried_beside(outcome: Outcome, tried: set[bool]) -> None:
    """Where a reference passes every check as it will be judged, nothing else needs a run."""
    outside: set[bool] = set()

    def check(request: CheckRequest) -> CheckReport:
        outside.add(request.tests.outside is not None)
        return reported(outcome)

    prepared_with(check)

    assert tried == outside
