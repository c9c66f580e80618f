"""How a checker ends at some code is that code's doing, unless the machine ends others, too."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import BUDGET, Budget, CheckRequest
from ocaml_reward.engine.engines import self_test, server
from ocaml_reward.engine.engines.exchange import Exchange, Exhausted
from ocaml_reward.engine.engines.select import engine as started
from ocaml_reward.engine.engines.warm import WarmEngine
from ocaml_reward.engine.messages.limits import trusted_limits
from ocaml_reward.errors import EngineFault
from ocaml_reward.model import Outcome, Stage

PROBLEM = Problem(id="next", tests="let () = assert (f 1 = 2)")
GOOD = "let f x = x + 1"
# Takes all the memory that there is, where time is no limit.
GREEDY = "let a = function " + "_::" * 4000 + "_ -> 0 | _ -> 1\n" + GOOD
# Takes the compiler a second or two.
SLOW = "let a = " + "fun _ -> " * 3500 + "1\n" + GOOD
TIME = Budget(compile_cpu_s=30, compile_wall_s=60)
LONG = Budget()


@pytest.fixture
def engine() -> Iterator[WarmEngine]:
    made = started("warm")
    assert isinstance(made, WarmEngine)
    yield made
    made.close()


def request(engine: WarmEngine, code: str, budget: Budget = BUDGET) -> CheckRequest:
    return CheckRequest(code=code, tests=engine.prepare(PROBLEM), budget=budget)


def stat_of(process: Path) -> tuple[int, float]:
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return int(fields[1]), seconds


def checkers() -> dict[int, float]:
    """Return the checkers of this process' servers with the seconds that each has used: those are
    servers of servers.
    """
    parents: dict[int, int] = {}
    found: dict[int, float] = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            pid = int(process.name)
            parents[pid], seconds = stat_of(process)
            if (process / "cmdline").read_bytes().startswith(b"/engine/server\0"):
                found[pid] = seconds

    def is_ours(pid: int) -> bool:
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return {
        pid: seconds for pid, seconds in found.items() if parents[pid] in found and is_ours(pid)
    }


@contextmanager
def killing(after_s: float, most: int = 1000) -> Iterator[list[int]]:
    """Kill, as the kernel does where memory is short, the checkers that have used so many seconds."""
    killed: list[int] = []
    over = threading.Event()

    def kill() -> None:
        while not over.wait(0.01):
            for pid, seconds in checkers().items():
                if seconds >= after_s and pid not in killed and len(killed) < most:
                    killed.append(pid)
                    os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


def test_a_runtime_that_gives_up_is_the_codes_doing(
    engine: WarmEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The heap is full in the middle of a collection, where nothing can be raised: it aborts."""
    monkeypatch.setattr(server, "_SPARE_BYTES", 64 << 20)
    asked = request(engine, GREEDY, TIME)
    engine.restart()
    with killing(after_s=1000) as killed:
        report = engine.check(asked)
    after = engine.check(request(engine, GOOD))

    assert Stage.COMPILER_LIMIT is report.stage
    assert [Outcome.PASSED] == [each.outcome for each in after.results]
    assert ({}, []) == (dict(engine.replaced), killed)


def test_one_kill_from_outside_costs_nothing(engine: WarmEngine) -> None:
    """The code is checked once more, by a checker whose server has graded known programs."""
    asked = request(engine, SLOW, TIME)
    undisturbed = engine.check(asked)
    with killing(after_s=0.3, most=1) as killed:
        report = engine.check(asked)

    assert 1 == len(killed)
    assert (Stage.EXECUTABLE, undisturbed.results) == (report.stage, report.results)
    assert {} == dict(engine.replaced)


def test_what_is_killed_each_time_is_the_codes_doing(engine: WarmEngine) -> None:
    """A machine that kills three checkers at one code, and none at known programs, minds the code."""
    asked = request(engine, SLOW, TIME)
    with killing(after_s=0.3) as killed:
        report = engine.check(asked)
    after = engine.check(request(engine, GOOD))

    # Where the machine is slow, checkers of known programs may have been among them.
    assert Stage.COMPILER_LIMIT is report.stage
    assert len(killed) >= 3
    assert [Outcome.PASSED] == [each.outcome for each in after.results]
    assert {} == dict(engine.replaced)


def test_a_machine_that_kills_known_programs_too_is_at_fault(
    engine: WarmEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code has no verdict there."""
    slow = SLOW.replace("let f x = x + 1", "let half x = x / 2")
    monkeypatch.setattr(self_test, "_PROGRAMS", {slow: (Stage.EXECUTABLE, 0, [])})
    asked = request(engine, SLOW, TIME)
    with killing(after_s=0.3), pytest.raises(EngineFault, match="killed"):
        engine.check(asked)

    monkeypatch.undo()
    assert Stage.EXECUTABLE is engine.check(request(engine, GOOD)).stage


def test_a_kill_while_a_program_runs_costs_nothing(engine: WarmEngine) -> None:
    """The checker only waits then; its server ends with it, and another one checks the code."""
    asked = request(engine, "let f x = while true do () done; x", LONG)
    undisturbed = engine.check(asked)
    reports = []
    thread = threading.Thread(target=lambda: reports.append(engine.check(asked)))
    thread.start()
    time.sleep(0.5)
    for pid in checkers():
        os.kill(pid, signal.SIGKILL)
    thread.join()

    assert [Outcome.TIMED_OUT] == [each.outcome for each in undisturbed.results]
    assert [undisturbed.results] == [each.results for each in reports]
    assert {} == dict(engine.replaced)


def test_a_checker_that_dies_with_a_program_that_is_to_run_again_is_told(
    engine: WarmEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that follows it has no such program, and says how the last one died."""
    monkeypatch.setattr(server, "_SPARE_BYTES", 64 << 20)
    asked = request(engine, GREEDY, TIME)
    engine.restart()
    with engine._servers.lend((), TIME) as lent:
        assert Stage.COMPILER_LIMIT is Exchange(lent, asked).compile(run=False).stage
        work = Exchange(lent, request(engine, GOOD))
        assert Stage.EXECUTABLE is work.compile(run=False).stage
        lent.renew()
        with pytest.raises(Exhausted):
            work.start((), trusted_limits(BUDGET), cpu_s=1, wall_s=5)


@pytest.mark.parametrize("jobs", [1, 3])
def test_neighbours_are_graded_as_alone(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    """A checker's death shows in no other completion, at any number of workers."""
    monkeypatch.setattr(server, "_SPARE_BYTES", 64 << 20)
    texts = [f"{GOOD} + {n} - {n}" if n % 4 else f"{GREEDY} + {n}" for n in range(8)]
    with Grader("concise", engine=started("warm"), jobs=jobs) as grader:
        found = [
            (each.verdict.value, each.fault)
            for each in grader.grade_many((PROBLEM, Completion(text=text)) for text in texts)
        ]
        replaced = dict(grader.replaced)

    assert [("compiler_limit", None), *[("passed", None)] * 3] * 2 == found
    assert {} == replaced
