"""Determines how a run of a program ended, and its cost.  Pure."""

from __future__ import annotations

import signal
from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Protocol

from ...model import Budget, CheckReport, CheckResult, Limit, Outcome
from .limits import TIMED, RunLimits, cpu_and_steps
from .protocol import Event


@dataclass(frozen=True, kw_only=True, slots=True)
class RunSummary:
    """The result of running a program's checks.

    * `steps`: what all runs took; None if the clock or memory has ended one.
    * `cpu_s`: their CPU time.
    * `cut`: a quick attempt ran out of its time.
    * `halted`: no run reached the tests.
    * `printed`: the text that the tests printed in each check.
    * `absent`: what the program asked for that the jail has not.
    """

    results: tuple[CheckResult, ...]
    steps: int | None = None
    cpu_s: float = 0.0
    cut: bool = False
    halted: bool = False
    printed: tuple[str, ...] = ()
    absent: str = ""

    @property
    def passes(self) -> bool:
        """Tell whether every check passed."""
        outcomes = [result.outcome for result in self.results]
        return outcomes.count(Outcome.PASSED) == len(outcomes) > 0

    def added_to(self, report: CheckReport) -> CheckReport:
        """Return the report of the compiled code with this result."""
        return report.but(
            results=self.results,
            steps=self.steps,
            cpu_s=self.cpu_s,
            cut=self.cut,
            halted=self.halted,
            printed=self.printed,
            absent=self.absent,
        )


# A run may use this much CPU time beyond that left for all checks, so that a check that uses up its
# own at the very end is distinguished from one that ran out of the total.
SPARE_S = 0.25
# The host's work for each event and each character of long details counts as so many steps, as if
# the code had called a function 50,000 times a second.  Details shorter than `_LONG_DETAIL` are not
# counted: their length depends on the number of digits of a time.
_STEPS_AN_EVENT = 500
_STEPS_A_CHARACTER = 2
_LONG_DETAIL = 100
# How the lock reports a limit (ocaml/run/process_lock.c): the detail, and the limit.
_BY_LIMIT = {
    "steps": ("took more steps than a check may", Limit.STEPS),
    "all_steps": ("took more steps than all checks may", Limit.STEPS),
    "timeout": ("used its CPU budget", Limit.CPU),
    "spent": ("used the CPU budget of all checks", Limit.CPU),
}
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

    `limit` is the limit that ended it, None for none; `by_clock` is True if that was a time.
    """

    outcome: Outcome
    detail: str = ""
    limit: Limit | None = None
    by_clock: bool = False

    @property
    def has_steps(self) -> bool:
        """Return whether it ended after the same steps on every machine and in both engines.

        Heaps grow in leaps that depend on their sizes before, and those on the engine.
        """
        return not self.by_clock and self.outcome is not Outcome.OUT_OF_MEMORY


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


def steps_of_run(events: list[Event], limits: RunLimits) -> int:
    """Return the steps that a run last reported."""
    last = _timed(reversed(events))
    took = cpu_and_steps(last)[1] if last else 0
    # Code that may break its process can send a wrong number.
    return min(took, limits.all_steps) if limits.all_steps else took


def reading_steps(events: list[Event]) -> int:
    """Return the steps of reading a run's events, which count as the code's."""
    lengths = map(len, map(attrgetter("detail"), events))
    long = sum([length for length in lengths if length > _LONG_DETAIL])
    return len(events) * _STEPS_AN_EVENT + long * _STEPS_A_CHARACTER


def cpu_of_run(events: list[Event]) -> float:
    """Return the CPU seconds from the code's first line to the last report."""
    first, last = _timed(events), _timed(reversed(events))
    if not (first and last):
        return 0.0
    return max(cpu_and_steps(last)[0] - cpu_and_steps(first)[0], 0) / 1e6


def _timed(events: Iterable[Event]) -> Event | None:
    """Return the first event that reports CPU time and steps."""
    for event in events:
        if event.name in TIMED:
            return event
    return None


def _by_system(run: FinishedRun) -> bool:
    """Tell whether the system may have ended a run for its limit."""
    return run.signal in (signal.SIGKILL, signal.SIGXCPU)


def outcome_of_run(run: FinishedRun, events: list[Event], budget: Budget) -> RunOutcome:
    """Return how a process ended that did not reach the end of the tests."""
    # The runner's own exit statuses come with an event; without one the code chose the status.
    last = events[-1].name if events else ""
    if run.wall_exceeded:
        detail = "no progress within the wall clock budget"
        return RunOutcome(outcome=Outcome.TIMED_OUT, detail=detail, limit=Limit.WALL, by_clock=True)
    if last == "values_flood":
        detail = "the values that its checks look at take more than 12 MB"
        return RunOutcome(outcome=Outcome.OUTPUT_LIMIT, detail=detail)
    if run.output_exceeded or last == "flood":
        return _flooded(budget)
    if last in _BY_LIMIT or _by_system(run):
        # The detail leaves CPU times out, which depend on the machine that measured the reference.
        detail, limit = _BY_LIMIT.get(last, _BY_LIMIT["spent"])
        ended = RunOutcome(outcome=Outcome.TIMED_OUT, detail=detail, limit=limit)
        # Near two limits the outcome shall not depend on which one comes first.
        names = {event.name for event in events[-2:]}
        if "full" in names:
            ended = RunOutcome(outcome=Outcome.OUT_OF_MEMORY, limit=Limit.MEMORY)
        if "flooding" in names:
            ended = _flooded(budget)
        return replace(ended, by_clock=limit is Limit.CPU)
    if run.signal is not None or run.exit_code == _UNCAUGHT:
        return _fatal(run)
    return RunOutcome(outcome=Outcome.EXITED, detail=f"exit {run.exit_code}")


def _flooded(budget: Budget) -> RunOutcome:
    """Return the outcome of a check that prints too much."""
    detail = f"printed on and on; {budget.output_bytes} bytes are read"
    return RunOutcome(outcome=Outcome.OUTPUT_LIMIT, detail=detail, limit=Limit.OUTPUT)


def _fatal(run: FinishedRun) -> RunOutcome:
    """Return the outcome of a run that ended with a message of the runtime."""
    # The text comes from the runtime, or the code imitates it; the check has failed either way.
    stderr = run.stderr[-2000:].decode("utf-8", "replace")
    message = stderr.rpartition("Fatal error: ")[2].strip().partition("\n")[0]
    words = message.lower().replace("_", " ")
    if any(each in words for each in _NO_MEMORY):
        return RunOutcome(outcome=Outcome.OUT_OF_MEMORY, limit=Limit.MEMORY)
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
