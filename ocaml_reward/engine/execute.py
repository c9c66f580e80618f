"""Runs a linked program, again after each check that ended the process.

The engine chooses the jail.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from ..errors import EngineFault
from ..model import Budget, Check, CheckResult, Outcome, Spent
from . import CheckRequest, PreparedTests
from .as_written import (
    Ending,
    ending_of,
    forgiven,
    limits_as_written,
    refused,
    with_last,
)
from .check_results import (
    Decide,
    Progress,
    ReachedHoles,
    as_reported,
    pass_with_the_others,
    with_state,
)
from .cpu_limits import CpuLimits, RunLimits, spent_by_phase, trusted_limits
from .outputs import Judging, Printed, fault_of
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

LOCK_FAILED = 97
"""The exit status of process_lock.c when it fails; valid only if the run did not begin."""
# The minimal cost of a restart in CPU seconds, so that a program that exits in each of a thousand
# checks is not started a thousand times.
_RESTART_S = 0.1


class Program(Protocol):
    """A linked program that can be run several times, and again with other tests."""

    @property
    def budget(self) -> Budget:
        """Its budget."""
        ...

    def start(
        self,
        skip: Sequence[str],
        limits: RunLimits,
        *,
        stdin: bytes = b"",
        cpu_s: float,
        wall_s: float,
    ) -> tuple[FinishedRun, list[Event]]:
        """Run the program once within `limits`.

        `skip` lists the checks ("c3") and statements ("g0") to leave out; "s3" gives a check a
        small stack.  `cpu_s` is the remaining CPU time for all checks.

        Raises EngineFault if the lock failed or the run could not start.
        """
        ...

    def start_as_written(
        self, skip: Sequence[str], limits: RunLimits, *, cpu_s: float, wall_s: float
    ) -> tuple[FinishedRun, list[Event]] | None:
        """Link the code with the tests as they were written, and run that within `limits`.

        Returns None if it does not compile.  Raises EngineFault.
        """
        ...


def lock_settings(
    budget: Budget,
    secret: str,
    skip: Sequence[str],
    limits: RunLimits,
    *,
    cpu_s: float,
    wall_s: float | None = None,
) -> str:
    """Return the settings that the lock reads before the code starts (process_lock.c)."""
    left_ms = round((cpu_s + SPARE_S) * 1000)
    memory = budget.memory_mb * 1024 * 1024
    wall = "" if wall_s is None else f"{round(wall_s * 1000)} "
    left_out = ",".join(skip) or "-"
    return (
        f"{secret} {limits.others_ms} {left_ms} {budget.output_bytes} {memory}"
        f" {wall}{limits.for_lock()} {left_out}"
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


def cpu_limits_of(request: CheckRequest) -> CpuLimits:
    """Return the CPU limits of a request's checks, before any has run."""
    tests = request.tests
    return CpuLimits(
        budget=request.budget,
        count=len(tests.checks),
        costs=tests.costs,
        quick=request.quick,
    )


def first_skip(request: CheckRequest) -> tuple[str, ...]:
    """Return the `skip` list of the first run; "w" selects the kind of wrong values, "t" has each
    check say what it did.
    """
    return ("t",) * request.listens + ((f"w{request.wrong}",) if request.wrong else ())


def run_checks(
    program: Program,
    request: CheckRequest,
    decide: Decide = as_reported,
    finish: Callable[[Sequence[CheckResult]], tuple[CheckResult, ...]] = tuple,
    holes: ReachedHoles | None = None,
) -> RunSummary:
    """Run a program's checks and return one result per check.

    `decide` judges each check, `finish` all of them after the last run; `holes` then drops the
    results that depend on a hole.

    All runs together may use tests_cpu_s of CPU time, including the cost of reading their events,
    and tests_wall_s of wall time.  Further checks are not run, nor are they once too many checks
    have used up their own budgets (`looping_factor`).
    """
    tests = request.tests
    checks = tests.reported
    progress = Progress(checks, decide, tests.leaning, tests.printed, holes=holes)
    progress.skip += first_skip(request)
    cpu_limits = cpu_limits_of(request)
    budget = program.budget
    used = 0.0
    took: Spent | None = None
    deadline = time.monotonic() + budget.tests_wall_s
    while not progress.finished:
        left = deadline - time.monotonic()
        if cpu_limits.is_over:
            progress.give_up("too many checks used up their CPU budgets")
            break
        if used >= budget.tests_cpu_s or left <= 0:
            progress.give_up("the time for all checks was used up")
            break
        cpu_s = budget.tests_cpu_s - used
        limits = cpu_limits.limits(progress.results)
        run, events = program.start(progress.skip, limits, cpu_s=cpu_s, wall_s=left)
        ended = outcome_of_run(run, events, budget)
        spent = cpu_cost(run, events, budget, limits) + reading_cost(events)
        used += max(spent, _RESTART_S)
        if ended.by_clock:
            if cpu_limits.quick:
                return RunSummary(results=(), cut=True)
            cpu_limits.used_up()
            ended = _as_before(ended, progress.results.values(), budget)
        progress.add_run(events, ended)
        # Later runs leave checks out, so only the first run's times are kept.
        took = took or spent_by_phase(events, len(checks))
    results = with_state(finish(progress.in_order()), tests.leaning)
    results = pass_with_the_others(results, tests.printed)
    ending = None
    if not holes and _end_decides(tests, results, progress.noted):
        ending = _ending(program, request, cpu_limits, progress.lost)
        if ending.outcome.by_clock and cpu_limits.quick:
            return RunSummary(results=(), cut=True)
        results = forgiven(tests, results, progress.noted, ending.outcome)
    if last := with_last(tests, results, ending):
        results = (*results, last)
        cost_s = ending.cpu_s if ending else None
        took = took and replace(took, checks_s=(*took.checks_s, cost_s))
    if holes:
        results = holes.apply_to(results)
    places = range(len(tests.checks)) if request.listens else ()
    return replace(
        summarize(results, took, cpu_limits),
        halted=not progress.began,
        absent=progress.absent if request.listens else "",
        printed=tuple(progress.texts.get(place, "") for place in places),
    )


