"""What a check may take follows from the reference, and code that loops is soon known for it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from ocaml_reward import Completion, Grader
from ocaml_reward.engine import CheckRequest, Engine, PreparedTests, allowance
from ocaml_reward.engine.messages.limits import StepLimits, allowed_steps
from ocaml_reward.model import Budget, Limit, Outcome, Problem, ReferenceCosts, StdioCase

from .busy import busy
from .slow import SLOW, WORK, checks

PASSED, NOT_RUN = Outcome.PASSED, Outcome.NOT_RUN
# What the shipped schemes say.
PACED = Budget()


def measured(engine: Engine, tests: str, reference: str) -> PreparedTests:
    return engine.prepare(Problem(id="p", tests=tests, reference=SLOW + reference))


def test_a_check_may_take_many_times_the_steps_of_the_reference(engine: Engine) -> None:
    """What is slow in the reference may be slow in the code; what is quick there may not."""
    tests = "let () = assert (f 0 = 0)\nlet () = assert (f 1 = 1)"
    prepared = measured(engine, tests, "let f n = if n = 0 then work n else n")
    code = "let f n = ignore (List.init 4 work); n"
    request = CheckRequest(code=SLOW + code, tests=prepared, budget=PACED)
    first, second = engine.check(request).results

    assert prepared.costs == ReferenceCosts(checks=(WORK + 1, 1), all_steps=WORK + 2)
    assert (PASSED, 4 * WORK + 1) == (first.outcome, first.steps)
    assert (Outcome.TIMED_OUT, 2_000_000) == (second.outcome, second.steps)
    assert (WORK + 1, 1) == (first.reference_steps, second.reference_steps)
    assert (None, Limit.STEPS) == (first.limit, second.limit)


def test_code_may_compute_ahead_what_the_reference_does_not(engine: Engine) -> None:
    """A table made at the top level, such as a sieve, may take longer than a quick check; a loop
    there is stopped.
    """
    prepared = measured(engine, checks(2), "let f n = n")
    codes = (
        "let table = work 1\nlet f n = n * table",
        "let () = while true do () done\nlet f n = n",
    )
    asked = [CheckRequest(code=SLOW + code, tests=prepared, budget=PACED) for code in codes]
    ahead, loops = map(engine.check, asked)

    assert [PASSED] * 2 == [each.outcome for each in ahead.results]
    assert [1, 1] == [each.steps for each in ahead.results]
    assert WORK + 2 == ahead.steps
    assert [(Outcome.TIMED_OUT, Limit.STEPS)] * 2 == [(r.outcome, r.limit) for r in loops.results]
    assert 10_000_000 == loops.steps


def test_a_loop_costs_a_tenth_of_a_second(engine: Engine) -> None:
    """A completion that loops in each of seven checks."""
    prepared = measured(engine, checks(7), "let f n = n")
    request = CheckRequest(code="let f n = while true do () done; n", tests=prepared, budget=PACED)
    before = os.times()
    report = engine.check(request)
    after = os.times()

    assert [Outcome.TIMED_OUT] * 7 == [each.outcome for each in report.results]
    assert 7 * 2_000_000 == report.steps
    # Not of the warm engine, whose server is not reaped before it ends.
    assert after.children_user - before.children_user < 0.6


def test_loops_without_end_are_not_all_run(engine: Engine) -> None:
    """Once eight have reached their limits the rest is not run; what passes between them does."""
    prepared = measured(engine, checks(14), "let f n = n")
    code = "let f n = if n <> 3 then while true do () done; n"
    request = CheckRequest(code=code, tests=prepared, budget=PACED)
    outcomes = [each.outcome for each in engine.check(request).results]

    loop = Outcome.TIMED_OUT
    assert [*[loop] * 3, PASSED, *[loop] * 5, *[NOT_RUN] * 5] == outcomes


def test_checks_that_run_once_more_keep_their_limit(engine: Engine) -> None:
    """What passed within its own limit passes again, whatever looped after it."""
    prepared = measured(engine, checks(3), "let f n = n")
    code = "let f n = if n = 1 then while true do () done; if n <> 1 then work n else n"
    request = CheckRequest(
        code=SLOW + code, tests=prepared, budget=replace(PACED, check_steps=WORK + 1)
    )
    results = engine.check(request).results

    assert [PASSED, Outcome.TIMED_OUT, PASSED] == [each.outcome for each in results]
    assert [WORK + 1] * 3 == [each.steps for each in results]


def test_a_limit_holds_to_the_step(engine: Engine) -> None:
    prepared = measured(engine, checks(1), "let f n = n")
    found = []
    for steps in (WORK, WORK + 1):
        budget = replace(PACED, check_steps=steps)
        request = CheckRequest(code=SLOW + "let f n = work n", tests=prepared, budget=budget)
        found += [(r.outcome, r.steps) for r in engine.check(request).results]

    assert [(Outcome.TIMED_OUT, WORK), (PASSED, WORK + 1)] == found


def test_cases_that_loop_are_not_all_run(engine: Engine) -> None:
    """A program judged on its output has for all cases that loop what others have for checks."""
    cases = tuple(StdioCase(stdin=f"{n}\n", stdout=f"{n}\n") for n in range(14))
    problem = Problem(id="p", tests=cases, reference="let () = print_int (read_int ())")
    prepared = engine.prepare(problem)
    code = "let () = if read_int () > 0 then while true do () done; print_int 0"
    request = CheckRequest(code=code, tests=prepared, budget=PACED)
    results = engine.check(request).results

    assert prepared.costs == ReferenceCosts(checks=(0,) * 14)
    assert [PASSED] + [Outcome.TIMED_OUT] * 8 + [NOT_RUN] * 5 == [r.outcome for r in results]
    assert [0] + [2_000_000] * 8 + [None] * 5 == [r.steps for r in results]


# What runs long without a step: the library goes round a list without end.
HANGS = "let f n = if n > 0 then List.length (let rec l = 1 :: l in l) else n"


def test_the_clock_ends_what_takes_no_steps(engine: Engine) -> None:
    """Of such checks two are run; the record names the clock, and no number of steps."""
    prepared = measured(engine, checks(4), "let f n = n")
    request = CheckRequest(code=HANGS, tests=prepared, budget=replace(PACED, check_cpu_s=0.3))
    results = engine.check(request).results

    assert [PASSED, Outcome.TIMED_OUT, Outcome.TIMED_OUT, NOT_RUN] == [r.outcome for r in results]
    assert [None, Limit.CPU, Limit.CPU, None] == [r.limit for r in results]
    assert [1, None, None, None] == [r.steps for r in results]


def test_a_quick_attempt_gives_up_where_a_check_takes_long(engine: Engine) -> None:
    """It says nothing of what takes long, and of anything else what a grading says, as of what
    takes too many steps.
    """
    prepared = measured(engine, checks(3), "let f n = n")
    loop = "let f n = if n = 2 then while true do () done; n"
    asked = [
        CheckRequest(code=code, tests=prepared, budget=PACED, quick=quick)
        for code in (HANGS, loop, "let f n = n mod 2")
        for quick in (True, False)
    ]
    looked, graded, *others = map(engine.check, asked)

    assert (True, ()) == (looked.cut, looked.results)
    assert [PASSED, Outcome.TIMED_OUT, Outcome.TIMED_OUT] == [r.outcome for r in graded.results]
    assert others[::2] == others[1::2]


def test_a_quick_attempt_gives_up_where_the_compiler_takes_long(engine: Engine) -> None:
    """Whether it compiles, counts errors or compiles with holes; the stock engine, whose
    limits have whole seconds there, takes all of its time.
    """
    prepared = measured(engine, checks(1), "let f n = n")
    long = "".join(f"let g{n} x = [x; {n}; x + {n}]\n" for n in range(1000))
    short = replace(PACED, compile_cpu_s=0.06)
    asked = [
        CheckRequest(code=long + end, tests=prepared, budget=budget, quick=True, holes=holes)
        for end in ("let f n = n", "let f n = n + true")
        for holes in (False, True)
        for budget in (short, replace(PACED, compile_cpu_s=60.0))
    ]
    looked = [engine.check(each).cut for each in asked]

    assert [engine.name == "warm", False] * 4 == looked


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


def test_limits_follow_from_the_steps_of_the_reference() -> None:
    """Twenty times as many, within bounds, or twice as many; the top level has five times the most."""
    costs = ReferenceCosts(
        checks=(None, 1000, 500_000, 4_000_000, 50_000_000), all_steps=60_000_000
    )
    limits = StepLimits(budget=PACED, count=5, costs=costs).next_run()

    assert (60_000_000, 2_000_000, 10_000_000, 60_000_000, 100_000_000) == limits.checks_steps
    assert "100000000,500000000,0:60000000,1:2000000,2:10000000,3:60000000,4:100000000" == (
        limits.for_lock()
    )


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [({}, (2_000_000, 60_000_000, 600_000_000, 64, 4_000_000)),
     ({"reference": ""}, (2_000_000, 60_000_000, 600_000_000, 8, 4_000_000)),
     ({"tests": "assert true"}, (2_000_000, 60_000_000, 100_000_000, 64, 4_000_000)),
     ({"budget": (("stack_mb", 1), ("tests_steps", 3))}, (2_000_000, 60_000_000, 3, 1, 4_000_000)),
     ({"budget": (("check_steps", 9), ("most_steps", 90))}, (9, 90, 100_000_000, 64, 4_000_000)),
     ({"budget": (("check_steps", 90),)}, (90, 90, 100_000_000, 64, 4_000_000)),
     ({"budget": (("check_cpu_s", 10.0),)}, (2_000_000, 60_000_000, 600_000_000, 64, 4_000_000)),
     ({"tests": (StdioCase(stdin="", stdout="1\n" * 1_000_000),)},
      (2_000_000, 60_000_000, 600_000_000, 64, 8_000_000))],
)  # fmt: skip
def test_what_a_problem_allows(fields: dict[str, Any], allowed: tuple[float, ...]) -> None:
    problem = replace(Problem(id="p", tests=(StdioCase(stdin="", stdout=""),)), **fields)
    found = allowance(problem, PACED)

    assert allowed == (
        *(found.check_steps, found.most_steps, found.tests_steps),
        *(found.stack_mb, found.output_bytes),
    )


@pytest.mark.parametrize(
    ("costs", "own", "allowed"),
    [
        # Steps decide: the clock of a check has 200 ns for each that it may take.
        (ReferenceCosts(checks=(1000,), all_steps=1000), (), (2, 20)),
        (ReferenceCosts(checks=(1000, None), all_steps=1000), (), (12, 20)),
        (ReferenceCosts(checks=(2_000_000,), all_steps=2_000_000), (), (8, 20)),
        # And twenty times what the reference takes, as in long calls of the library.
        (ReferenceCosts(checks=(1000,), all_steps=1000, cpu_s=1.5), (), (30, 30)),
        (ReferenceCosts(checks=(1000,), all_steps=1000, cpu_s=1.5), (("check_cpu_s", 1.6),), (1.6, 30)),
        # Twice of what the reference takes in all.
        (ReferenceCosts(checks=(0,) * 2, all_steps=100_000_000), (), (40, 40)),
    ],
)  # fmt: skip
def test_cpu_time_is_far_above_the_steps(
    costs: ReferenceCosts, own: tuple[tuple[str, float], ...], allowed: tuple[float, float]
) -> None:
    """And a problem may say what it is."""
    problem = Problem(id="p", tests="assert true", reference="", budget=own)
    found = allowance(problem, PACED, costs)

    assert allowed == (found.check_cpu_s, found.tests_cpu_s)


def test_a_reference_may_take_more_than_the_budget(engine: Engine) -> None:
    """It is measured, and completions may take twice as much."""
    problem = Problem(id="p", tests=checks(3), reference=f"{SLOW}let f = work")
    budget = replace(PACED, check_steps=1000, most_steps=1000, tests_steps=4 * WORK)
    found = engine.prepare(problem, budget).costs
    assert found is not None

    assert (WORK,) * 3 == found.checks
    assert 6 * WORK == allowance(problem, budget, found).tests_steps
    assert 2 * WORK == allowed_steps(found.longest, budget)
