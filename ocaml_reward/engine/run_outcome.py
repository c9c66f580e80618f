"""Determines how a run of a program ended, and its cost.  Pure."""

from __future__ import annotations

import math
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from ..model import Budget, CheckReport, CheckResult, Outcome, Spent
from .cpu_limits import CpuLimits, RunLimits
from .protocol import Event


@dataclass(frozen=True, kw_only=True, slots=True)
class RunSummary:
    """The result of running a program's checks.

    * `spent`: the CPU time of the first run.
    * `near`: the checks that came near their limits, with their CPU time in milliseconds.
    * `cut`: a quick attempt ran out of its budget.
    * `halted`: no run reached the tests.
    * `printed`: the text that the tests printed in each check.
    * `absent`: what the program asked for that the jail has not.
    """

    results: tuple[CheckResult, ...]
    spent: Spent | None = None
    near: Mapping[str, float] = field(default_factory=dict)
    cut: bool = False
    halted: bool = False
    printed: tuple[str, ...] = ()
    absent: str = ""

    def added_to(self, report: CheckReport) -> CheckReport:
        """Return the report of the compiled code with this result."""
        return replace(
            report,
            results=self.results,
            spent=self.spent,
            cut=self.cut,
            halted=self.halted,
            printed=self.printed,
            absent=self.absent,
            timings_ms=dict(self.near),
        )


def summarize(
    results: tuple[CheckResult, ...], took: Spent | None, cpu_limits: CpuLimits
) -> RunSummary:
    """Return the summary of a program's runs; the first of them `took` this time."""
    near = cpu_limits.near(took, [result.index for result in results])
    return RunSummary(results=results, spent=took, near=near)


