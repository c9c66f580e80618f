"""
Runs a linked program, as often as its checks need; in which jail is its engine's affair.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from ..errors import EngineFault
from ..model import Budget, Check, CheckResult, Outcome
from . import PreparedTests
from .endings import SPARE_S, Run, cost, ending
from .judge import Handed
from .protocol import Event
from .tally import Decide, Ending, Progress, as_reported
from .values import Witness

__all__ = [
    "Program",
    "count_cases",
    "run_checks",
    "run_stdio",
    "settings",
    "started",
]

# An exit status of lock.c; believed only where nothing says that the program began.
_LOCK_FAILED = 97
# What starting a program once more costs at least, so that a program that leaves early in
# each of a thousand checks is not started a thousand times.
_RESTART_S = 0.1


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
    left_ms = round((cpu_s + SPARE_S) * 1000)
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
        ended = ending(run, events, budget)
        spent += max(cost(run, events, budget), _RESTART_S)
        if see is not None:
            see(events)
        progress.absorb(events, ended)
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
            ended = Ending(
                outcome=Outcome.NOT_RUN, detail="the time for all checks was used up"
            )
        else:
            stdin = case.stdin.encode("utf-8", "replace")
            cpu_s = budget.tests_cpu_s - spent
            run, events = program.start([], stdin=stdin, cpu_s=cpu_s, wall_s=left)
            ended = ending(run, events, budget)
            spent += cost(run, events, budget)
            if run.exit_code == 0 and ended.outcome is Outcome.EXITED:
                printed = run.stdout.decode("utf-8", "replace")
                witness.saw(len(results), {0: Handed("\n".join(_lines(printed)))})
                same = _lines(printed) == _lines(case.stdout)
                ended = Ending(
                    outcome=Outcome.PASSED if same else Outcome.FAILED,
                    detail="" if same else _difference(printed, case.stdout),
                )
        results.append(
            CheckResult(
                index=check.index,
                line=check.line,
                outcome=ended.outcome,
                detail=ended.detail,
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


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def _difference(printed: str, expected: str) -> str:
    ours, theirs = _lines(printed), _lines(expected)
    for number, (a, b) in enumerate(zip(ours, theirs, strict=False), start=1):
        if a != b:
            return f"line {number}: expected {b[:60]!r}, got {a[:60]!r}"
    return f"expected {len(theirs)} lines, got {len(ours)}"
