"""The grader keeps order, checks equal code once, and keeps the failure worlds apart."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ocaml_reward import (
    Completion,
    EngineFault,
    Grader,
    JailFault,
    MachineError,
    Problem,
    ProblemError,
    Verdict,
)
from ocaml_reward.engine import CheckReport, CheckRequest, allowance
from ocaml_reward.model import SCHEMA
from ocaml_reward.scheme import load, with_overrides
from ocaml_reward.testing import FakeEngine, all_passed, problem

PROBLEM = Problem(id="p", tests="let () = assert (f 1 = 1)")
CODE = "let f x =\n  let y = x in\n  y\n"


def completions(count: int) -> list[tuple[Problem, Completion]]:
    return [(PROBLEM, Completion(text=f"{CODE}(* {n} *)")) for n in range(count)]


@pytest.mark.parametrize("jobs", [1, 2, 8])
def test_results_come_in_the_order_of_the_input(jobs: int) -> None:
    """However long each completion takes, the stream keeps its order."""

    def answer(request: CheckRequest) -> CheckReport:
        time.sleep(0.02 if "(* 0 *)" in request.code else 0)
        return all_passed(request)

    with Grader("concise", engine=FakeEngine(answer), jobs=jobs) as grader:
        codes = [b.code for b in grader.grade_many(completions(20))]

    assert [c.text.strip() for _, c in completions(20)] == [c.strip() for c in codes]


def test_equal_code_for_a_problem_is_checked_once() -> None:
    """A group that answers alike costs one check, at any number of workers."""
    engine = FakeEngine()
    same = [(PROBLEM, Completion(text=CODE))] * 50
    with Grader("concise", engine=engine, jobs=8) as grader:
        rewards = {b.reward for b in grader.grade_many(same)}

    assert {1.0} == rewards
    assert 1 == len(engine.requests)


def test_a_stream_is_read_only_a_little_ahead() -> None:
    """A hundred thousand completions are never all in memory."""
    read = 0

    def endless() -> Iterator[tuple[Problem, Completion]]:
        nonlocal read
        for pair in completions(10_000):
            read += 1
            yield pair

    with Grader("concise", engine=FakeEngine(), jobs=2) as grader:
        results = grader.grade_many(endless())
        for _ in range(10):
            next(results)
        results.close()

    assert read < 200


@pytest.mark.parametrize("error", [EngineFault("died"), JailFault("refused")])
def test_a_machine_that_always_fails_is_a_fault_and_no_reward(
    error: MachineError,
) -> None:
    """The machine's failure is neither a zero nor an exception."""
    with Grader("seed", engine=FakeEngine(otherwise=error), jobs=1) as grader:
        breakdown = grader.grade(PROBLEM, Completion(text=CODE))

    assert breakdown.reward is None
    assert Verdict.UNGRADED == breakdown.verdict
    assert breakdown.fault is not None
    assert type(error).__name__ == breakdown.fault.kind
    assert (CODE, 1) == (breakdown.code, breakdown.tests.total)


def test_a_failure_of_the_machine_is_tried_again() -> None:
    """A completion is tried three times before it is left unscored."""
    attempts = 0

    def answer(request: CheckRequest) -> CheckReport:
        nonlocal attempts
        attempts += 1
        if attempts < 3:
            raise EngineFault("died")
        return all_passed(request)

    with Grader("concise", engine=FakeEngine(answer), jobs=1) as grader:
        breakdown = grader.grade(PROBLEM, Completion(text=CODE))

    assert 1.0 == breakdown.reward
    assert 3 == attempts


def test_a_fault_is_not_remembered() -> None:
    """Equal code after a fault is tried anew."""
    broken = True

    def answer(request: CheckRequest) -> CheckReport:
        if broken:
            raise EngineFault("died")
        return all_passed(request)

    with Grader("concise", engine=FakeEngine(answer), jobs=1) as grader:
        first = grader.grade(PROBLEM, Completion(text=CODE))
        broken = False
        second = grader.grade(PROBLEM, Completion(text=CODE))

    assert (None, 1.0) == (first.reward, second.reward)


def test_a_problem_without_tests_raises_and_gives_no_credit() -> None:
    """Nothing can be earned from tests that check nothing."""
    with (
        Grader("seed", engine=FakeEngine(), jobs=1) as grader,
        pytest.raises(ProblemError),
    ):
        grader.grade(Problem(id="p", tests=""), Completion(text=CODE))


