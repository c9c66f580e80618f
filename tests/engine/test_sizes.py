"""A problem that is larger than any can be is the problem's error, which names the bound."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward import Problem, ProblemError
from ocaml_reward.engine import Engine
from ocaml_reward.engine.prepare.sizes import MOST_CASE_CHARACTERS, MOST_CHECKS
from ocaml_reward.model import Budget, StdioCase
from ocaml_reward.reading.extraction import MOST_CHARACTERS

ONE = "let () = assert (f 1 = 2)\n"
REFERENCE = "let f x = x + 1"


def of_cases(count: int) -> tuple[StdioCase, ...]:
    return (StdioCase(stdin="", stdout=""),) * count


def suite(count: int) -> str:
    return (
        "open OUnit2\nlet case i = string_of_int i >:: fun _ -> assert_equal 2 (f 1)\n"
        f'let () = run_test_tt_main ("f" >::: List.init {count} case)\n'
    )


LONG = MOST_CHARACTERS + 1
HUGE: dict[str, tuple[Callable[[], Problem], str]] = {
    "assertions": (
        lambda: Problem(id="p", tests=ONE * 30_000),
        f"p: tests, line {MOST_CHECKS + 1}: unsupported: more than {MOST_CHECKS} checks",
    ),
    "assertions with a reference": (
        lambda: Problem(id="p", tests=ONE * 30_000, reference=REFERENCE),
        f"p: tests, line {MOST_CHECKS + 1}: unsupported: more than {MOST_CHECKS} checks",
    ),
    "a table": (
        lambda: Problem(
            id="p",
            tests="let check x = assert (f x = 2)\nlet () = List.iter check ["
            + "1;" * (MOST_CHECKS + 1)
            + "]",
        ),
        f"p: tests, line 2: unsupported: more than {MOST_CHECKS} checks",
    ),
    "a suite built by code": (
        lambda: Problem(id="p", tests=suite(MOST_CHECKS + 1), reference=REFERENCE),
        f"p: the tests have {MOST_CHECKS + 1:,} cases, and may have {MOST_CHECKS:,}",
    ),
    "cases": (
        lambda: Problem(id="p", tests=of_cases(100_000)),
        f"p: the tests have 100,000 cases, and may have {MOST_CHECKS:,}",
    ),
    "a case's input": (
        lambda: Problem(
            id="p",
            tests=(StdioCase(stdin="1" * MOST_CASE_CHARACTERS, stdout=""),),
        ),
        "p: case 1's stdin: 16,000,001 characters, and there may be 16,000,000",
    ),
    "tests": (
        lambda: Problem(id="p", tests=ONE + " " * MOST_CHARACTERS),
        f"p: the tests: {LONG + len(ONE) - 1:,} characters, and there may be 2,000,000",
    ),
    "a reference": (
        lambda: Problem(id="p", tests=ONE, reference=" " * LONG),
        f"p: the reference: {LONG:,} characters, and there may be 2,000,000",
    ),
    "a prompt": (
        lambda: Problem(id="p", tests=ONE, prompt=" " * LONG),
        f"p: the prompt: {LONG:,} characters, and there may be 2,000,000",
    ),
    "a judge": (
        lambda: Problem(id="p", tests=of_cases(1), judge=" " * LONG),
        f"p: the judge: {LONG:,} characters, and there may be 2,000,000",
    ),
    "a checker": (
        lambda: Problem(id="p", tests=of_cases(1), checker=" " * LONG),
        f"p: the checker: {LONG:,} characters, and there may be 2,000,000",
    ),
    "nested tests": (
        lambda: Problem(
            id="p",
            tests="let () = assert (f (" + "succ (" * 200_000 + "1" + ")" * 200_002,
        ),
        "p: the tests are too much to prepare: that may take 2 s of CPU time, a stack of"
        " 8 MB and 1280 MB of memory",
    ),
}


@pytest.mark.parametrize("name", HUGE)
def test_a_problem_that_is_too_large_says_so(engine: Engine, name: str) -> None:
    """The error is one line, and no server is lost."""
    make, said = HUGE[name]
    with pytest.raises(ProblemError) as error:
        engine.prepare(make())

    assert said == str(error.value)
    assert not getattr(engine, "replaced", {})


def test_as_many_checks_as_there_may_be_are_prepared(engine: Engine) -> None:
    """The bound itself is within what an engine bears."""
    prepared = engine.prepare(Problem(id="p", tests=ONE * MOST_CHECKS), Budget(compile_cpu_s=10))

    assert MOST_CHECKS == len(prepared.checks)