# A run may use this much beyond the time left for all checks, so that a check that uses up its own
# budget at the very end is distinguished from one that ran out of the total.
SPARE_S = 0.25
# The CPU time of a run is rounded down to a multiple of this, which is more than loading a program
# takes and more than a timer is late.
_STEP_S = 0.005
# The host reads at least this much per second.  The cost of reading is computed from counts, not
# measured, so that records do not depend on the clock.  Details shorter than `_LONG_DETAIL` are not
# counted: their length depends on the number of digits of a time.
_EVENTS_A_SECOND = 50_000
_CHARACTERS_A_SECOND = 12_000_000
_LONG_DETAIL = 100
# The last event of a run is one of these; its detail is the CPU time in microseconds.
_LAST = ("done", "used", "timeout", "spent", "flood", "values_flood")
# The runtime's exit status for an uncaught exception.
_UNCAUGHT = 2
# What the runtime's last words say of memory: "Out_of_memory", "Out of memory" and "out of memory",
# and from OCaml 5 on, where it aborts, what it wanted it for.
_NO_MEMORY = (
    "out of memory",
    "allocation failure",
    "no memory for",
    "not enough heap memory",
    "not enough memory",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class RunOutcome:
    """How a process ended that did not reach the end of the tests.

    `by_clock` is True if a time limit, or the limit on output, ended it.
    """

    outcome: Outcome
    detail: str = ""
    by_clock: bool = False


class FinishedRun(Protocol):
    """How one run of a program ended, as the host recorded it; see JailRun."""

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


def cpu_cost(run: FinishedRun, events: list[Event], budget: Budget, limits: RunLimits) -> float:
    """Return the CPU seconds of a run that count against the total for all checks."""
    # The lock measures from the code's first line on.  For code that crashed, take the jail's
    # record, which includes the jail's own time.  A check that timed out costs exactly its budget.
    last = events[-1]
    if run.wall_exceeded or last.name == "spent" or _by_limit(run):
        return budget.tests_cpu_s
    began, ended, recorded = _used(events[0]), _used(last), run.cpu_s * 1e6
    # Code that may break its process can send a wrong time; the jail's record bounds it.
    if last.name not in _LAST or ended < recorded - SPARE_S * 1e6:
        ended = recorded
    exactly = limits.of(events) / 1e3 if last.name == "timeout" else 0.0
    steps = math.floor(((ended - began) / 1e6 - exactly) / _STEP_S)
    return exactly + max(steps, 0) * _STEP_S


def reading_cost(events: list[Event]) -> float:
    """Return the seconds of reading a run's events that count against the total for all checks."""
    sizes = [len(event.detail) for event in events]
    characters = sum(size for size in sizes if size > _LONG_DETAIL)
    cost = len(events) / _EVENTS_A_SECOND + characters / _CHARACTERS_A_SECOND
    return math.floor(cost / _STEP_S) * _STEP_S


def _used(event: Event) -> float:
    """Return the time that an event reports."""
    return float(event.detail) if event.detail.isascii() and event.detail.isdigit() else 0.0


def _by_limit(run: FinishedRun) -> bool:
    """Tell whether the system may have ended a run for its limit."""
    return run.signal in (signal.SIGKILL, signal.SIGXCPU)


def outcome_of_run(run: FinishedRun, events: list[Event], budget: Budget) -> RunOutcome:
    """Return how a process ended that did not reach the end of the tests."""
    # The runner's own exit statuses come with an event; without one the code chose the status.
    last = events[-1].name if events else ""
    outcome, detail = Outcome.EXITED, f"exit {run.exit_code}"
    by_clock = False
    if run.wall_exceeded:
        by_clock = True
        outcome, detail = Outcome.TIMED_OUT, "no progress within the wall clock budget"
    elif last == "values_flood":
        outcome = Outcome.OUTPUT_LIMIT
        detail = "the values that its checks look at take more than 12 MB"
    elif run.output_exceeded or last == "flood":
        by_clock = True
        outcome, detail = flooded(budget)
    elif last == "timeout":
        # The detail leaves the budget out: two machines may choose different budgets, and their
        # records shall be equal.
        by_clock = True
        outcome, detail = _by_clock("used its CPU budget", events, budget)
    elif last == "spent" or _by_limit(run):
        by_clock = True
        outcome, detail = _by_clock(
            f"used the CPU budget of {budget.tests_cpu_s:g} s", events, budget
        )
    elif run.signal is not None or run.exit_code == _UNCAUGHT:
        return _fatal(run)
    return RunOutcome(outcome=outcome, detail=detail, by_clock=by_clock)


def _by_clock(detail: str, events: list[Event], budget: Budget) -> tuple[Outcome, str]:
    """Return the outcome of a run that the wall clock has ended."""
    # Near two limits the outcome shall not depend on which one a machine reaches first.
    names = {event.name for event in events[-2:]}
    if "full" in names:
        return Outcome.OUT_OF_MEMORY, ""
    if "flooding" in names:
        return flooded(budget)
    return Outcome.TIMED_OUT, detail


def flooded(budget: Budget) -> tuple[Outcome, str]:
    """Return the outcome of a check that prints too much."""
    return (
        Outcome.OUTPUT_LIMIT,
        f"printed on and on; {budget.output_bytes} bytes are read",
    )


def _fatal(run: FinishedRun) -> RunOutcome:
    """Return the outcome of a run that ended with a message of the runtime."""
    # The text comes from the runtime, or the code imitates it; the check has failed either way.
    stderr = run.stderr[-2000:].decode("utf-8", "replace")
    message = stderr.rpartition("Fatal error: ")[2].strip().partition("\n")[0]
    words = message.lower().replace("_", " ")
    if any(each in words for each in _NO_MEMORY):
        return RunOutcome(outcome=Outcome.OUT_OF_MEMORY)
    if run.signal is not None:
        return RunOutcome(outcome=Outcome.CRASHED, detail=_signal_name(run.signal))
    if "stack overflow" in words:
        return RunOutcome(outcome=Outcome.STACK_OVERFLOW)
    if "Fatal error: " in stderr:
        detail = message.removeprefix("exception ")[:200]
        return RunOutcome(outcome=Outcome.RAISED, detail=detail)
    return RunOutcome(outcome=Outcome.EXITED, detail=f"exit {run.exit_code}")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
