"""A warm server dies, hangs or is used up: records are what they were, or there is a fault."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ocaml_reward import Completion, EngineFault, Grader, Problem
from ocaml_reward.engine import Budget, CheckRequest
from ocaml_reward.engine.engines import exchange, pool
from ocaml_reward.engine.engines.warm import WarmEngine
from ocaml_reward.model import Outcome, Stage

# The second check is decided beside the code, so that one server serves for all there is.
TESTS = "let () =\n  assert (f 1 = 1);\n  assert (f 2 = f (f 2))"
HONEST = "let f x = x"
LOOPING = "let f x = while true do () done; x"


# Those of the engine that other tests share: no part of what is tested here.
OTHERS: set[int] = set()


@pytest.fixture(autouse=True)
def others() -> None:
    """Take the engine's processes that are there before a test for those of others."""
    OTHERS.clear()
    OTHERS.update(ours("server"), ours("run"))


@pytest.fixture
def engine(others: None) -> Iterator[WarmEngine]:
    engine = WarmEngine()
    yield engine
    engine.close()


def request(engine: WarmEngine, code: str, **budget: float) -> CheckRequest:
    tests = engine.prepare(Problem(id="p", tests=TESTS))
    return CheckRequest(code=code, tests=tests, budget=Budget(**budget))  # type: ignore[arg-type]


def ours(name: str) -> list[int]:
    """Return the processes below this one that run the engine's program of that name, but for
    those of others.
    """
    parents: dict[int, int] = {}
    named: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text().rpartition(")")[2].split()
            first = (folder / "cmdline").read_bytes().split(b"\0")[0].decode()
        except OSError:
            continue
        parents[int(folder.name)] = int(stat[1])
        if first == f"/engine/{name}" and stat[0] != "Z":
            named.append(int(folder.name))

    def is_ours(pid: int) -> bool:
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return [pid for pid in named if pid not in OTHERS and is_ours(pid)]


