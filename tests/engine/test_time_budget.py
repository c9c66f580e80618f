"""What all checks may take holds over whatever is run for them, and nothing else decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ocaml_reward import Completion, Grader
from ocaml_reward.engine import CheckReport, CheckRequest, Engine
from ocaml_reward.model import (
    Budget,
    CheckResult,
    Limit,
    Outcome,
    Problem,
    Stage,
    StdioCase,
)

from .busy import busy
from .slow import SLOW, WORK, checks

PASSED, NOT_RUN = Outcome.PASSED, Outcome.NOT_RUN
BUDGET = Budget(tests_steps=10 * WORK).flat(5 * WORK)


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
    """The check in which the steps of all are used up times out, and the rest is not run."""
    results = graded(engine, "let f n = work n", checks(12))
    steps = WORK + 1
    last = 10 * WORK - 9 * steps

    assert [*[steps] * 9, last, None, None] == [each.steps for each in results]
    assert [*[PASSED] * 9, Outcome.TIMED_OUT, *[NOT_RUN] * 2] == [r.outcome for r in results]
    assert "took more steps than all checks may" == results[9].detail
    assert "the steps of all checks were used up" == results[-1].detail


def test_what_is_run_once_more_counts_as_well(engine: Engine) -> None:
    """Checks that ran before and run again beside those that end the process use it up."""
    code = "let f n = if n >= 3 then exit 3 else work n"
    outcomes = [each.outcome for each in graded(engine, code, checks(9))]

    # Three checks in each of three runs, and one more in a fourth.
    assert [PASSED] * 3 + [Outcome.EXITED] * 3 + [NOT_RUN] * 3 == outcomes


def test_a_run_counts_whatever_it_takes(engine: Engine) -> None:
    """A program that ends in each of a thousand checks is not started as often."""
    outcomes = [each.outcome for each in graded(engine, "let f n = exit n", checks(60), Budget())]

    assert [Outcome.EXITED] * 50 + [NOT_RUN] * 10 == outcomes


def test_all_cases_share_one_budget(engine: Engine) -> None:
    """A program that runs once per case has one budget for all of them."""
    cases = tuple(StdioCase(stdin=f"{n}\n", stdout=f"{n}\n") for n in range(40))
    code = "let () = print_int (List.fold_left (fun n _ -> work n) (read_int ()) [1; 2; 3; 4])"
    outcomes = [each.outcome for each in graded(engine, code, cases)]

    assert [PASSED] * 2 + [Outcome.TIMED_OUT] + [NOT_RUN] * 37 == outcomes


def test_a_budget_of_a_check_stays_its_own(engine: Engine) -> None:
    """As many checks as the steps of all have room for may use up theirs, and say so; what reading
    the events takes counts, too.
    """
    code = "let f n = if n < 9 then while true do () done; n"
    results = graded(engine, code, checks(10))

    own, shared = "took more steps than a check may", "took more steps than all checks may"
    assert [own, shared] == [r.detail for r in results[:2]]
    assert [NOT_RUN] * 8 == [r.outcome for r in results[2:]]


@pytest.mark.parametrize("others", [0, 4])
def test_what_else_runs_changes_nothing(engine: Engine, others: int) -> None:
    """Code that needs less than its budget passes beside others as it does alone."""
    budget = Budget(tests_steps=50 * WORK)
    with busy(others):
        results = graded(engine, "let f n = if n = 7 then 0 else work n", checks(20), budget)

    assert [7] == [each.index - 1 for each in results if each.outcome is not PASSED]
    assert [WORK + 1] * 19 == [each.steps for each in results if each.outcome is PASSED]


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
    short = Budget(check_cpu_s=0.001, tests_cpu_s=0.001, tests_steps=1000)
    told = [engine.prepare(problem, each).outside for each in (Budget(), short)]

    assert [True, False] == [bool(each and each.expected) for each in told]


@pytest.mark.parametrize(
    ("prints", "outcome"),
    [
        ('print_string "a line of text\\n"', Outcome.OUTPUT_LIMIT),
        # The steps come first.
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
    results = graded(engine, code, checks(3))

    assert [PASSED, outcome, PASSED] == [each.outcome for each in results]


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
def test_no_phase_counts_from_nothing_again(engine: Engine, forged: str) -> None:
    """Code that says again and again that a phase begins has what all phases have."""
    budget = Budget(tests_steps=10_000_000).flat(1_000_000)
    results = graded(engine, FORGING % forged, checks(3), budget)
    details = {each.detail for each in results}

    assert not details.isdisjoint(
        {"took more steps than a check may", "took more steps than all checks may"}
    )
    assert Limit.CPU not in {each.limit for each in results}


@pytest.mark.parametrize("forged", ['enter "begin 0"', 'leave "item_end 0 0 0" ""'])
def test_a_whole_program_has_one_phase(engine: Engine, forged: str) -> None:
    budget = Budget(tests_steps=10_000_000).flat(1_000_000)
    cases = (StdioCase(stdin="2\n", stdout="2\n"),)
    code = FORGING % forged + "let () = print_int (f (read_int ()))"
    results = graded(engine, code, cases, budget)

    assert (Limit.STEPS, 1_000_000) == (results[0].limit, results[0].steps)