def _end_decides(
    tests: PreparedTests, results: Sequence[CheckResult], noted: Container[int]
) -> bool:
    """Tell whether the tests have to be run as they were written: nothing else speaks against the
    code than what only their end tells.
    """
    written = tests.written
    if written is None:
        return False
    failed = [place for place, each in enumerate(results) if each.outcome is not Outcome.PASSED]
    if failed:
        return written.tells and all(place in noted for place in failed)
    return written.check is not None


def _ending(
    program: Program, request: CheckRequest, cpu_limits: CpuLimits, lost: RunOutcome | None
) -> Ending:
    """Return how the tests end as they were written; `lost` is how their first statement did that
    came to no end.
    """
    if lost is not None:
        return Ending(outcome=replace(lost, by_clock=False))
    budget = program.budget
    limits = limits_as_written(cpu_limits.limits(()), budget)
    ran = program.start_as_written(
        first_skip(request), limits, cpu_s=budget.tests_cpu_s, wall_s=budget.tests_wall_s
    )
    return refused() if ran is None else ending_of(*ran, budget)


def _as_before(ended: RunOutcome, before: Iterable[CheckResult], budget: Budget) -> RunOutcome:
    """Return the outcome of a timed out check, given the results of those before it.

    If one before it filled memory or printed too much, it would have done the same with as much
    time, so it gets the same outcome.
    """
    if ended.outcome is not Outcome.TIMED_OUT or budget.check_later_share == 1:
        return ended
    seen = {(each.outcome, each.detail) for each in before}
    for outcome, detail in ((Outcome.OUT_OF_MEMORY, ""), flooded(budget)):
        if (outcome, detail) in seen:
            return replace(ended, outcome=outcome, detail=detail)
    return ended


def run_stdio(
    program: Program,
    request: CheckRequest,
    holes: ReachedHoles | None = None,
    *,
    judge: Judging,
) -> RunSummary:
    """Run the program once per case and compare its output, or let the problem's `judge` score it.

    In code with `holes` a case may reach one.
    """
    results: list[CheckResult] = []
    judged: dict[int, Printed] = {}
    took: list[float | None] = []
    tests, cpu_limits = request.tests, cpu_limits_of(request)
    budget = program.budget
    used = 0.0
    deadline = time.monotonic() + budget.tests_wall_s
    for check, case in zip(tests.checks, tests.stdio, strict=True):
        left = deadline - time.monotonic()
        took.append(None)
        if used >= budget.tests_cpu_s or left <= 0 or cpu_limits.is_over:
            ended = RunOutcome(
                outcome=Outcome.NOT_RUN, detail="the time for all checks was used up"
            )
        else:
            stdin = case.stdin.encode("utf-8", "replace")
            cpu_s = budget.tests_cpu_s - used
            limits = cpu_limits.case(len(results))
            run, events = program.start([], limits, stdin=stdin, cpu_s=cpu_s, wall_s=left)
            ended = outcome_of_run(run, events, budget)
            used += cpu_cost(run, events, budget, limits) + reading_cost(events)
            if holes and any(event.name == "hole" for event in events):
                holes.reach(len(results), len(tests.checks), ())
            if ended.by_clock:
                if cpu_limits.quick:
                    return RunSummary(results=(), cut=True)
                cpu_limits.used_up()
                ended = _as_before(ended, results, budget)
            else:
                took[-1] = spent_by_phase(events, 0).others_s
            if run.exit_code == 0 and ended.outcome is Outcome.EXITED:
                # Keep invalid bytes: they must not equal a replacement character.
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
        verdicts = judge(tests, tuple(judged.values()))
        for place, each in zip(judged, verdicts, strict=True):
            results[place] = each.of(results[place])
    took_all = Spent(others_s=0.0, checks_s=tuple(took))
    found = holes.apply_to(results) if holes else tuple(results)
    return summarize(found, took_all, cpu_limits)


def _good(request: CheckRequest, place: int, printed: str) -> str | None:
    """Return an output of a case on which a judge must not die.

    It is the reference's output, or else the expected one; None if the case has neither, or the
    judge has already passed the reference's.
    """
    tests = request.tests
    if request.of_reference:
        return printed
    if tests.costs is not None and tests.costs.checks_s[place] is not None:
        return None
    return tests.stdio[place].stdout or None


def count_cases(program: Program) -> tuple[Check, ...]:
    """Run a suite that builds its cases in code, and return the cases as checks."""
    budget = program.budget
    _, events = program.start(
        [], trusted_limits(budget), cpu_s=budget.tests_cpu_s, wall_s=budget.tests_wall_s
    )
    return tuple(
        Check(index=index, line=int(event.arguments[1]), source=event.detail)
        for index, event in enumerate((event for event in events if event.name == "case"), start=1)
    )
