"""The fake engine and the builders, which other projects' tests may rely on."""

from __future__ import annotations

import pytest

from ocaml_reward import EngineFault, Grader, ProblemError, StdioCase, Verdict
from ocaml_reward.engine import Engine
from ocaml_reward.testing import FakeEngine, completion, diagnostic, problem, report

WRONG = "let add x y = x - y"


def test_a_fake_engine_is_an_engine() -> None:
    """Everything above the engine is real, so the defaults earn every check."""
    engine: Engine = FakeEngine()

    with Grader("concise", engine=engine, jobs=1) as grader:
        breakdown = grader.grade(problem(), completion())

    assert 1.0 == breakdown.reward
    assert "fake" == breakdown.engine


def test_answers_by_code() -> None:
    """Code is looked up without the blanks around it, and what is unknown is answered with
    `otherwise`.
    """
    engine = FakeEngine({WRONG: report("failed")}, otherwise=report("timed_out"))

    with Grader("concise", engine=engine, jobs=1) as grader:
        known = grader.grade(problem(), completion(f"\n{WRONG}\n"))
        unknown = grader.grade(problem(), completion("let add = ( + )"))

    assert Verdict.FAILED_TESTS == known.verdict
    assert Verdict.TIMED_OUT == unknown.verdict
    assert [WRONG, "let add = ( + )"] == [request.code.strip() for request in engine.requests]
    assert 1 == engine.closed


def test_answers_by_function() -> None:
    engine = FakeEngine(lambda request: report(*["passed"] * len(request.tests.checks)))
    twice = problem(tests="assert true;;\nassert true")

    with Grader("concise", engine=engine, jobs=1) as grader:
        breakdown = grader.grade(twice, completion())

    assert 2 == breakdown.tests.passed


def test_a_failing_machine() -> None:
    """An answer that is an exception is raised, which the grader tries three times."""
    engine = FakeEngine(otherwise=EngineFault("died"))

    with Grader("concise", engine=engine, jobs=1) as grader:
        breakdown = grader.grade(problem(), completion())

    assert breakdown.reward is None
    assert 3 == len(engine.requests)


def test_preparing() -> None:
    """Each line with an assertion is a check, each case too, and none is an error."""
    engine = FakeEngine()
    cases = (StdioCase(stdin="1", stdout="2"),) * 2

    assert [2, 4] == [
        check.line for check in engine.prepare(problem(tests="\nassert a\n\nassert b")).checks
    ]
    assert 2 == len(engine.prepare(problem(tests=cases)).checks)
    with pytest.raises(ProblemError, match="'add': its tests hold no check"):
        engine.prepare(problem(tests="let x = 1"))


@pytest.mark.parametrize(
    ("stage", "expected"),
    [("executable", 0), ("type_error", 1), ("syntax_error", None), ("link_error", 0)],
)
def test_reports_hold_together(stage: str, expected: int | None) -> None:
    """A report without a count of type errors has that of its stage."""
    assert expected == report(stage=stage).type_errors


def test_diagnostics() -> None:
    """A diagnostic without columns is about whole lines."""
    found = diagnostic("bad", line=2, columns=None, end_line=3)

    assert found.span is not None
    assert (2, 3, None, None) == (
        found.span.line,
        found.span.end_line,
        found.span.column,
        found.span.end_column,
    )
