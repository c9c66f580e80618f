"""
Runs a linked program, as often as its checks need; in which jail is its engine's affair.
"""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from ..errors import EngineFault
from ..model import Budget, Check, CheckResult, Outcome
from . import PreparedTests
from .judge import Handed
from .protocol import Event
from .tally import Decide, Ending, Progress, as_reported
from .values import Witness

__all__ = [
    "Program",
    "Run",
    "count_cases",
    "run_checks",
    "run_stdio",
    "settings",
    "started",
]

# An exit status of lock.c; believed only where nothing says that the program began.
_LOCK_FAILED = 97
# Beyond what is left for all checks: a check that uses up its own budget in the last of
# that time is told apart from one that had no more.
_SPARE_S = 0.25
# What starting a program once more costs at least, so that a program that leaves early in
# each of a thousand checks is not started a thousand times.
_RESTART_S = 0.1
# What a run used is counted in steps of this, rounded down: what it costs to load a program
# is less, and so is by how much a timer is late.
_STEP_S = 0.005
# Events with the CPU time in microseconds that end what is said of a run.
_LAST = ("done", "used", "timeout", "spent", "flood")
# The runtime's own, for an exception that nobody caught.
_UNCAUGHT = 2


class Run(Protocol):
    """
    How one run of a program ended, from the host's own records, as JailRun has it.
    """

    @property
    def exit_code(self) -> int | None: ...  # noqa: D102
    @property
    def signal(self) -> int | None: ...  # noqa: D102
    @property
    def wall_exceeded(self) -> bool: ...  # noqa: D102
    @property
    def output_exceeded(self) -> bool: ...  # noqa: D102
    @property
    def cpu_s(self) -> float: ...  # noqa: D102
    @property
    def stdout(self) -> bytes: ...  # noqa: D102
    @property
    def stderr(self) -> bytes: ...  # noqa: D102


class Program(Protocol):
    """
    A linked program that can be run, locked, as often as it takes.
    """

    @property
    def budget(self) -> Budget:
        """
        What it may use.
        """
        ...

    def start(
        self, skip: Sequence[str], *, stdin: bytes = b"", cpu_s: float, wall_s: float
    ) -> tuple[Run, list[Event]]:
        """
        Run it once, leaving out the checks ("c3") and statements ("g0") in `skip`;
        `cpu_s` is what is left of the CPU time for all checks.

        Raises EngineFault where the lock refused or the run could not start.
        """
        ...


def settings(
    budget: Budget,
    secret: str,
    skip: Sequence[str],
    *,
    cpu_s: float,
    wall_s: float | None = None,
) -> str:
    """
    Write what the lock reads before the code's own first line (lock.c).
    """
    check_ms = round(budget.check_cpu_s * 1000)
    left_ms = round((cpu_s + _SPARE_S) * 1000)
    memory = budget.memory_mb * 1024 * 1024
    wall = "" if wall_s is None else f"{round(wall_s * 1000)} "
    left_out = ",".join(skip) or "-"
    return (
        f"{secret} {check_ms} {left_ms} {budget.output_bytes} {memory} {wall}{left_out}"
    )


def started(run: Run, events: list[Event], log: str = "") -> None:
    """
    Raise EngineFault for a run of which the lock did not say that it began.
    """
    if any(event.name == "hello" for event in events):
        return
    if run.exit_code == _LOCK_FAILED:
        raise EngineFault("this machine refused the runner's lock (seccomp)")
    raise EngineFault(
        f"the program did not start in its jail (exit {run.exit_code},"
        f" signal {run.signal}): {log or run.stderr[-200:]!r}"
    )


def run_checks(
    program: Program,
    tests: PreparedTests,
    decide: Decide = as_reported,
    see: Callable[[Sequence[Event]], None] | None = None,
) -> tuple[CheckResult, ...]:
    """
    Return one result per check, as `decide` has it after it could `see` what happened.

    Together, and over all that is run once more, they may spend tests_cpu_s, so that
    tests_cpu_s / check_cpu_s of them may use up their CPU budget; the program ends where
    that is used up, and the rest is not run.  Nor is it after tests_wall_s in all, which
    a program meets that waits.
    """
    progress = Progress(tests.checks, decide)
    budget = program.budget
    spent = 0.0
    deadline = time.monotonic() + budget.tests_wall_s
    while not progress.finished:
        left = deadline - time.monotonic()
        if spent >= budget.tests_cpu_s or left <= 0:
            progress.give_up("the time for all checks was used up")
            break
        cpu_s = budget.tests_cpu_s - spent
        run, events = program.start(progress.skip, cpu_s=cpu_s, wall_s=left)
        ending = _ending(run, events, budget)
        spent += max(_cost(run, events, budget), _RESTART_S)
        if see is not None:
            see(events)
        progress.absorb(events, ending)
    return progress.in_order()


