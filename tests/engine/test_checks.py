"""Each assertion is a check of its own, whatever the others do."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from ocaml_reward import EngineFault, MachineError, Problem
from ocaml_reward.engine import Budget, CheckReport, CheckRequest, select
from ocaml_reward.model import Outcome, StdioCase

Check = Callable[..., CheckReport]

TESTS = """let () =
  assert (f 1 = 1);
  assert (f 2 = 2);
  assert (f 3 = 3)
"""


def outcomes(report: CheckReport) -> list[Outcome]:
    return [result.outcome for result in report.results]


@pytest.mark.parametrize(
    ("at_two", "outcome"),
    [
        ("2", Outcome.PASSED),
        ("7", Outcome.FAILED),
        ("raise Not_found", Outcome.RAISED),
        ("assert false", Outcome.FAILED),
        ("exit 0", Outcome.EXITED),
        ("while true do () done; 2", Outcome.TIMED_OUT),
        ("let rec g x = 1 + g x in g 1", Outcome.STACK_OVERFLOW),
        ("Array.length (Array.make 1_000_000_000 0)", Outcome.OUT_OF_MEMORY),
        ('while true do print_string "flood" done; 2', Outcome.OUTPUT_LIMIT),
    ],
)
def test_a_check_that_goes_wrong_costs_itself_only(
    check: Check, at_two: str, outcome: Outcome
) -> None:
    """However one check ends, the checks before and after it are unaffected."""
    report = check(f"let f x = if x = 2 then ({at_two}) else x", TESTS)

    assert [Outcome.PASSED, outcome, Outcome.PASSED] == outcomes(report)


def test_output_of_a_library_is_counted_too(check: Check) -> None:
    """What is loaded into the running process writes as the runtime does."""
    code = """let f x =
  if x = 2 then while true do ignore (Unix.write_substring Unix.stdout "flood" 0 5) done; x"""

    assert [Outcome.PASSED, Outcome.OUTPUT_LIMIT, Outcome.PASSED] == outcomes(
        check(code, TESTS, libraries=("unix",))
    )


def test_a_library_reads_standard_input_too(check: Check) -> None:
    """By whichever name of libc's it does."""
    code = """let () =
  let b = Bytes.create 9 in
  print_string (Bytes.sub_string b 0 (Unix.read Unix.stdin b 0 9));
  print_int (Unix.read Unix.stdin b 0 9)"""
    cases = (StdioCase(stdin="abc\n", stdout="abc\n0"),)

    assert [Outcome.PASSED] == outcomes(check(code, cases, libraries=("unix",)))


def test_near_two_limits_there_is_one_outcome(check: Check) -> None:
    """What the clock stops with much of its memory in use ran out of memory; else of time."""
    code = """let f x =
  let held = List.init (if x = 2 then 40 else 4) (fun _ -> Bytes.create 4_000_000) in
  while List.length held > 0 do () done; x"""
    ended = check(code, TESTS, budget=Budget().flat(0.4)).results

    assert [
        (Outcome.TIMED_OUT, "used its CPU budget"),
        (Outcome.OUT_OF_MEMORY, ""),
        (Outcome.TIMED_OUT, "used its CPU budget"),
    ] == [(each.outcome, each.detail) for each in ended]


def test_later_checks_find_the_state_that_earlier_ones_left(check: Check) -> None:
    """After a check that ended the process, the others run as if only it was left out."""
    code = "let n = ref 0\nlet f x = incr n; if x = 2 then exit 1 else !n"
    tests = "let () =\n  assert (f 1 = 1);\n  assert (f 2 = 9);\n  assert (f 3 = 2)"

    expected = [Outcome.PASSED, Outcome.EXITED, Outcome.PASSED]
    assert expected == outcomes(check(code, tests))


def test_the_number_of_checks_that_may_time_out_is_bounded(check: Check) -> None:
    """Checks that loop use up what they may have together, and the rest is not run."""
    asserts = ";\n".join(f"  assert (f {n} = {n})" for n in range(14))
    report = check("let f _ = while true do () done; 0", f"let () =\n{asserts}")

    assert [Outcome.TIMED_OUT] * 11 + [Outcome.NOT_RUN] * 3 == outcomes(report)


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ("let f x = x\nlet () = exit 0", Outcome.EXITED),
        ('let f x = x\nlet () = failwith "at start"', Outcome.RAISED),
        ("let f x = x\nlet () = while true do () done", Outcome.TIMED_OUT),
    ],
)
def test_code_that_ends_at_its_own_top_level_fails_every_check(
    check: Check, code: str, outcome: Outcome
) -> None:
    """Checks that never ran have not passed, whatever the exit status says."""
    assert [outcome] * 3 == outcomes(check(code, TESTS))


