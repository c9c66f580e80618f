"""The longest completions are read in seconds, and longer ones not at all.

That reading takes operations in proportion to the length is counted in tests/linear.
"""

from __future__ import annotations

import gc
import time
from dataclasses import replace

import pytest

from ocaml_reward import Completion, Grader, Problem, Verdict
from ocaml_reward.engine import (
    BUDGET,
    Budget,
    CheckReport,
    CheckRequest,
    PreparedTests,
)
from ocaml_reward.reading.extraction import MOST_CHARACTERS
from ocaml_reward.record import breakdown_to_dict, dumps
from ocaml_reward.testing import FakeEngine, diagnostic, report
from tests.hostile_texts import shape

PROMPT = "Write f.\n\nlet f (x : int) : int ="
UNPARSED = Problem(id="unparsed", tests="let () = assert (f 1 = 1)", prompt=PROMPT)
ILL_TYPED = replace(UNPARSED, id="ill-typed", tests="let () = assert (f 2 = 2)")
# Of each part that reads a completion the shapes that keep it longest.
SLOWEST = [
    "quoted strings, in an answer",
    "lines of lets, in an answer",
    "locals of the answer",
]


class Asking(FakeEngine):
    """An engine whose tests use `f`."""

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        """Ask for `f`."""
        return replace(super().prepare(problem, budget), uses=("f",))


def answer(request: CheckRequest) -> CheckReport:
    """Find that nothing parses, or twenty mistakes in what does."""
    if "f 1" in request.tests.checks[0].source:
        return report(stage="syntax_error")
    lines = request.code.count("\n") + 1
    mistakes = [diagnostic("no", line=1 + lines * n // 20) for n in range(20)]
    return report(stage="type_error", diagnostics=mistakes)


def seconds(text: str) -> float:
    """Grade a completion in two ways and write its records; return the seconds of CPU."""
    # What other tests have left is not collected in between.
    gc.disable()
    try:
        started = time.process_time()
        with Grader("seed", engine=Asking(answer), jobs=1) as grader:
            for problem in (UNPARSED, ILL_TYPED):
                breakdown = grader.grade(problem, Completion(text=text))
                dumps(breakdown_to_dict(breakdown))
        return time.process_time() - started
    finally:
        gc.enable()


@pytest.mark.parametrize("name", SLOWEST)
def test_the_longest_that_is_read_takes_seconds(name: str) -> None:
    """At the bound a completion takes seconds, where one quadratic step takes hours."""
    text = shape(name, MOST_CHARACTERS - 1000)

    assert seconds(text) < 60


def test_a_longer_completion_is_not_compiled() -> None:
    """One character more than the bound has a verdict and a reason, and asks no engine."""
    engine = Asking(answer)
    code = "let f x = x\n"
    text = code + " " * (MOST_CHARACTERS - len(code))
    with Grader("concise", engine=engine, jobs=1) as grader:
        longest = grader.grade(ILL_TYPED, Completion(text=text))
        longer = grader.grade(ILL_TYPED, Completion(text=f"{text}\n"))

    assert (Verdict.TYPE_ERROR, text) == (longest.verdict, longest.code)
    assert (Verdict.COMPILER_LIMIT, 0.0) == (longer.verdict, longer.reward)
    assert longer.fault is None
    assert 1 == len(engine.requests)
    message = "The completion has more than 2,000,000 characters."
    assert [message] == [each.message for each in longer.diagnostics]


def test_no_more_is_read_of_a_longer_completion() -> None:
    """What stands behind the bound is not looked at, be it the only code."""
    text = "```\n```\n" + " " * MOST_CHARACTERS + "```ocaml\nlet f x = x\n```\n"
    with Grader("concise", engine=Asking(answer), jobs=1) as grader:
        breakdown = grader.grade(ILL_TYPED, Completion(text=text))

    assert (Verdict.NO_CODE, 0.0) == (breakdown.verdict, breakdown.reward)
