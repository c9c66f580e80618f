"""
Why each part earned what it did, as `account` says it beside the credits.
"""

from __future__ import annotations

import pytest

from ocaml_reward.model import CheckReport, Outcome, Stage
from ocaml_reward.reasons import Reason, Why
from ocaml_reward.scheme import load
from ocaml_reward.scoring.credit import account
from tests.test_credit import code, report

SEED = load("seed")
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
def test_the_reason_of_the_tests(
    given: CheckReport, expected: dict[str, object]
) -> None:
    """
    The tests' part says how many checks passed, or why none was run.
    """
    reason = account(given, code(), 2, SEED).reasons.tests

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
def test_the_reason_of_the_types(
    given: CheckReport, expected: tuple[object, ...]
) -> None:
    """
    The types' part says which errors count, and which rung of the ladder was read.
    """
    reason = account(given, code(), 2, SEED).reasons.type

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
    """
    The structural part says whether the end marker stands, and why it is not paid.
    """
    found = account(given, code(text, ended=ended), 2, SEED, degenerate=degenerate)

    assert expected is found.reasons.structural.code
    assert (0.05 if expected is Why.END_MARKER else 0) == found.credits.structural
