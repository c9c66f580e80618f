"""What a check may use follows from the reference, and code that loops is soon known for it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from ocaml_reward import Completion, Grader
from ocaml_reward.engine import CheckRequest, Engine, PreparedTests, allowance
from ocaml_reward.engine.cpu_limits import CpuLimits
from ocaml_reward.engine.measuring import with_costs
from ocaml_reward.model import (
    Budget,
    CheckReport,
    CheckResult,
    Outcome,
    Problem,
    Spent,
    Stage,
    StdioCase,
)

from .busy import busy

PASSED, NOT_RUN = Outcome.PASSED, Outcome.NOT_RUN
# A hundredth of a second or a few, on any machine that this may run on.
SLOW = """let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)
let work n = if fib 30 > 0 then n else 0
"""
# What the shipped schemes say.
PACED = Budget()


def checks(count: int) -> str:
    return f"let () = {'; '.join(f'assert (f {n} = {n})' for n in range(count))}"


def measured(engine: Engine, tests: str, reference: str) -> PreparedTests:
    return engine.prepare(Problem(id="p", tests=tests, reference=SLOW + reference))


def test_a_check_may_use_many_times_what_it_takes_in_the_reference(
    engine: Engine,
) -> None:
    """What is slow in the reference may be slow in the code; what is quick there may not."""
    tests = "let () = assert (f 0 = 0)\nlet () = assert (f 1 = 1)"
    prepared = measured(engine, tests, "let f n = if n = 0 then work n else n")
    code = "let f n = ignore (List.init 4 work); n"
    # A machine on which the work takes a hundredth of a second, or any other.
    assert prepared.costs is not None
    slow, quick = prepared.costs.checks_s
    assert slow is not None
    least = slow / 4
    budget = replace(PACED, check_cpu_s=100.0, check_least_s=least)
    request = CheckRequest(code=SLOW + code, tests=prepared, budget=budget)
    report = engine.check(request)

    assert quick is not None
    assert quick * 20 < least
    assert [PASSED, Outcome.TIMED_OUT] == [each.outcome for each in report.results]


def test_code_may_compute_ahead_what_the_reference_does_not(engine: Engine) -> None:
    """A table made at the top level, such as a sieve, may take longer than a quick check; a loop
    there is stopped.
    """
    prepared = measured(engine, checks(2), "let f n = n")
    slow = measured(engine, checks(1), "let f n = work n").costs
    assert slow is not None
    taken = slow.checks_s[0]
    assert taken is not None
    budget = replace(PACED, check_cpu_s=100.0, check_least_s=taken / 2, looping_factor=40.0)
    codes = (
        "let table = work 1\nlet f n = n * table",
        "let () = while true do () done\nlet f n = n",
    )
    asked = [CheckRequest(code=SLOW + code, tests=prepared, budget=budget) for code in codes]
    ahead, loops = ([each.outcome for each in engine.check(one).results] for one in asked)

    assert [PASSED] * 2 == ahead
    assert [Outcome.TIMED_OUT] * 2 == loops


@pytest.mark.parametrize(("cost_s", "runs"), [(0.001, 1), (0.002, 2), (0.006, 4)])
def test_a_reference_runs_as_often_as_its_budget_asks(cost_s: float, runs: int) -> None:
    """Once where a check is far from having more than the least, four times where one has."""
    asked: list[CheckRequest] = []

    def check(request: CheckRequest) -> CheckReport:
        asked.append(request)
        return CheckReport(
            stage=Stage.EXECUTABLE,
            type_errors=0,
            results=(CheckResult(index=1, line=1, outcome=PASSED),),
            spent=Spent(others_s=0.0, checks_s=(cost_s * len(asked),)),
        )

    request = CheckRequest(code="", tests=PreparedTests(checks=()))
    tests = with_costs(request, check, PACED)

    assert runs == len(asked)
    assert Spent(others_s=0.0, checks_s=(cost_s,)) == tests.costs


def test_a_loop_costs_a_third_of_a_second(engine: Engine) -> None:
    """Once a check has used its budget up those that follow have less, and together a sum; and
    code still earns what it passes.
    """
    prepared = measured(engine, checks(9), "let f n = n")
    code = "let f n = if n < 8 then while true do () done; n"
    request = CheckRequest(code=code, tests=prepared, budget=PACED)
    before = os.times()
    results = engine.check(request).results
    after = os.times()
    used = after.children_user - before.children_user

    assert [Outcome.TIMED_OUT] * 8 + [PASSED] == [each.outcome for each in results]
    # Not of the warm engine, whose server is not reaped before it ends.
    assert used < 0.6


def test_loops_without_end_are_not_all_run(engine: Engine) -> None:
    """Where what loops may use in all is used up, the rest is not run: after the eleventh."""
    prepared = measured(engine, checks(14), "let f n = n")
    code = "let f n = while true do () done; n"
    request = CheckRequest(code=code, tests=prepared, budget=PACED)
    outcomes = [each.outcome for each in engine.check(request).results]

    assert [Outcome.TIMED_OUT] * 11 + [NOT_RUN] * 3 == outcomes


def test_checks_that_run_once_more_keep_their_budget(engine: Engine) -> None:
    """What passed within its own budget passes again, whatever looped after it."""
    prepared = measured(engine, checks(3), "let f n = n")
    # A check that needs more than the share that those after a loop have.
    code = "let f n = if n = 1 then while true do () done; if n = 0 then work n else n"
    request = CheckRequest(
        code=SLOW + code,
        tests=prepared,
        budget=replace(PACED, check_least_s=1.0, check_later_share=0.01),
    )
    outcomes = [each.outcome for each in engine.check(request).results]

    assert [PASSED, Outcome.TIMED_OUT, PASSED] == outcomes


def test_cases_have_less_after_one_that_loops(engine: Engine) -> None:
    """A program judged on its output has for all cases that loop what others have for checks."""
    cases = tuple(StdioCase(stdin=f"{n}\n", stdout=f"{n}\n") for n in range(14))
    problem = Problem(id="p", tests=cases, reference="let () = print_int (read_int ())")
    prepared = engine.prepare(problem)
    code = "let () = if read_int () > 0 then while true do () done; print_int 0"
    request = CheckRequest(code=code, tests=prepared, budget=PACED)
    outcomes = [each.outcome for each in engine.check(request).results]

    assert prepared.costs is not None
    assert [PASSED] + [Outcome.TIMED_OUT] * 11 + [NOT_RUN] * 2 == outcomes


def test_a_quick_attempt_gives_up_where_a_check_takes_long(engine: Engine) -> None:
    """It says nothing of what takes long, and of anything else what a grading says."""
    prepared = measured(engine, checks(3), "let f n = n")
    loop = "let f n = if n = 2 then while true do () done; n"
    asked = [
        CheckRequest(code=code, tests=prepared, budget=PACED, quick=quick)
        for code in (loop, "let f n = n mod 2")
        for quick in (True, False)
    ]
    looked, graded, quick, same = map(engine.check, asked)

    assert (True, ()) == (looked.cut, looked.results)
    assert [PASSED, PASSED, Outcome.TIMED_OUT] == [r.outcome for r in graded.results]
    assert same == quick


def test_a_quick_attempt_gives_up_where_the_compiler_takes_long(engine: Engine) -> None:
    """Whether it compiles, counts errors or compiles with holes; the stock engine, whose
    limits have whole seconds there, takes all of its time.
    """
    prepared = measured(engine, checks(1), "let f n = n")
    long = "".join(f"let g{n} x = [x; {n}; x + {n}]\n" for n in range(1000))
    short = replace(PACED, compile_cpu_s=60.0, check_later_share=1e-4)
    asked = [
        CheckRequest(code=long + end, tests=prepared, budget=budget, quick=True, holes=holes)
        for end in ("let f n = n", "let f n = n + true")
        for holes in (False, True)
        for budget in (short, replace(PACED, compile_cpu_s=60.0))
    ]
    looked = [engine.check(each).cut for each in asked]

    assert [engine.name == "warm", False] * 4 == looked


def test_what_comes_near_its_budget_is_said(engine: Engine) -> None:
    """A check that took a quarter of its budget or more is among the timings, and no other."""
    prepared = measured(engine, checks(3), "let f n = n")
    code = "let f n = if n = 1 then work n else n"
    costs = measured(engine, checks(1), "let f n = work n").costs
    assert costs is not None
    taken = costs.checks_s[0]
    assert taken is not None
    request = CheckRequest(
        code=SLOW + code, tests=prepared, budget=replace(PACED, check_least_s=taken * 2)
    )
    timings = engine.check(request).timings_ms

    assert {"compile", "run", "check 2"} == {*timings}


# Assertions, a reference, and a right solution that takes a worse way than it.
WORSE = {
    "quadratic": (
        ("f [1; 2; 3] = [3; 2; 1]", "List.hd (f (List.init 1000 (fun n -> n))) = 999"),
        "let f l = List.rev l",
        "let rec f = function [] -> [] | x :: rest -> f rest @ [ x ]",
    ),
    "not remembered": (
        ("f 0 = 0", "f 10 = 55", "f 22 = 17711"),
        "let f n = let rec go a b k = if k = 0 then a else go b (a + b) (k - 1) in go 0 1 n",
        "let rec f n = if n < 2 then n else f (n - 1) + f (n - 2)",
    ),
    "all of them tried": (
        ("f 10 = 4", "f 1000 = 168"),
        """let f n =
  let crossed = Array.make (n + 1) false and count = ref 0 in
  for k = 2 to n do
    if not crossed.(k) then begin
      incr count;
      for m = k to n / k do crossed.(m * k) <- true done
    end
  done;
  !count""",
        """let is_prime k = let rec go d = d = k || (k mod d <> 0 && go (d + 1)) in k > 1 && go 2
