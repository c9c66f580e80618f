"""Credits and verdicts, read off a report by the ladders of a scheme."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ocaml_reward.model import (
    CheckReport,
    CheckResult,
    Credits,
    Outcome,
    Stage,
    Verdict,
)
from ocaml_reward.reading.extraction import Extraction, How
from ocaml_reward.reading.lexing import Source
from ocaml_reward.scheme import TypeInput, load
from ocaml_reward.scoring.credit import credits_with_reasons, verdict_for

SEED = load("seed")
PASSED = Outcome.PASSED
FAILED = Outcome.FAILED


def code(text: str = "let f x = x\n", *, ended: bool = True) -> Extraction:
    """Make the extraction of plain code."""
    return Extraction(
        source=Source(text),
        how=How.WHOLE,
        text=text,
        prose=text,
        end_marker_present=ended,
    )


def report(
    stage: Stage = Stage.EXECUTABLE,
    *outcomes: Outcome,
    errors: int | None = None,
    parsed: float | None = None,
    forbidden: tuple[str, ...] = (),
) -> CheckReport:
    """Make a report of an engine."""
    results = (
        CheckResult(index=index, line=index + 1, outcome=outcome)
        for index, outcome in enumerate(outcomes)
    )
    return CheckReport(
        stage=stage,
        type_errors=errors,
        parsed_share=parsed,
        forbidden=forbidden,
        results=tuple(results),
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (report(Stage.EXECUTABLE, PASSED, PASSED), (0.05, 0.2, 0.1, 0.65)),
        (report(Stage.EXECUTABLE, PASSED, FAILED), (0.05, 0.2, 0.1, 0.325)),
        (report(Stage.EXECUTABLE, FAILED, FAILED), (0.05, 0.2, 0.1, 0)),
        (report(Stage.LINK_ERROR, errors=0), (0.05, 0.2, 0.05, 0)),
        (report(Stage.INTERFACE_ERROR, errors=1), (0.05, 0.16, 0.01, 0)),
        (report(Stage.INTERFACE_ERROR, errors=0), (0.05, 0.16, 0.01, 0)),
        (report(Stage.TYPE_ERROR, errors=1), (0.05, 0.16, 0.01, 0)),
        (report(Stage.TYPE_ERROR, errors=3), (0.05, 0.08, 0.01, 0)),
        (report(Stage.TYPE_ERROR, errors=40), (0.05, 0.008, 0.01, 0)),
        (report(Stage.TYPE_ERROR), (0.05, 0.008, 0.01, 0)),
        (report(Stage.SYNTAX_ERROR, parsed=0.5), (0.05, 0.002, 0, 0)),
        (report(Stage.SYNTAX_ERROR, parsed=0.0), (0.05, 0, 0, 0)),
        (report(Stage.SYNTAX_ERROR), (0.05, 0, 0, 0)),
        (report(Stage.COMPILER_LIMIT), (0, 0, 0, 0)),
    ],
)
def test_each_stage_reads_its_ladders(given: CheckReport, expected: tuple[float, ...]) -> None:
    """Structure, types, compilation and tests are credited apart, by the scheme's numbers."""
    earned = credits_with_reasons(given, code(), 2, SEED).credits

    assert expected == pytest.approx((earned.structural, earned.type, earned.compile, earned.tests))


@pytest.mark.parametrize(
    ("errors", "fraction", "share"),
    [
        (0, 1.0, 1.0),
        (1, 1.0, 0.8),
        (1, 0.5, 0.7),
        (1, 0.0, 0.6),
        (2, 0.99, 0.598),
        (10, 0.5, 0.03),
        (99, 0.0, 0.02),
        (1, None, 0.8),
    ],
)
def test_the_typed_fraction_lies_between_two_rungs(
    errors: int, fraction: float | None, share: float
) -> None:
    """More errors never earn more; with equal errors, more typed code does."""
    given = replace(report(Stage.TYPE_ERROR, errors=errors), typed_fraction=fraction)
    ladder = replace(SEED.type, input=TypeInput.TYPED_FRACTION)

    assert share == pytest.approx(ladder.share(errors, fraction))
    if errors:
        earned = credits_with_reasons(given, code(), 2, replace(SEED, type=ladder)).credits
        assert 0.2 * share == pytest.approx(earned.type)


