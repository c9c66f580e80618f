"""How a run of a program ended, and what it cost.  Pure."""

from __future__ import annotations

import math
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from ..model import Budget, CheckReport, CheckResult, Outcome, Spent
from .pace import Limits, Pace, is_near
from .protocol import Event


@dataclass(frozen=True, kw_only=True, slots=True)
class RunSummary:
    """The result of running a program's checks.

    `spent` is the CPU time of the first run.  `near` names the checks that came near their
    limits, each with its milliseconds.  `cut` is True where a quick first look gave up, and
    `halted` where no run came to the tests.  `printed` is what the tests printed in each check.
    """

    results: tuple[CheckResult, ...]
    spent: Spent | None = None
    near: Mapping[str, float] = field(default_factory=dict)
    cut: bool = False
    halted: bool = False
    printed: tuple[str, ...] = ()

    def added_to(self, report: CheckReport) -> CheckReport:
        """Return the report of the compiled code with this result."""
        return replace(
            report,
            results=self.results,
            spent=self.spent,
            cut=self.cut,
            halted=self.halted,
            printed=self.printed,
            timings_ms=dict(self.near),
        )


def summarize(
    results: tuple[CheckResult, ...], took: Spent | None, pace: Pace
) -> RunSummary:
    """Make the summary; a check is near its limit from a quarter of it on (pace.py)."""
    near: dict[str, float] = {}
    if took is not None:
        if is_near(took.others_s, pace.others_ms):
            near["top level"] = round(took.others_s * 1000, 3)
        for place, (result, cost_s) in enumerate(
            zip(results, took.checks_s, strict=True)
        ):
            if cost_s is not None and is_near(cost_s, pace.own_ms(place)):
                near[f"check {result.index}"] = round(cost_s * 1000, 3)
    return RunSummary(results=results, spent=took, near=near)


# Beyond what is left for all checks: a check that uses up its own budget in the last of
# that time is told apart from one that had no more.
SPARE_S = 0.25
# What a run used is counted in steps of this, rounded down: what it costs to load a program
# is less, and so is by how much a timer is late.
_STEP_S = 0.005
# What the host reads of a run in a second, at the least; by counts, never by its clock, so
# that a record does not depend on it.  Details shorter than this count with their events:
# how long they are hangs on how many digits a time has.
_EVENTS_A_SECOND = 50_000
_CHARACTERS_A_SECOND = 12_000_000
_LONG_DETAIL = 100
# Events with the CPU time in microseconds that end what is said of a run.
_LAST = ("done", "used", "timeout", "spent", "flood", "values_flood")
# The runtime's own, for an exception that nobody caught.
_UNCAUGHT = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class RunOutcome:
    """How a process ended that did not reach the end of the tests; `by_clock` where a limit
    of time ended it.
    """

    outcome: Outcome
    detail: str = ""
    by_clock: bool = False


class FinishedRun(Protocol):
    """How one run of a program ended, from the host's own records, as JailRun has it."""

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


def cpu_cost(
    run: FinishedRun, events: list[Event], budget: Budget, limits: Limits
) -> float:
    """Return the CPU seconds that a run costs of those for all checks."""
    # From the code's own first line on, as the lock counts; the jail's record, which has
    # the jail's own time in it, for code that crashed.  A check that timed out costs its
    # budget exactly.
    last = events[-1]
    if run.wall_exceeded or last.name == "spent" or _by_limit(run):
        return budget.tests_cpu_s
    began, ended, recorded = _used(events[0]), _used(last), run.cpu_s * 1e6
    # Code that is free to break its process may say anything: the jail's record, which
    # has the jail's own time in it, bounds that.
    if last.name not in _LAST or ended < recorded - SPARE_S * 1e6:
        ended = recorded
    exactly = limits.of(events) / 1e3 if last.name == "timeout" else 0.0
    steps = math.floor(((ended - began) / 1e6 - exactly) / _STEP_S)
    return exactly + max(steps, 0) * _STEP_S


def reading_cost(events: list[Event]) -> float:
    """Return the seconds that reading what a run said costs of those for all checks."""
    sizes = [len(event.detail) for event in events]
    characters = sum(size for size in sizes if size > _LONG_DETAIL)
    cost = len(events) / _EVENTS_A_SECOND + characters / _CHARACTERS_A_SECOND
    return math.floor(cost / _STEP_S) * _STEP_S


def _used(event: Event) -> float:
    return (
        float(event.detail)
        if event.detail.isascii() and event.detail.isdigit()
        else 0.0
    )


def _by_limit(run: FinishedRun) -> bool:
    return run.signal in (signal.SIGKILL, signal.SIGXCPU)


def outcome_of_run(run: FinishedRun, events: list[Event], budget: Budget) -> RunOutcome:
    """Say how a process ended, where it did not reach the end of the tests."""
    # The runner's own exit statuses come with an event; without it the code chose them.
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
        # Not how much that was: near the step from one budget to the next two machines
        # may choose another, and a record is to say the same.
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
    # Near two limits there is one outcome, whichever of them a machine comes to first.
    said = {event.name for event in events[-2:]}
    if "full" in said:
        return Outcome.OUT_OF_MEMORY, ""
    if "flooding" in said:
        return flooded(budget)
    return Outcome.TIMED_OUT, detail


def flooded(budget: Budget) -> tuple[Outcome, str]:
    """Say how a check ended that prints and prints."""
    return (
        Outcome.OUTPUT_LIMIT,
        f"printed on and on; {budget.output_bytes} bytes are read",
    )


def _fatal(run: FinishedRun) -> RunOutcome:
    # The text is the runtime's, or the code imitates it: it names the outcome of a
    # check that has failed either way.
    stderr = run.stderr[-2000:].decode("utf-8", "replace")
    message = stderr.rpartition("Fatal error: ")[2].strip().partition("\n")[0]
    # The runtime writes "Out_of_memory", "Out of memory" or "out of memory".
    if "out of memory" in message.lower().replace("_", " "):
        return RunOutcome(outcome=Outcome.OUT_OF_MEMORY)
    if run.signal is not None:
        return RunOutcome(outcome=Outcome.CRASHED, detail=_signal_name(run.signal))
    if "stack overflow" in message.lower().replace("_", " "):
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
