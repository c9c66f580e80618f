"""Runs a linked program, as often as its checks need; in which jail is its engine's affair."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from ..errors import EngineFault
from ..model import Budget, Check, CheckResult, Outcome, Spent
from . import CheckRequest
from .hole_watch import HoleWatch
from .outputs import Judging, Printed, fault_of
from .pace import Limits, Pace, spent_by_phase, trusted_limits
from .protocol import Event
from .run_outcome import (
    SPARE_S,
    FinishedRun,
    RunOutcome,
    RunSummary,
    cpu_cost,
    flooded,
    outcome_of_run,
    reading_cost,
    summarize,
)
from .spoken import as_the_whole
from .tally import Decide, Progress, as_reported, with_state

LOCK_FAILED = 97
"""An exit status of process_lock.c; believed of a program only where nothing says that it began."""
# What starting a program once more costs at least, so that a program that leaves early in
# each of a thousand checks is not started a thousand times.
_RESTART_S = 0.1


class Program(Protocol):
    """A linked program that can be run, locked, as often as it takes."""

    @property
    def budget(self) -> Budget:
        """What it may use."""
        ...

    def start(
        self,
        skip: Sequence[str],
        limits: Limits,
        *,
        stdin: bytes = b"",
        cpu_s: float,
        wall_s: float,
    ) -> tuple[FinishedRun, list[Event]]:
        """Run it once within `limits`, leaving out the checks ("c3") and statements ("g0") in
        `skip`, where "s3" gives a check a small stack; `cpu_s` is what is left of the CPU time
        for all checks.

        Raises EngineFault where the lock refused or the run could not start.
        """
        ...


def lock_settings(
    budget: Budget,
    secret: str,
    skip: Sequence[str],
    limits: Limits,
    *,
    cpu_s: float,
    wall_s: float | None = None,
) -> str:
    """Write what the lock reads before the code's own first line (process_lock.c)."""
    left_ms = round((cpu_s + SPARE_S) * 1000)
    memory = budget.memory_mb * 1024 * 1024
    wall = "" if wall_s is None else f"{round(wall_s * 1000)} "
    left_out = ",".join(skip) or "-"
    return (
        f"{secret} {limits.others_ms} {left_ms} {budget.output_bytes} {memory}"
        f" {wall}{limits.written()} {left_out}"
    )


def require_started(run: FinishedRun, events: list[Event], log: str = "") -> None:
    """Raise EngineFault unless the lock reported that the run began."""
    if any(event.name == "hello" for event in events):
        return
    if run.exit_code == LOCK_FAILED:
        raise EngineFault("this machine refused the runner's lock (seccomp)")
    raise EngineFault(
        f"the program did not start in its jail (exit {run.exit_code},"
        f" signal {run.signal}): {log or run.stderr[-200:]!r}"
    )


def pace_of(request: CheckRequest) -> Pace:
    """Return the budgets of a request's checks, before any has run."""
    tests = request.tests
    return Pace(
        budget=request.budget,
        count=len(tests.checks),
        costs=tests.costs,
        quick=request.quick,
    )


def first_skip(request: CheckRequest) -> tuple[str, ...]:
    """Return what the first run of a program leaves out, or is told in that way."""
    return (f"w{request.wrong}",) if request.wrong else ()


def run_checks(
    program: Program,
    request: CheckRequest,
    decide: Decide = as_reported,
    finish: Callable[[Sequence[CheckResult]], tuple[CheckResult, ...]] = tuple,
    holes: HoleWatch | None = None,
) -> RunSummary:
    """Return one result per check, as `decide` has it, and `finish` after the last run; of code
    with `holes`, as these leave it.

    All runs of the program together may spend tests_cpu_s of CPU time, with what reading
    them costs, and tests_wall_s of wall time.  What is left then is not run; nor is it once
    too many checks have used up their own budgets (`looping_factor`).
    """
    tests = request.tests
    progress = Progress(tests.checks, decide, tests.leaning, tests.printed, holes=holes)
    progress.skip += first_skip(request)
    pace = pace_of(request)
    budget = program.budget
    used = 0.0
    took: Spent | None = None
    deadline = time.monotonic() + budget.tests_wall_s
    while not progress.finished:
        left = deadline - time.monotonic()
        if pace.is_over:
            progress.give_up("too many checks used up their CPU budgets")
            break
        if used >= budget.tests_cpu_s or left <= 0:
            progress.give_up("the time for all checks was used up")
            break
        cpu_s = budget.tests_cpu_s - used
        limits = pace.limits(progress.results)
        run, events = program.start(progress.skip, limits, cpu_s=cpu_s, wall_s=left)
        ended = outcome_of_run(run, events, budget)
        spent = cpu_cost(run, events, budget, limits) + reading_cost(events)
        used += max(spent, _RESTART_S)
        if ended.by_clock:
            if pace.quick:
                return RunSummary(results=(), cut=True)
            pace.used_up()
            if budget.check_later_share < 1:
                ended = _as_before(ended, progress, budget)
        progress.absorb(events, ended)
        # What is run once more says less: it may be another part of the same checks.
        took = took or spent_by_phase(events, len(progress.checks))
    results = with_state(finish(progress.in_order()), tests.leaning)
    results = as_the_whole(results, tests.printed)
    if holes:
        results = holes.leave(results)
    places = range(len(tests.checks)) if request.listens else ()
    return replace(
        summarize(results, took, pace),
        halted=not progress.began,
        printed=tuple(progress.said.get(place, "") for place in places),
    )