@pytest.mark.parametrize(
    ("stage", "total"),
    [(Stage.EXECUTABLE, 0.35), (Stage.TYPE_ERROR, 0.22), (Stage.LINK_ERROR, 0.3)],
)
def test_forbidden_code_earns_no_test_credit(stage: Stage, total: float) -> None:
    """Unsafe code keeps the credit of its stage; its tests count for nothing."""
    given = report(stage, PASSED, PASSED, errors=1, forbidden=("Obj.magic",))

    assert total == pytest.approx(credits_with_reasons(given, code(), 2, SEED).credits.total)
    assert Verdict.FORBIDDEN is verdict_for(given, code(), 2)


def test_the_end_marker_alone_is_worth_its_credit() -> None:
    given = report(Stage.TYPE_ERROR, errors=1)

    assert 0.05 == credits_with_reasons(given, code(ended=True), 2, SEED).credits.structural
    assert 0 == credits_with_reasons(given, code(ended=False), 2, SEED).credits.structural


def test_an_end_marker_behind_no_program_earns_nothing() -> None:
    """Text in which nothing parses and nothing is defined gets no structural credit."""
    prose = code("The answer is simple\nand follows at once\n(* END *)\n")

    assert Credits() == credits_with_reasons(report(Stage.SYNTAX_ERROR), prose, 2, SEED).credits


@pytest.mark.parametrize("text", ["", " \n", "(* let f x = x *)\n"])
def test_no_code_earns_nothing(text: str) -> None:
    """An answer of blanks and comments has no code, whatever else it has."""
    given = report(Stage.EXECUTABLE, PASSED)

    assert Credits() == credits_with_reasons(given, code(text), 1, SEED).credits
    assert Verdict.NO_CODE is verdict_for(given, code(text), 1)
    assert Verdict.NO_CODE is verdict_for(None, code(), 1)


def test_a_problem_without_checks_gives_no_free_credit() -> None:
    given = report(Stage.EXECUTABLE)

    assert 0 == credits_with_reasons(given, code(), 0, SEED).credits.tests
    assert Verdict.PASSED is not verdict_for(given, code(), 0)


def test_checks_that_did_not_report_have_failed() -> None:
    """A short list of results is credited against the number of checks expected."""
    given = report(Stage.EXECUTABLE, PASSED)

    assert 0.1625 == pytest.approx(credits_with_reasons(given, code(), 4, SEED).credits.tests)
    assert Verdict.RUNTIME_ERROR is verdict_for(given, code(), 4)


@pytest.mark.parametrize(
    ("stage", "verdict"),
    [
        (Stage.SYNTAX_ERROR, Verdict.SYNTAX_ERROR),
        (Stage.TYPE_ERROR, Verdict.TYPE_ERROR),
        (Stage.INTERFACE_ERROR, Verdict.INTERFACE_ERROR),
        (Stage.LINK_ERROR, Verdict.LINK_ERROR),
        (Stage.COMPILER_LIMIT, Verdict.COMPILER_LIMIT),
    ],
)
def test_a_stage_names_its_verdict(stage: Stage, verdict: Verdict) -> None:
    """What stops before it runs is named by where it stopped."""
    assert verdict is verdict_for(report(stage), code(), 3)


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ((PASSED, PASSED, PASSED), Verdict.PASSED),
        ((PASSED, FAILED, PASSED), Verdict.FAILED_TESTS),
        ((FAILED, Outcome.RAISED, PASSED), Verdict.RUNTIME_ERROR),
        ((FAILED, Outcome.EXITED, Outcome.NOT_RUN), Verdict.RUNTIME_ERROR),
        ((PASSED, Outcome.STACK_OVERFLOW, FAILED), Verdict.RUNTIME_ERROR),
        ((Outcome.RAISED, Outcome.CRASHED, FAILED), Verdict.CRASHED),
        ((Outcome.CRASHED, Outcome.OUTPUT_LIMIT, PASSED), Verdict.OUTPUT_LIMIT),
        ((Outcome.OUTPUT_LIMIT, Outcome.TIMED_OUT, PASSED), Verdict.TIMED_OUT),
        ((Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY, PASSED), Verdict.OUT_OF_MEMORY),
        ((FAILED, Outcome.NOT_RUN, Outcome.NOT_RUN), Verdict.FAILED_TESTS),
        ((Outcome.TIMED_OUT, Outcome.NOT_RUN, PASSED), Verdict.TIMED_OUT),
        ((Outcome.NOT_RUN, Outcome.NOT_RUN, Outcome.NOT_RUN), Verdict.RUNTIME_ERROR),
    ],
)
def test_the_gravest_outcome_names_the_verdict(
    outcomes: tuple[Outcome, ...], verdict: Verdict
) -> None:
    """Of several outcomes the gravest is named; checks not run follow what caused it."""
    assert verdict is verdict_for(report(Stage.EXECUTABLE, *outcomes), code(), 3)
