"""Runs a linked program, again after each check that ended the process.

The engine chooses the jail.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from ...errors import EngineFault
from ...model import Budget, Check, CheckResult, Limit, Outcome
from .. import CheckRequest, PreparedTests
from ..judge.outputs import Judging, Printed, fault_of
from ..messages.limits import RunLimits, StepLimits, trusted_limits
from ..messages.protocol import Event
from ..messages.run_outcome import (
    SPARE_S,
    FinishedRun,
    RunOutcome,
    RunSummary,
    cpu_of_run,
    outcome_of_run,
    reading_steps,
    steps_of_run,
)
from .as_written import Ending, ending_of, forgiven, limits_as_written, refused, with_last
from .check_results import (
    Decide,
    Progress,
    ReachedHoles,
    as_reported,
    pass_with_the_others,
    with_state,
)

LOCK_FAILED = 97
"""The exit status of process_lock.c when it fails; valid only if the run did not begin."""
# What a run of checks counts at least, so that a program that exits in each of a thousand checks is
# not started a thousand times.  It is no limit of a check, which is `Budget.check_steps`.
_RUN_STEPS = 2_000_000


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
) -> bytes:
    """Return the settings that the lock reads before the code starts (process_lock.c)."""
    left_ms = round((cpu_s + SPARE_S) * 1000)
    memory = budget.memory_mb * 1024 * 1024
    wall = "" if wall_s is None else f"{round(wall_s * 1000)} "
    left_out = ",".join(skip) or "-"
    return (
        f"{secret} {limits.phase_ms} {left_ms} {budget.output_bytes} {memory}"
        f" {wall}{limits.for_lock()} {left_out}"
    ).encode()


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


def limits_of(request: CheckRequest) -> StepLimits:
    """Return the limits of a request's checks, before any has run."""
    tests = request.tests
    return StepLimits(
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


class _OutOfTime(Exception):
    """A quick attempt has run out of its time."""


@dataclass(slots=True)
class _Runs:
    """The runs of one program, and what they take together.

    All may take `tests_steps`, including those of reading their events, tests_cpu_s of CPU time and
    tests_wall_s of wall time.  Nothing more is run then, nor once too many checks have reached their
    own limits (`looping_factor`).

    * `steps`: what they took; None once the clock or memory has ended one.
    * `cpu_s`: their CPU time.
    """

    budget: Budget
    limits: StepLimits
    steps: int | None = 0
    cpu_s: float = 0.0
    _used_s: float = 0.0
    _deadline: float = field(init=False)

    def __post_init__(self) -> None:
        """Start the clock."""
        self._deadline = time.monotonic() + self.budget.tests_wall_s

    @property
    def over(self) -> str:
        """Why nothing more is run; "" if it is."""
        if self.limits.is_over:
            return "too many checks reached their limits"
        if self.limits.used >= self.budget.tests_steps:
            return "the steps of all checks were used up"
        if self._used_s >= self.budget.tests_cpu_s or self._left_s <= 0:
            return "the time for all checks was used up"
        return ""

    @property
    def _left_s(self) -> float:
        return self._deadline - time.monotonic()

    def start(
        self,
        program: Program,
        skip: Sequence[str],
        chosen: RunLimits,
        *,
        stdin: bytes = b"",
        least_steps: int = 0,
    ) -> tuple[FinishedRun, list[Event], RunOutcome]:
        """Run a program once, which counts as `least_steps` or more; raises _OutOfTime."""
        cpu_s = self.limits.cpu_s(self.budget.tests_cpu_s - self._used_s)
        run, events = program.start(skip, chosen, stdin=stdin, cpu_s=cpu_s, wall_s=self._left_s)
        ended = outcome_of_run(run, events, self.budget)
        cpu_s = cpu_of_run(events)
        steps = self._noted(ended, steps_of_run(events, chosen), cpu_s)
        self.limits.used += max(steps + reading_steps(events), least_steps)
        self._used_s += max(run.cpu_s, cpu_s)
        return run, events, ended

    def end(self, program: Program, skip: Sequence[str]) -> Ending:
        """Run the tests as they were written; raises _OutOfTime."""
        chosen = limits_as_written(self.limits.next_run(), self.budget)
        cpu_s = self.limits.cpu_s(self.budget.tests_cpu_s)
        ran = program.start_as_written(skip, chosen, cpu_s=cpu_s, wall_s=self.budget.tests_wall_s)
        if ran is None:
            return refused()
        ending = ending_of(*ran, self.budget, chosen)
        self._noted(ending.outcome, ending.steps, cpu_of_run(ran[1]))
        return ending

    def _noted(self, ended: RunOutcome, steps: int, cpu_s: float) -> int:
        """Note how a run ended, and what it took; return its steps, as far as they count."""
        if ended.by_clock and self.limits.quick:
            raise _OutOfTime
        if ended.limit:
            self.limits.reached(ended.limit)
        self.cpu_s += cpu_s
        if not ended.has_steps:
            self.steps = None
            return 0
        if self.steps is not None:
            self.steps += steps
        return steps


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
    """
    tests, skip = request.tests, first_skip(request)
    known = tests.costs.checks if tests.costs else ()
    progress = Progress(
        tests.reported, decide, tests.leaning, tests.printed, reference_steps=known, holes=holes
    )
    progress.skip += skip
    runs = _Runs(program.budget, limits_of(request))
    try:
        while not progress.finished:
            if runs.over:
                progress.give_up(runs.over)
                break
            chosen = runs.limits.next_run()
            _, events, ended = runs.start(program, progress.skip, chosen, least_steps=_RUN_STEPS)
            progress.add_run(events, ended)
        results = with_state(finish(progress.in_order()), tests.leaning)
        results = pass_with_the_others(results, tests.printed)
        ending = None
        if not holes and _end_decides(tests, results, progress.noted):
            # Tests whose first statement came to no end came to none as they were written.
            lost = progress.lost and Ending(outcome=replace(progress.lost, by_clock=False))
            ending = lost or runs.end(program, skip)
            results = forgiven(tests, results, progress.noted, ending.outcome)
    except _OutOfTime:
        return RunSummary(results=(), cut=True)
    if last := with_last(tests, results, ending):
        results = (*results, last)
    if holes:
        results = holes.apply_to(results)
    places = range(len(tests.checks)) if request.listens else ()
    was_full = Limit.MEMORY in [each.limit for each in results]
    return RunSummary(
        results=results,
        steps=None if was_full else runs.steps,
        cpu_s=runs.cpu_s,
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
    tests = request.tests
    known = tests.costs.checks if tests.costs else (None,) * len(tests.checks)
    runs = _Runs(program.budget, limits_of(request))
    for place, check in enumerate(tests.checks):
        steps = None
        if runs.over:
            ended = RunOutcome(outcome=Outcome.NOT_RUN, detail=runs.over)
        else:
            try:
                ended, steps, reaches, printed = _case(program, request, runs, place)
            except _OutOfTime:
                return RunSummary(results=(), cut=True)
            if holes and reaches:
                holes.reach(place, len(tests.checks), ())
            if printed:
                judged[place] = printed
        results.append(
            CheckResult(
                index=check.index,
                line=check.line,
                outcome=ended.outcome,
                detail=ended.detail,
                limit=ended.limit,
                steps=steps,
                reference_steps=known[place],
            )
        )
    if judged:
        verdicts = judge(tests, tuple(judged.values()))
        for place, each in zip(judged, verdicts, strict=True):
            results[place] = each.of(results[place])
    found = holes.apply_to(results) if holes else tuple(results)
    return RunSummary(results=found, steps=runs.steps, cpu_s=runs.cpu_s)


def _case(
    program: Program, request: CheckRequest, runs: _Runs, place: int
) -> tuple[RunOutcome, int | None, bool, Printed | None]:
    """Run a program on one case.

    Returns how it ended, its steps, whether it reached a hole, and what the problem's judge is to
    score.  Raises _OutOfTime.
    """
    tests = request.tests
    case = tests.stdio[place]
    stdin = case.stdin.encode("utf-8", "replace")
    chosen = runs.limits.case(place)
    run, events, ended = runs.start(program, [], chosen, stdin=stdin)
    steps = steps_of_run(events, chosen) if ended.has_steps else None
    reaches = any(event.name == "hole" for event in events)
    if run.exit_code != 0 or ended.outcome is not Outcome.EXITED:
        return ended, steps, reaches, None
    # Keep invalid bytes: they must not equal a replacement character.
    text = run.stdout.decode("utf-8", "surrogateescape")
    passed = RunOutcome(outcome=Outcome.PASSED)
    if tests.judge or tests.checker:
        good = _good(request, place, text)
        return passed, steps, reaches, Printed(case=case, text=text, good=good)
    wrong = fault_of(text, case, tests.comparison)
    failed = RunOutcome(outcome=Outcome.FAILED, detail=wrong or "")
    return passed if wrong is None else failed, steps, reaches, None


def _good(request: CheckRequest, place: int, printed: str) -> str | None:
    """Return an output of a case on which a judge must not die.

    It is the reference's output, or else the expected one; None if the case has neither, or the
    judge has already passed the reference's.
    """
    tests = request.tests
    if request.of_reference:
        return printed
    if tests.costs is not None and tests.costs.checks[place] is not None:
        return None
    return tests.stdio[place].stdout or None


def count_cases(program: Program, request: CheckRequest) -> tuple[Check, ...]:
    """Run a suite that builds its cases in code, and return the cases as checks."""
    budget = program.budget
    _, events = program.start(
        first_skip(request),
        trusted_limits(budget),
        cpu_s=budget.tests_cpu_s,
        wall_s=budget.tests_wall_s,
    )
    return tuple(
        Check(index=index, line=int(event.arguments[1]), source=event.detail)
        for index, event in enumerate((event for event in events if event.name == "case"), start=1)
    )