def test_results_name_the_line_of_their_assertion(check: Check) -> None:
    """A result carries the line in the tests' own text, and counts from 1."""
    report = check("let f x = x", TESTS)

    assert [(1, 2), (2, 3), (3, 4)] == [(r.index, r.line) for r in report.results]


def test_a_raising_check_says_what_was_raised(check: Check) -> None:
    """The detail of a check that raised is the exception."""
    report = check('let f _ = failwith "no idea"', TESTS)

    assert 'Failure("no idea")' == report.results[0].detail


PROGRAM = "let () = print_int (int_of_string (read_line ()) * 2); print_newline ()"
CASES = (StdioCase(stdin="2\n", stdout="4\n"), StdioCase(stdin="5\n", stdout="10"))


def test_programs_are_judged_on_their_output(check: Check) -> None:
    """Each stdin/stdout case is a run of its own; blanks at line ends do not count."""
    assert [Outcome.PASSED] * 2 == outcomes(check(PROGRAM, CASES))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('let () = print_endline "4"', [Outcome.PASSED, Outcome.FAILED]),
        (PROGRAM + "\nlet () = exit 0", [Outcome.PASSED, Outcome.PASSED]),
        (PROGRAM + "\nlet () = exit 3", [Outcome.EXITED, Outcome.EXITED]),
        (PROGRAM + "\nlet () = raise Exit", [Outcome.RAISED, Outcome.RAISED]),
        ("let () = while true do () done", [Outcome.TIMED_OUT, Outcome.TIMED_OUT]),
        (
            "let () = while true do print_char 'x' done",
            [Outcome.OUTPUT_LIMIT, Outcome.OUTPUT_LIMIT],
        ),
    ],
)
def test_a_program_must_print_the_answer_and_end_well(
    check: Check, code: str, expected: list[Outcome]
) -> None:
    """Output counts only from a program that ends with status 0 within its budget."""
    assert expected == outcomes(check(code, CASES))


LIBRARIES = {
    "str": (
        'let f x = if Str.string_match (Str.regexp "[0-9]+") x 0 then 1 else 0',
        'let () = assert (f "12" = 1); assert (f "ab" = 0)',
    ),
    "unix": (
        "let f x = (Unix.gmtime x).Unix.tm_year",
        "let () = assert (f 0. = 70); assert (f 1e9 = 101)",
    ),
    "zarith": (
        "let rec f n = if n = 0 then Z.one else Z.mul (Z.of_int n) (f (n - 1))",
        'let () = assert (Z.to_string (f 3) = "6"); assert (Z.numbits (f 100) = 525)',
    ),
}
"""Code and tests by the library they use; `scripts/setup --dev` has zarith installed."""


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_findlib_library_can_be_used(check: Check, library: str) -> None:
    """A problem's `libraries` are on the path, C stubs included."""
    code, tests = LIBRARIES[library]
    report = check(code, tests, libraries=(library,))

    assert [Outcome.PASSED] * 2 == outcomes(report)


def test_objects_and_lazy_values_work_in_the_jail(check: Check) -> None:
    """Hiding Obj from the code takes nothing away that the compiler itself uses."""
    code = "class c = object method m (x : int) = x end\nlet f x = Lazy.force (lazy ((new c)#m x))"

    assert [Outcome.PASSED] * 3 == outcomes(check(code, TESTS))


FULL = """
import resource
from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine.stock import StockEngine
problem = Problem(id="p", tests="let () = assert (f 1 = 1)")
with Grader("concise", engine=StockEngine(), jobs=1) as grader:
    grader.prepare(problem)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    breakdown = grader.grade(problem, Completion(text="let f x = x"))
    print(breakdown.reward, breakdown.fault.kind, len(breakdown.fault.message) < 200)
"""


def test_no_room_for_the_work_folder_is_the_machines_fault() -> None:
    """Where nothing can be written there is no verdict, and no zero either."""
    done = subprocess.run(
        [sys.executable, "-c", FULL], capture_output=True, text=True, check=False
    )

    assert "None EngineFault True\n" == done.stdout, done.stderr


@pytest.mark.parametrize("name", ["warm", "stock"])
def test_closing_the_engine_ends_what_runs(name: str) -> None:
    """A closed engine kills its programs at once, wherever they are, and starts no more."""
    engine = select.engine(name)
    prepared = engine.prepare(Problem(id="p", tests=TESTS))
    looping = CheckRequest(
        code="let f _ = while true do () done; 0",
        tests=prepared,
        budget=Budget(tests_cpu_s=60).flat(60),
    )
    with ThreadPoolExecutor(2) as pool:
        running = [pool.submit(engine.check, looping) for _ in range(2)]
        time.sleep(1)
        engine.close()
        errors = [future.exception() for future in running]

    # A program that was let run on would end at its budget, and be no fault.
    assert all(isinstance(error, MachineError) for error in errors)
    with pytest.raises(EngineFault, match="closed"):
        engine.check(looping)