def send(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        # One may take the others with it.
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@pytest.mark.parametrize("name", ["server", "run"])
def test_a_killed_engine_is_replaced(engine: WarmEngine, name: str) -> None:
    """Whichever process is killed, the grader tries once more on a fresh one and has the
    record of an undisturbed run.
    """
    problem, honest = Problem(id="p", tests=TESTS), Completion(text=HONEST)
    with Grader("concise", engine=engine, jobs=1) as grader:
        before = grader.grade(problem, honest)
        send(ours(name), signal.SIGKILL)
        after = grader.grade(problem, Completion(text=f"{HONEST} "))

    assert before.fault is None
    assert (before.reward, before.tests) == (after.reward, after.tests)


def test_an_engine_killed_in_mid_run_costs_a_fault_or_nothing(
    engine: WarmEngine,
) -> None:
    """A program that runs while its server dies has no verdict; the next has."""
    looping = request(
        engine, LOOPING, check_cpu_s=30, most_steps=10**12, tests_steps=10**12, tests_cpu_s=30
    )
    errors: list[BaseException | None] = []

    def check() -> None:
        try:
            engine.check(looping)
        except EngineFault as error:
            errors.append(error)

    thread = threading.Thread(target=check)
    thread.start()
    time.sleep(0.5)
    send(ours("server"), signal.SIGKILL)
    thread.join(10)

    assert not thread.is_alive()
    assert 1 == len(errors)
    report = engine.check(request(engine, HONEST))
    assert [Outcome.PASSED] * 2 == [result.outcome for result in report.results]


def test_a_hung_engine_is_given_up(engine: WarmEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not answer within the budget and some grace is ended."""
    monkeypatch.setattr(exchange, "GRACE_S", 0.5)
    engine.check(request(engine, HONEST))
    asked = request(engine, HONEST, compile_wall_s=0.5, tests_wall_s=0.5)
    stopped = ours("server")
    send(stopped, signal.SIGSTOP)

    with pytest.raises(EngineFault, match="did not answer in time"):
        engine.check(asked)

    # The one of the other kind that waits is as it was.
    left = set(stopped) & set(ours("server"))
    assert left < set(stopped)
    assert Stage.EXECUTABLE is engine.check(request(engine, HONEST)).stage
    send(list(left), signal.SIGCONT)


def test_servers_and_checkers_are_renewed(
    engine: WarmEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Renewal shows in no report, and leaves no process behind."""
    monkeypatch.setattr(pool, "_RENEWAL", 2)
    monkeypatch.setattr(pool, "_REQUESTS", 5)
    servers: set[int] = set()
    reports = []
    for number in range(12):
        reports.append(engine.check(request(engine, f"let f x = x + {number:02} * 0")))
        servers |= set(ours("server"))

    assert {reports[0]} == set(reports)
    # A zygote and a checker at a time, of each kind; each pair is another one later.
    assert len(servers) > 8
    assert len(ours("server")) <= 4


def resident_kb(pid: int) -> int:
    """Return the memory of its own that a process has in use."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("RssAnon:")[1].split()[0])


def test_a_checker_keeps_little_of_what_it_has_checked(engine: WarmEngine) -> None:
    """What the compiler notes of one program's types does not outlive it."""
    lines = "\n".join(f"let g{n} x = List.map (fun y -> (y, x)) [ {n}; x ]" for n in range(30))
    programs = [f"{lines}\nlet f x = x + {number} * 0" for number in range(60)]
    for program in programs[:20]:
        engine.check(request(engine, program))
    before = {pid: resident_kb(pid) for pid in ours("server")}
    for program in programs[20:]:
        engine.check(request(engine, program))
    grown = [resident_kb(pid) - before[pid] for pid in ours("server")]

    # 222 kB a program where they do, else 62, or 90 with OCaml 5.4.1.
    assert max(grown) < 40 * 130


def test_code_that_exhausts_the_compiler_costs_itself_only(engine: WarmEngine) -> None:
    """The next completion finds a checker as good as new."""
    deep = "let f x = " + "(not " * 200_000 + "x" + ")" * 200_000
    pairs = "let f0 x = (x, x)\n" + "".join(
        f"let f{n} x = f{n - 1} (f{n - 1} x)\n" for n in range(1, 20)
    )

    stages = [
        engine.check(request(engine, code, compile_cpu_s=0.5)).stage
        for code in (deep, HONEST, pairs, HONEST)
    ]

    limit, good = Stage.COMPILER_LIMIT, Stage.EXECUTABLE
    assert [limit, good, limit, good] == stages


NOTHING_WRITTEN = """
import os, resource
from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine.engines.warm import WarmEngine
problem = Problem(id="p", tests="let () = assert (f 1 = 1)")
with Grader("concise", engine=WarmEngine(), jobs=1) as grader:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    grader.prepare(problem)
    for text in ("let f x = x", "let f x = x + []", "let f = ("):
        print(grader.grade(problem, Completion(text=text)).verdict)
"""


def test_nothing_is_written_to_disk() -> None:
    """Code and tests travel as bytes: no file may have one, and all is as ever."""
    done = subprocess.run(
        [sys.executable, "-c", NOTHING_WRITTEN],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert "passed\ntype_error\nsyntax_error\n" == done.stdout, done.stderr


FORKED = """
import os
from ocaml_reward import Completion, Grader, Problem
problem = Problem(id="p", tests="let () = assert (f 1 = 1)")
with Grader("concise", jobs=1) as grader:
    first = grader.grade(problem, Completion(text="let f x = x"))
    if (pid := os.fork()) == 0:
        second = grader.grade(problem, Completion(text="let f x = x * 1"))
        grader.close()
        os._exit(0 if second.reward == first.reward == 1.0 else 1)
    _, status = os.waitpid(pid, 0)
    third = grader.grade(problem, Completion(text="let f x = x + 0"))
    print(first.engine, status, third.reward)
"""


def test_a_forked_child_has_servers_of_its_own() -> None:
    """A grader is as good in a forked child, whose end does not disturb the parent's."""
    done = subprocess.run(
        [sys.executable, "-c", FORKED], capture_output=True, text=True, check=False
    )

    assert "warm 0 1.0\n" == done.stdout, done.stderr


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_outlives_a_grading_process(number: signal.Signals) -> None:
    """However the process ends that scores, no process of its engine is left."""
    script = f"""
from ocaml_reward import Completion, Grader, Problem
problem = Problem(id="p", tests={TESTS!r})
grader = Grader("concise", jobs=1)
print(grader.grade(problem, Completion(text="let f x = x")).reward, flush=True)
grader.grade(problem, Completion(text={LOOPING!r}))
"""
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        found = ours("server") + ours("run")
        process.send_signal(number)
        process.wait(10)
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in found):
        assert time.monotonic() < deadline, "processes are left"
        time.sleep(0.05)

    assert len(found) >= 3
