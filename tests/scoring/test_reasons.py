"""Why each part earned what it did, as `credits_with_reasons` says it beside the credits."""

from __future__ import annotations

import pytest

from ocaml_reward.model import CheckReport, Outcome, Stage
from ocaml_reward.reasons import Reason, Why
from ocaml_reward.scheme import load
from ocaml_reward.scoring.credit import credits_with_reasons
from tests.scoring.test_credit import code, report

SEED = load("seed")
DECISIVE = load("decisive")
PASSED = Outcome.PASSED
FAILED = Outcome.FAILED


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            report(Stage.EXECUTABLE, PASSED, FAILED),
            {"code": Why.CHECKS, "passed": 1, "total": 2},
        ),
        (report(forbidden=("Obj.magic",)), {"code": Why.FORBIDDEN}),
        (report(Stage.LINK_ERROR), {"code": Why.LINK_ERROR}),
        (report(Stage.TYPE_ERROR, errors=1), {"code": Why.TYPE_ERROR}),
        (report(Stage.COMPILER_LIMIT), {"code": Why.COMPILER_LIMIT}),
    ],
)
def test_the_reason_of_the_tests(given: CheckReport, expected: dict[str, object]) -> None:
    """The tests' part says how many checks passed, or why none was run."""
    reason = credits_with_reasons(given, code(), 2, SEED).reasons.tests

    assert Reason(available=0.65, **expected) == reason  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (report(), (Why.ERRORS, 0, 0, 1.0)),
        (report(Stage.TYPE_ERROR, errors=3), (Why.ERRORS, 3, 3, 0.4)),
        (report(Stage.TYPE_ERROR, errors=40), (Why.ERRORS, 40, 10, 0.04)),
        (report(Stage.TYPE_ERROR), (Why.UNCOUNTED, None, 10, 0.04)),
        (report(Stage.INTERFACE_ERROR, errors=0), (Why.ERRORS, 1, 1, 0.8)),
        (report(Stage.SYNTAX_ERROR, parsed=0.5), (Why.SYNTAX_ERROR, None, None, 0.01)),
        (report(Stage.COMPILER_LIMIT), (Why.COMPILER_LIMIT, None, None, None)),
    ],
)
def test_the_reason_of_the_types(given: CheckReport, expected: tuple[object, ...]) -> None:
    """The types' part says which errors count, and which rung of the ladder was read."""
    reason = credits_with_reasons(given, code(), 2, SEED).reasons.type

    assert expected == (reason.code, reason.errors, reason.rung, reason.share)


@pytest.mark.parametrize(
    ("given", "text", "ended", "degenerate", "expected"),
    [
        (report(), "let x = 1", True, False, Why.END_MARKER),
        (report(), "let x = 1", False, False, Why.NO_END_MARKER),
        (report(), "let x = 1", False, True, Why.NO_END_MARKER),
        (report(), "let x = 1", True, True, Why.DEGENERATE),
        (report(Stage.SYNTAX_ERROR), "let x = ", True, False, Why.END_MARKER),
        (report(Stage.SYNTAX_ERROR), "] x", True, False, Why.NO_PROGRAM),
        (None, "(* x *)", True, False, Why.NO_PROGRAM),
        (report(Stage.COMPILER_LIMIT), "let x = 1", True, False, Why.COMPILER_LIMIT),
    ],
)
def test_the_reason_of_the_structure(
    given: CheckReport | None,
    text: str,
    expected: Why,
    *,
    ended: bool,
    degenerate: bool,
) -> None:
    """The structural part says whether the end marker stands, and why it is not paid."""
    found = credits_with_reasons(given, code(text, ended=ended), 2, SEED, degenerate=degenerate)

    assert expected is found.reasons.structural.code
    assert (0.05 if expected is Why.END_MARKER else 0) == found.credits.structural


@pytest.mark.parametrize(
    ("given", "earned", "expected"),
    [
        (
            report(Stage.EXECUTABLE, PASSED, PASSED),
            0.8,
            {"code": Why.SOLVED, "passed": 2, "total": 2},
        ),
        (
            report(Stage.EXECUTABLE, PASSED, FAILED),
            0,
            {"code": Why.UNSOLVED, "passed": 1, "total": 2},
        ),
        (
            report(Stage.EXECUTABLE, PASSED),
            0,
            {"code": Why.UNSOLVED, "passed": 1, "total": 2},
        ),
        (report(Stage.EXECUTABLE, PASSED, PASSED, forbidden=("Obj.magic",)), 0, None),
        (report(Stage.TYPE_ERROR, errors=1), 0, None),
        (report(Stage.COMPILER_LIMIT), 0, None),
        (None, 0, None),
    ],
)
def test_the_reason_of_a_solved_problem(
    given: CheckReport | None, earned: float, expected: dict[str, object] | None
) -> None:
    """A scheme that pays for it pays all where every check passes, and else says why not, as
    the tests' part does where no check was run.
    """
    found = credits_with_reasons(given, code(), 2, DECISIVE)
    reason = found.reasons.solved
    same = {"code": found.reasons.tests.code}

    assert earned == found.credits.solved
    assert Reason(available=0.8, **(expected or same)) == reason


def test_no_checks_are_no_solved_problem() -> None:
    found = credits_with_reasons(report(), code(), 0, DECISIVE)

    assert Reason(code=Why.NO_CHECKS, available=0.8) == found.reasons.solved
    assert 0 == found.credits.solved


def test_a_scheme_that_pays_nothing_for_it_has_no_such_reason() -> None:
    """The default has the four parts that it always had."""
    found = credits_with_reasons(report(Stage.EXECUTABLE, PASSED, PASSED), code(), 2, SEED)

    assert found.reasons.solved is None
    assert 0 == found.credits.solved
