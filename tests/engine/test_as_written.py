"""Hand-made runners, registries, lazy cases, guards and statements behind the last assertion: what
passes is what plain OCaml runs to a good end, and what raises or loops earns nothing.

All of them, beside plain OCaml, are `python -m benchmarks.truth --runners`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import pytest

from ocaml_reward import Completion, Grader, ProblemError
from ocaml_reward.engine import CheckRequest, Engine, PreparedTests
from ocaml_reward.model import Budget, CheckReport, Outcome, Problem
from ocaml_reward.scheme import load
from tests.generated import runners

SCHEME = load("concise", ("budget.most_steps=2000000", "budget.check_cpu_s=0.5"))
FAMILIES = ("assertions", "catching", "registered", "lazy", "guarded")
# One subject for each way of asserting.
SUBJECTS = {"assert": "sum", "failwith": "double", "helper": "rev"}
# Many cases in one statement that catches: without a reference nothing divides them.
SEVERAL = "registered: a list that is printed"
REFUSED = "nothing evaluates|no wrong answer|several cases|without an assertion"


def drawn() -> list[runners.Problem]:
    """Return the problems that are tried here."""
    found = []
    for each in runners.problems():
        _, _, *body, subject = each.name.split(": ")
        name = subject.partition(" ")[0]
        if name == (SUBJECTS.get(body[0], "") if body else "shout"):
            found.append(each)
    return found


def made(each: runners.Problem) -> Problem:
    return Problem(id="p", tests=each.tests, reference=each.reference)


def verdicts(grader: Grader, problem: Problem, codes: Iterable[str]) -> list[tuple[str, int]]:
    pairs = ((problem, Completion(text=code)) for code in codes)
    return [(each.verdict.value, each.tests.passed) for each in grader.grade_many(pairs)]


@pytest.mark.parametrize("each", drawn(), ids=lambda each: each.name)
def test_what_passes_is_what_plain_ocaml_passes(engine: Engine, each: runners.Problem) -> None:
    """Right answers pass, wrong ones do not, and those that never return a value earn nothing."""
    problem = made(each)
    if each.refused or (each.name.startswith(SEVERAL) and not each.reference):
        with pytest.raises(ProblemError, match=REFUSED):
            engine.prepare(problem)
        return
    grader = Grader(SCHEME, engine=engine, jobs=1)
    right = verdicts(grader, problem, each.right)
    wrong = verdicts(grader, problem, each.wrong)
    # Loops take as long as they may; one form shows what becomes of them.
    never = verdicts(grader, problem, each.never if "list" in each.name else each.never[:-1])

    assert {"passed"} == {verdict for verdict, _ in right}
    assert "passed" not in {verdict for verdict, _ in wrong + never}
    assert {0} == {passed for _, passed in never}


@dataclass(frozen=True, slots=True)
class WithoutIt:
    """An engine that does not run the tests as they were written."""

    engine: Engine

    @property
    def name(self) -> str:
        return self.engine.name

    @property
    def sandbox(self) -> str:
        return self.engine.sandbox

    @property
    def toolchain(self) -> str:
        return self.engine.toolchain

    def prepare(self, problem: Problem, budget: Budget = SCHEME.budget) -> PreparedTests:
        tests = self.engine.prepare(problem, budget)
        costs = tests.costs and replace(
            tests.costs, checks=tests.costs.checks[: len(tests.reported)]
        )
        return replace(tests, checks=tests.reported, written=None, costs=costs)

    def check(self, request: CheckRequest) -> CheckReport:
        return self.engine.check(request)

    def close(self) -> None:
        """Leave the engine, which is not its own."""


@pytest.mark.parametrize("family", FAMILIES)
def test_without_that_run_each_family_pays_what_is_wrong(engine: Engine, family: str) -> None:
    """It is needed: what the checks alone say is not enough."""
    grader = Grader(SCHEME, engine=WithoutIt(engine), jobs=1)
    paid = [
        verdict
        for each in drawn()
        if each.name.startswith(f"behind {family}: a call")
        for verdict, _ in verdicts(grader, made(each), each.wrong)
    ]

    assert "passed" in paid


def test_the_record_says_what_plain_ocaml_did(engine: Engine) -> None:
    """The last check tells it; it is not run where other checks fail, and a lost one needs no run."""
    tests = "let () = assert (half 8 = 4)\nlet () = assert (half 6 = 3)\nlet () = ignore (third 9)"
    half = "let half x = x / 2\n"
    codes = {
        f"{half}let third x = x / 3": "",
        f'{half}let third _ = invalid_arg "no"': 'end with exit 2: Invalid_argument("no")',
        f"{half}let third _ = exit 3": "end with exit 3",
        f"{half}let rec third x = third x": "do not end in time",
        "let half x = x / 3\nlet third x = x / 3": "other checks do not pass",
    }
    grader = Grader(SCHEME, engine=engine, jobs=1)
    for reference in (None, next(iter(codes))):
        problem = Problem(id="p", tests=tests, reference=reference)
        for code, said in codes.items():
            last = grader.grade(problem, Completion(text=code)).tests.results[-1]

            assert (3, 3) == (last.index, last.line)
            assert last.detail.endswith(said)
            assert (last.outcome is Outcome.PASSED) == (not said)


def test_tests_may_end_as_the_reference_has_them_end(engine: Engine) -> None:
    """An end that is not good, the same each time, is asked of the code."""
    tests = "let () = assert (f 1 = 2)\nlet () = ignore (f 0)"
    problem = Problem(
        id="p", tests=tests, reference="let f x = if x = 0 then raise Exit else x + 1"
    )
    codes = ("let f = function 0 -> raise Exit | x -> 1 + x", "let f x = x + 1")
    grader = Grader(SCHEME, engine=engine, jobs=1)

    assert ["passed", "failed_tests"] == [v for v, _ in verdicts(grader, problem, codes)]