def _as_before(ended: RunOutcome, progress: Progress, budget: Budget) -> RunOutcome:
    """Name a check that the clock stopped as one before it that filled memory or printed on
    and on: it has less time than that had, and the first tells more of what it would have
    come to.
    """
    if ended.outcome is not Outcome.TIMED_OUT:
        return ended
    seen = {(each.outcome, each.detail) for each in progress.results.values()}
    for outcome, detail in ((Outcome.OUT_OF_MEMORY, ""), flooded(budget)):
        if (outcome, detail) in seen:
            return replace(ended, outcome=outcome, detail=detail)
    return ended


def run_stdio(
    program: Program,
    request: CheckRequest,
    holes: HoleWatch | None = None,
    *,
    judge: Judging,
) -> RunSummary:
    """Run the program once per case and compare what it prints, or have the problem's `judge`
    say what that is worth; in code with `holes` it may meet one.
    """
    results: list[CheckResult] = []
    judged: dict[int, Printed] = {}
    took: list[float | None] = []
    tests, pace = request.tests, pace_of(request)
    budget = program.budget
    used = 0.0
    deadline = time.monotonic() + budget.tests_wall_s
    for check, case in zip(tests.checks, tests.stdio, strict=True):
        left = deadline - time.monotonic()
        took.append(None)
        if used >= budget.tests_cpu_s or left <= 0 or pace.is_over:
            ended = RunOutcome(
                outcome=Outcome.NOT_RUN, detail="the time for all checks was used up"
            )
        else:
            stdin = case.stdin.encode("utf-8", "replace")
            cpu_s = budget.tests_cpu_s - used
            limits = pace.case(len(results))
            run, events = program.start(
                [], limits, stdin=stdin, cpu_s=cpu_s, wall_s=left
            )
            ended = outcome_of_run(run, events, budget)
            used += cpu_cost(run, events, budget, limits) + reading_cost(events)
            if holes and any(event.name == "hole" for event in events):
                holes.met_in(len(results), len(tests.checks), ())
            if ended.by_clock:
                if pace.quick:
                    return RunSummary(results=(), cut=True)
                pace.used_up()
            else:
                took[-1] = spent_by_phase(events, 0).others_s
            if run.exit_code == 0 and ended.outcome is Outcome.EXITED:
                # As bytes: one that is no UTF-8 is not the character that shows it.
                printed = run.stdout.decode("utf-8", "surrogateescape")
                wrong = None
                if tests.judge or tests.checker:
                    place = len(results)
                    good = _good(request, place, printed)
                    judged[place] = Printed(case=case, text=printed, good=good)
                else:
                    wrong = fault_of(printed, case, tests.comparison)
                ended = RunOutcome(
                    outcome=Outcome.PASSED if wrong is None else Outcome.FAILED,
                    detail=wrong or "",
                )
        results.append(
            CheckResult(
                index=check.index,
                line=check.line,
                outcome=ended.outcome,
                detail=ended.detail,
            )
        )
    if judged:
        said = judge(tests, tuple(judged.values()))
        for place, each in zip(judged, said, strict=True):
            results[place] = each.of(results[place])
    took_all = Spent(others_s=0.0, checks_s=tuple(took))
    found = holes.leave(results) if holes else tuple(results)
    return summarize(found, took_all, pace)


def _good(request: CheckRequest, place: int, printed: str) -> str | None:
    """Return an output of a case that a judge has to live on: what the reference prints, or else
    what is expected.  None where the case has neither, or the judge has passed the reference's.
    """
    tests = request.tests
    if request.of_reference:
        return printed
    if tests.costs is not None and tests.costs.checks_s[place] is not None:
        return None
    return tests.stdio[place].stdout or None


def count_cases(program: Program) -> tuple[Check, ...]:
    """Run a suite that builds its cases in code, and return them as checks."""
    budget = program.budget
    _, events = program.start(
        [], trusted_limits(budget), cpu_s=budget.tests_cpu_s, wall_s=budget.tests_wall_s
    )
    return tuple(
        Check(index=index, line=int(event.arguments[1]), source=event.detail)
        for index, event in enumerate(
            (event for event in events if event.name == "case"), start=1
        )
    )