let f n = List.length (List.filter is_prime (List.init (n + 1) (fun k -> k)))""",
    ),
}


def test_right_code_that_is_slow_passes_on_a_busy_machine(engine: Engine) -> None:
    """Solutions that take a worse way than the reference pass, alone and beside eight others
    that compute, one at a time and four.
    """
    asked = []
    for asserted, reference, code in WORSE.values():
        tests = "\n".join(f"let () = assert ({each})" for each in asserted)
        prepared = engine.prepare(Problem(id="p", tests=tests, reference=reference))
        asked.append(CheckRequest(code=code, tests=prepared, budget=PACED))
    alone = list(map(engine.check, asked))
    with busy(8), ThreadPoolExecutor(4) as pool:
        beside = list(pool.map(engine.check, asked * 4))

    assert {PASSED} == {each.outcome for report in alone for each in report.results}
    assert alone * 4 == beside


NUMBERS = [(k * 7919 + 13) % 999_983 for k in range(200_000)]
SORTED = """let rec read k = if k = 0 then [] else let x = Scanf.scanf " %d" Fun.id in x :: read (k - 1)
let () = List.iter (Printf.printf "%06d ") (List.sort compare (read (Scanf.scanf " %d" Fun.id)))
"""
DEEP = "let rec f n = if n = 0 then 0 else 1 + f (n - 1)"


@pytest.mark.parametrize(
    ("code", "tests"),
    [(SORTED, (StdioCase(stdin=f"200000 {' '.join(map(str, NUMBERS))}",
                         stdout=" ".join(f"{x:06d}" for x in sorted(NUMBERS))),)),
     (DEEP, "let () = assert (f 500_000 = 500_000)"),
     (SLOW + "let f n = work (work (work n))", checks(1)),
     ("let () = print_string (String.make 6_000_000 'a')", (StdioCase(stdin="", stdout="a" * 6_000_000),))],
    ids=["200,000 numbers", "deep", "slow", "long output"],
)  # fmt: skip
def test_without_a_reference_there_is_what_judges_allow(
    engine: Engine, code: str, tests: str | tuple[StdioCase, ...]
) -> None:
    """Seconds, a stack of tens of megabytes and as much output as a right one has."""
    grader = Grader("concise", engine=engine, jobs=1)
    found = grader.grade(Problem(id="p", tests=tests), Completion(text=code))

    assert [PASSED] == [each.outcome for each in found.tests.results]


def test_what_is_not_measured_soon_has_less() -> None:
    """After one that has used all of a judge's time up, others have the least of what is measured, or
    their share of what they take.
    """
    costs = Spent(others_s=0.0, checks_s=(None, 0.001, 0.1, None))
    pace = CpuLimits(budget=PACED, count=4, costs=costs)
    first = pace.limits(()).checks_ms
    pace.used_up()

    assert (2000, 100, 2000, 2000) == first
    assert (100, 20, 400, 100) == pace.limits(()).checks_ms
    assert (2000, 20, 400, 100) == pace.limits({0}).checks_ms
    assert (100, 20, 400, 100) == replace(pace, quick=True).limits(()).checks_ms


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [({}, (2, 2, 20, 64, 4_000_000)),
     ({"reference": ""}, (2, 2, 20, 8, 4_000_000)),
     ({"tests": "assert true"}, (2, 2, 5, 64, 4_000_000)),
     ({"budget": (("stack_mb", 1), ("tests_cpu_s", 3.0))}, (2, 2, 3, 1, 4_000_000)),
     ({"budget": (("check_cpu_s", 10.0), ("check_unmeasured_s", 10.0))}, (10, 10, 100, 64, 4_000_000)),
     ({"budget": (("check_cpu_s", 0.5),)}, (0.5, 0.5, 5, 64, 4_000_000)),
     ({"tests": (StdioCase(stdin="", stdout="1\n" * 1_000_000),)}, (2, 2, 20, 64, 8_000_000))],
)  # fmt: skip
def test_what_a_problem_allows(fields: dict[str, Any], allowed: tuple[float, ...]) -> None:
    problem = replace(Problem(id="p", tests=(StdioCase(stdin="", stdout=""),)), **fields)
    found = allowance(problem, PACED)

    assert allowed == (
        *(found.check_cpu_s, found.check_unmeasured_s, found.tests_cpu_s),
        *(found.stack_mb, found.output_bytes),
    )


@pytest.mark.parametrize(
    ("costs", "own", "allowed"),
    [
        (Spent(others_s=0.1, checks_s=(0.5, None), all_s=1.0), (), (2, 5)),
        (Spent(others_s=0.1, checks_s=(1.5, None), all_s=4.0), (), (3, 8)),
        (Spent(others_s=1.9, checks_s=(0.1,), all_s=4.0), (), (3.8, 8)),
        (Spent(others_s=0.1, checks_s=(1.5,), all_s=4.0), (("check_cpu_s", 1.6),), (1.6, 8)),
    ],
)  # fmt: skip
def test_a_reference_that_nearly_uses_the_budget_up_has_room(
    costs: Spent, own: tuple[tuple[str, float], ...], allowed: tuple[float, float]
) -> None:
    """Twice of what it takes, for a check and for all, unless the problem says what that is."""
    problem = Problem(id="p", tests="assert true", reference="", budget=own)
    found = allowance(problem, PACED, costs)

    assert allowed == (found.check_cpu_s, found.tests_cpu_s)


def test_a_reference_may_take_more_than_the_budget(engine: Engine) -> None:
    """It is measured, and what it takes in all is known then."""
    known = measured(engine, checks(3), "let f = work").costs
    assert known is not None
    longest = max(each or 0.0 for each in known.checks_s)
    assert longest * 2 < known.all_s < longest * 4

    problem = Problem(id="p", tests=checks(3), reference=f"{SLOW}let f = work")
    budget = replace(PACED, check_cpu_s=longest * 5, tests_cpu_s=known.all_s * 0.9)
    found = engine.prepare(problem, budget).costs
    assert found is not None
    assert allowance(problem, budget, found).tests_cpu_s > known.all_s