def test_without_code_the_engine_is_not_asked() -> None:
    """An empty completion has a verdict of its own, and all checks are still counted."""
    engine = FakeEngine()
    with Grader("seed", engine=engine, jobs=1) as grader:
        breakdown = grader.grade(PROBLEM, Completion(text="```ocaml\n```"))

    assert (Verdict.NO_CODE, 0.0) == (breakdown.verdict, breakdown.reward)
    assert 1 == breakdown.tests.total
    assert [] == engine.requests


def test_an_interrupt_stops_the_engine() -> None:
    """What ends the stream from outside also ends what it started."""
    engine = FakeEngine()

    def interrupted() -> Iterator[tuple[Problem, Completion]]:
        yield from completions(3)
        raise KeyboardInterrupt

    # Graders of other tests may have some, too.
    before = set(threading.enumerate())
    grader = Grader("seed", engine=engine, jobs=2)
    with pytest.raises(KeyboardInterrupt):
        list(grader.grade_many(interrupted()))

    assert 1 == engine.closed
    threads = set(threading.enumerate()) - before
    for each in threads:
        each.join(timeout=30)
    assert not any(each.is_alive() for each in threads)


def test_problems_are_prepared_within_the_budget_of_the_scheme() -> None:
    """Another scheme's grader remembers what was prepared only where the budgets are equal."""
    engine, seed = FakeEngine(), load("seed")
    other = with_overrides(seed, ["budget.tests_cpu_s=1"])
    grader = Grader(seed, engine=engine, jobs=1)
    for each in (grader, grader.under(load("concise")), grader.under(other)):
        each.prepare(problem())

    budgets = [allowance(problem(), each.budget) for each in (seed, other)]
    assert budgets == engine.budgets


def test_a_scheme_may_be_given_as_a_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "seed"\nmin_lines = 3\n', "utf-8")
    found = [
        Grader(each, engine=FakeEngine(), jobs=1).scheme for each in (path, str(path), load(path))
    ]

    assert {load(path)} == {*found}


def test_arguments_that_no_grader_can_have() -> None:
    """An unknown engine and a number of jobs below one are refused before anything is graded."""
    with pytest.raises(ValueError, match="no engine 'fast'; there are auto, warm, stock"):
        Grader(engine="fast")
    with pytest.raises(ValueError, match="jobs: at least 1, found 0"):
        Grader(engine=FakeEngine(), jobs=0)


def test_an_engine_by_name() -> None:
    with Grader("concise", engine="stock", jobs=1) as grader:
        found = grader.grade(PROBLEM, Completion(text=CODE))

    assert ("stock", Verdict.PASSED) == (found.engine, found.verdict)


def test_a_text_is_a_completion() -> None:
    """A plain text is taken for the completion, one by one and in a stream."""
    with Grader("concise", engine=FakeEngine(), jobs=2) as grader:
        one = grader.grade(PROBLEM, CODE)
        stream = list(grader.grade_many([(PROBLEM, CODE), (PROBLEM, Completion(text=CODE))]))

        with pytest.raises(TypeError, match="expected a Completion or its text, found bytes"):
            grader.grade(PROBLEM, CODE.encode())  # type: ignore[arg-type]

    assert [one, one] == stream


def test_a_closed_grader_says_so() -> None:
    """After the end of its block a grader, and one that shares its engine, grades nothing."""
    with Grader("concise", engine=FakeEngine(), jobs=1) as grader:
        other = grader.under(load("seed"))

    for closed in (grader, other):
        with pytest.raises(ValueError, match="this grader is closed"):
            closed.prepare(PROBLEM)
        with pytest.raises(ValueError, match="this grader is closed"):
            closed.grade(PROBLEM, CODE)
        with pytest.raises(ValueError, match="this grader is closed"):
            closed.quick_attempt(PROBLEM, CODE)
        with pytest.raises(ValueError, match="this grader is closed"):
            next(closed.grade_many([(PROBLEM, CODE)]))


def test_a_breakdown_is_a_record() -> None:
    """`to_dict` gives plain values, those that `score` writes."""
    with Grader("concise", engine=FakeEngine(), jobs=1) as grader:
        record = grader.grade(PROBLEM, CODE).to_dict()

    assert record == json.loads(json.dumps(record))
    assert (SCHEMA, "p", 1.0) == (record["schema"], record["problem_id"], record["reward"])


def test_what_is_no_problem_is_named() -> None:
    with Grader("concise", engine=FakeEngine()) as grader:
        with pytest.raises(TypeError, match="expected a Problem, found str"):
            grader.grade("half", CODE)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="expected a Problem, found dict"):
            grader.grade({"id": "half"}, CODE)  # type: ignore[arg-type]
