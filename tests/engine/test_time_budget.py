"""The CPU time for all checks holds over whatever is run for them, and nothing else decides."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

import pytest

from ocaml_reward import Completion, Grader
from ocaml_reward.engine import CheckReport, CheckRequest, Engine
from ocaml_reward.model import (
    Budget,
    CheckResult,
    Outcome,
    Problem,
    Stage,
    StdioCase,
)

from .busy import busy

PASSED, NOT_RUN = Outcome.PASSED, Outcome.NOT_RUN
# A hundredth of a second or a few, on any machine that this may run on.
SLOW = """let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)
let work n = if fib 30 > 0 then n else 0
"""
MANY = 300
BUDGET = Budget(tests_cpu_s=1.0, tests_wall_s=60.0).flat(0.5)


def checks(count: int) -> str:
    return f"let () = {'; '.join(f'assert (f {n} = {n})' for n in range(count))}"


def graded(
    engine: Engine,
    code: str,
    tests: str | tuple[StdioCase, ...],
    budget: Budget = BUDGET,
) -> tuple[CheckResult, ...]:
    prepared = engine.prepare(Problem(id="p", tests=tests))
    request = CheckRequest(code=SLOW + code, tests=prepared, budget=budget)
    return engine.check(request).results


def test_many_slow_checks_share_one_budget(engine: Engine) -> None:
    """The check in which the time for all is used up times out, and the rest is not run."""
    results = graded(engine, "let f n = work n", checks(MANY))
    kinds = [(kind, len([*group])) for kind, group in groupby(r.outcome for r in results)]
    last = next(r for r in results if r.outcome is Outcome.TIMED_OUT)

    assert [PASSED, Outcome.TIMED_OUT, NOT_RUN] == [kind for kind, _ in kinds]
    assert 1 == kinds[1][1]
    assert "used the CPU budget of 1 s" == last.detail
    assert "the time for all checks was used up" == results[-1].detail


def test_what_is_run_once_more_counts_as_well(engine: Engine) -> None:
    """Checks that ran before and run again beside those that end the process use it up."""
    code = "let f n = if n >= 20 then exit 3 else work n"
    outcomes = [each.outcome for each in graded(engine, code, checks(40))]

    # A start costs a tenth of a second at least: without the twenty checks there were ten.
    assert [PASSED] * 20 == outcomes[:20]
    assert 1 <= outcomes.count(Outcome.EXITED) < 10
    assert NOT_RUN == outcomes[-1]


def test_all_cases_share_one_budget(engine: Engine) -> None:
    """A program that runs once per case has one budget for all of them."""
    cases = tuple(StdioCase(stdin=f"{n}\n", stdout=f"{n}\n") for n in range(40))
    code = "let () = print_int (List.fold_left (fun n _ -> work n) (read_int ()) [1; 2; 3; 4])"
    outcomes = [each.outcome for each in graded(engine, code, cases)]

    assert PASSED == outcomes[0]
    assert NOT_RUN == outcomes[-1]
    assert {PASSED, NOT_RUN} <= {*outcomes} <= {PASSED, Outcome.TIMED_OUT, NOT_RUN}


def test_a_budget_of_a_check_stays_its_own(engine: Engine) -> None:
    """As many checks as the time for all has room for may use up theirs, and say so."""
    code = "let f n = if n < 9 then while true do () done; n"
    results = graded(engine, code, checks(10))

    assert ["used its CPU budget"] * 2 == [r.detail for r in results[:2]]
    assert [NOT_RUN] * 7 == [r.outcome for r in results[2:9]]


@pytest.mark.parametrize("others", [0, 4])
def test_what_else_runs_changes_nothing(engine: Engine, others: int) -> None:
    """Code that needs less than its budget passes beside others as it does alone."""
    budget = Budget(tests_cpu_s=4.0, tests_wall_s=60.0).flat(1.0)
    with busy(others):
        results = graded(engine, "let f n = work n", checks(40), budget)

    assert {PASSED} == {each.outcome for each in results}


def test_a_problem_may_have_a_budget_of_its_own(engine: Engine) -> None:
    """What a problem says of its budget counts in place of what the scheme says."""
    tests = "let () = assert (f 4_000_000 = 4_000_000)"
    code = Completion(text="let f x =\n  let a = Array.make x 0 in\n  Array.length a\n")
    outcomes = []
    for budget in ((), (("memory_mb", 32),)):
        problem = Problem(id="p", tests=tests, budget=budget)
        breakdown = Grader(engine=engine, jobs=1).grade(problem, code)
        outcomes += [result.outcome for result in breakdown.tests.results]

    assert [Outcome.PASSED, Outcome.OUT_OF_MEMORY] == outcomes


# Two seconds of ocamlc or less, half a second or more.
LONG = "\n".join(f"let f{n} x = (fun y -> y + {n} * 0) x" for n in range(8000))


@pytest.mark.parametrize(
    "ending", ["", "let g = Obj.magic 1", "let g = 1 + true", "let g = ref []"]
)
def test_compiling_has_the_seconds_that_the_scheme_says(engine: Engine, ending: str) -> None:
    """With either engine code that takes longer is the same limit, whatever else it is; the
    kernel's own limit has whole seconds, and would let it pass.
    """
    prepared = engine.prepare(Problem(id="p", tests="let () = assert (f0 1 = 1)"))
    budget = Budget(compile_cpu_s=0.3, compile_wall_s=60.0)
    code = f"{LONG}\n{ending}\n"
    report = engine.check(CheckRequest(code=code, tests=prepared, budget=budget))

    limit = CheckReport(stage=Stage.COMPILER_LIMIT, type_errors=None)
    assert limit == replace(report, timings_ms={})


def test_compiling_may_take_what_the_scheme_says(engine: Engine) -> None:
    prepared = engine.prepare(Problem(id="p", tests="let () = assert (f0 1 = 1)"))
    budget = Budget(compile_cpu_s=30.0, compile_wall_s=60.0)
    report = engine.check(CheckRequest(code=LONG, tests=prepared, budget=budget))

    assert Stage.EXECUTABLE is report.stage


def test_tests_are_prepared_within_the_budget_of_the_scheme(engine: Engine) -> None:
    """What grading may spend preparing may, too: answers that take too long without the code
    are not worked out, and given the time they are.
    """
    tests = f"{SLOW}let () = assert (f 1 = work 1)"
    problem = Problem(id="p", tests=tests)
    short = Budget(check_cpu_s=0.001, tests_cpu_s=0.001)
    told = [engine.prepare(problem, each).outside for each in (Budget(), short)]

    assert [True, False] == [bool(each and each.expected) for each in told]


@pytest.mark.parametrize(
    ("prints", "outcome"),
    [
        ('print_string "a line of text\\n"', Outcome.OUTPUT_LIMIT),
        # Too slow to come to the limit: the clock is the first.
        (
            "if work 1 > 0 then print_string (String.make 40_000 '.')",
            Outcome.OUTPUT_LIMIT,
        ),
        ('if !left > 0 then (decr left; print_string "step")', Outcome.TIMED_OUT),
    ],
)
def test_a_flood_is_one_whichever_limit_it_meets(
    engine: Engine, prints: str, outcome: Outcome
) -> None:
    """What prints on and on is named for that on a slow machine too; a loop that has printed
    a little is not.
    """
    code = f"let left = ref 50\nlet f n = if n = 1 then while true do {prints} done; n"
    results = graded(engine, code, checks(3), replace(BUDGET, check_cpu_s=0.3))

    assert [PASSED, outcome, PASSED] == [each.outcome for each in results]


def test_what_has_printed_on_and_on_is_not_cut_short_of_it(engine: Engine) -> None:
    """Later checks have less time, in which a flood may not come about on a slow machine: they end
    as the first of them did, in programs that read as in checks.
    """
    loops = "while n < 2 do if n = 0 then print_string {|a line of text|} done"
    budget = Budget(check_cpu_s=0.3)
    function = graded(engine, f"let f n = {loops}; n", checks(3), budget)
    cases = tuple(StdioCase(stdin=f"{n}\n", stdout=f"{n}\n") for n in range(3))
    program = f"let () = let n = read_int () in {loops}; print_int n"
    whole = graded(engine, program, cases, budget)

    for results in (function, whole):
        assert [Outcome.OUTPUT_LIMIT, Outcome.OUTPUT_LIMIT, PASSED] == [
            each.outcome for each in results
        ]


FORGING = """external enter : string -> unit = "ocaml_reward_enter"
external leave : string -> string -> unit = "ocaml_reward_leave"
external ended : int -> int -> string -> unit = "ocaml_reward_ended"
let f n = if n < 2 then n else begin
  let count = ref 0 in
  while true do incr count; if !count land 0xffff = 0 then let i = !count lsr 16 in %s done; 0 end