def run_stdio(
    program: Program, tests: PreparedTests, witness: Witness
) -> tuple[CheckResult, ...]:
    """
    Run the program once per case and compare what it prints, which `witness` sees.

    Trailing blanks on a line and blank lines at the end do not count, as is usual for
    programs judged on their output.
    """
    results: list[CheckResult] = []
    budget = program.budget
    spent = 0.0
    deadline = time.monotonic() + budget.tests_wall_s
    for check, case in zip(tests.checks, tests.stdio, strict=True):
        left = deadline - time.monotonic()
        if spent >= budget.tests_cpu_s or left <= 0:
            ending = Ending(
                outcome=Outcome.NOT_RUN, detail="the time for all checks was used up"
            )
        else:
            stdin = case.stdin.encode("utf-8", "replace")
            cpu_s = budget.tests_cpu_s - spent
            run, events = program.start([], stdin=stdin, cpu_s=cpu_s, wall_s=left)
            ending = _ending(run, events, budget)
            spent += _cost(run, events, budget)
            if run.exit_code == 0 and ending.outcome is Outcome.EXITED:
                printed = run.stdout.decode("utf-8", "replace")
                witness.saw(len(results), {0: Handed("\n".join(_lines(printed)))})
                same = _lines(printed) == _lines(case.stdout)
                ending = Ending(
                    outcome=Outcome.PASSED if same else Outcome.FAILED,
                    detail="" if same else _difference(printed, case.stdout),
                )
        results.append(
            CheckResult(
                index=check.index,
                line=check.line,
                outcome=ending.outcome,
                detail=ending.detail,
            )
        )
    return tuple(results)


def count_cases(program: Program) -> tuple[Check, ...]:
    """
    Run a suite that builds its cases in code, and return them as checks.
    """
    budget = program.budget
    _, events = program.start([], cpu_s=budget.tests_cpu_s, wall_s=budget.tests_wall_s)
    return tuple(
        Check(index=index, line=int(event.arguments[1]), source=event.detail)
        for index, event in enumerate(
            (event for event in events if event.name == "case"), start=1
        )
    )


def _cost(run: Run, events: list[Event], budget: Budget) -> float:
    # From the code's own first line on, as the lock counts; the jail's record, which has
    # the jail's own time in it, for code that crashed.  A check that timed out costs its
    # budget exactly.
    last = events[-1]
    if run.wall_exceeded or last.name == "spent" or _by_limit(run):
        return budget.tests_cpu_s
    began, ended, recorded = _used(events[0]), _used(last), run.cpu_s * 1e6
    # Code that is free to break its process may say anything: the jail's record, which
    # has the jail's own time in it, bounds that.
    if last.name not in _LAST or ended < recorded - _SPARE_S * 1e6:
        ended = recorded
    exactly = budget.check_cpu_s if last.name == "timeout" else 0.0
    steps = math.floor(((ended - began) / 1e6 - exactly) / _STEP_S)
    return exactly + max(steps, 0) * _STEP_S


def _used(event: Event) -> float:
    return (
        float(event.detail)
        if event.detail.isascii() and event.detail.isdigit()
        else 0.0
    )


def _by_limit(run: Run) -> bool:
    return run.signal in (signal.SIGKILL, signal.SIGXCPU)


def _ending(run: Run, events: list[Event], budget: Budget) -> Ending:
    # The runner's own exit statuses come with an event; without it the code chose them.
    last = events[-1].name if events else ""
    outcome, detail = Outcome.EXITED, f"exit {run.exit_code}"
    if run.wall_exceeded:
        outcome, detail = Outcome.TIMED_OUT, "no progress within the wall clock budget"
    elif run.output_exceeded or last == "flood":
        outcome = Outcome.OUTPUT_LIMIT
        detail = f"printed more than {budget.output_bytes} bytes"
    elif last == "timeout":
        outcome = Outcome.TIMED_OUT
        detail = f"used its CPU budget of {budget.check_cpu_s:g} s"
    elif last == "spent" or _by_limit(run):
        outcome = Outcome.TIMED_OUT
        detail = f"used the CPU budget of {budget.tests_cpu_s:g} s"
    elif run.signal is not None or run.exit_code == _UNCAUGHT:
        return _fatal(run)
    return Ending(outcome=outcome, detail=detail)


def _fatal(run: Run) -> Ending:
    # The text is the runtime's, or the code imitates it: it names the outcome of a
    # check that has failed either way.
    stderr = run.stderr[-2000:].decode("utf-8", "replace")
    message = stderr.rpartition("Fatal error: ")[2].strip().partition("\n")[0]
    # The runtime writes "Out_of_memory", "Out of memory" or "out of memory".
    if "out of memory" in message.lower().replace("_", " "):
        return Ending(outcome=Outcome.OUT_OF_MEMORY)
    if run.signal is not None:
        return Ending(outcome=Outcome.CRASHED, detail=_signal_name(run.signal))
    if "stack overflow" in message.lower().replace("_", " "):
        return Ending(outcome=Outcome.STACK_OVERFLOW)
    if "Fatal error: " in stderr:
        detail = message.removeprefix("exception ")[:200]
        return Ending(outcome=Outcome.RAISED, detail=detail)
    return Ending(outcome=Outcome.EXITED, detail=f"exit {run.exit_code}")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def _difference(printed: str, expected: str) -> str:
    ours, theirs = _lines(printed), _lines(expected)
    for number, (a, b) in enumerate(zip(ours, theirs, strict=False), start=1):
        if a != b:
            return f"line {number}: expected {b[:60]!r}, got {a[:60]!r}"
    return f"expected {len(theirs)} lines, got {len(ours)}"
