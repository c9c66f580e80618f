"""Each assertion is a check of its own, whatever the others do."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from ocaml_reward import EngineFault, MachineError, Problem
from ocaml_reward.engine import Budget, CheckReport, CheckRequest
from ocaml_reward.engine.engines import select
from ocaml_reward.model import Outcome

Check = Callable[..., CheckReport]

TESTS = """let () =
  assert (f 1 = 1);
  assert (f 2 = 2);
  assert (f 3 = 3)
"""


def test_near_two_limits_there_is_one_outcome(check: Check) -> None:
    """What is stopped with much of its memory in use ran out of memory; else of time."""
    code = """let f x =
  let held = List.init (if x = 2 then 40 else 4) (fun _ -> Bytes.create 4_000_000) in
  while List.length held > 0 do () done; x"""
    ended = check(code, TESTS, budget=Budget().flat(2_000_000)).results

    assert [
        (Outcome.TIMED_OUT, "took more steps than a check may"),
        (Outcome.OUT_OF_MEMORY, ""),
        (Outcome.TIMED_OUT, "took more steps than a check may"),
    ] == [(each.outcome, each.detail) for each in ended]


def test_results_name_the_line_of_their_assertion(check: Check) -> None:
    """A result carries the line in the tests' own text, and counts from 1."""
    report = check("let f x = x", TESTS)

    assert [(1, 2), (2, 3), (3, 4)] == [(r.index, r.line) for r in report.results]


FULL = """
import resource
from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine.engines.stock import StockEngine
problem = Problem(id="p", tests="let () = assert (f 1 = 1)")
with Grader("concise", engine=StockEngine(), jobs=1) as grader:
    grader.prepare(problem)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    breakdown = grader.grade(problem, Completion(text="let f x = x"))
    print(breakdown.reward, breakdown.fault.kind, len(breakdown.fault.message) < 200)
"""


def test_no_room_for_the_work_folder_is_the_machines_fault() -> None:
    """Where nothing can be written there is no verdict, and no zero either."""
    done = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, check=False)

    assert "None EngineFault True\n" == done.stdout, done.stderr


@pytest.mark.parametrize("name", ["warm", "stock"])
def test_closing_the_engine_ends_what_runs(name: str) -> None:
    """A closed engine kills its programs at once, wherever they are, and starts no more."""
    engine = select.engine(name)
    prepared = engine.prepare(Problem(id="p", tests=TESTS))
    looping = CheckRequest(
        code="let f _ = while true do () done; 0",
        tests=prepared,
        budget=Budget(check_cpu_s=60, tests_cpu_s=60, tests_steps=10**12).flat(10**12),
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