"""


@pytest.mark.parametrize(
    "forged",
    [
        'enter "begin 2"',
        'enter ("begin " ^ string_of_int i)',
        'enter ("item " ^ string_of_int i ^ " 0 0")',
        'leave "item_end 0 0 0" ""',
        'enter "begin 2"; leave "" ""; ended 1 0 ""',
    ],
)
def test_no_phase_is_timed_twice(engine: Engine, forged: str) -> None:
    """Code that says again and again that a phase begins has what the phases have that are."""
    budget = Budget(tests_cpu_s=3.0, tests_wall_s=60.0).flat(0.1)
    results = graded(engine, FORGING % forged, checks(3), budget)
    details = {each.detail for each in results}

    assert "used its CPU budget" in details
    assert "used the CPU budget of 3 s" not in details


@pytest.mark.parametrize("forged", ['enter "begin 0"', 'leave "item_end 0 0 0" ""'])
def test_a_whole_program_has_one_phase(engine: Engine, forged: str) -> None:
    budget = Budget(tests_cpu_s=3.0, tests_wall_s=60.0).flat(0.1)
    cases = (StdioCase(stdin="2\n", stdout="2\n"),)
    code = FORGING % forged + "let () = print_int (f (read_int ()))"
    results = graded(engine, code, cases, budget)

    assert "used its CPU budget" == results[0].detail
