"""CPU limit of each check, derived from its cost in the reference solution.  Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ..model import Budget, Spent
from .protocol import Event

# The factor between two successive budgets: coarse, so that two machines choose the same.
_STEP = 2
# A phase that used this share of its limit is near it.
_NEAR = 0.25
# The size of an array in C (ocaml/run/cpu_limits.h).
_MOST_CHANGES = 1024
# The number of problems whose limits are cached.
_KEPT = 4096


@dataclass(frozen=True, kw_only=True, slots=True)
class RunLimits:
    """CPU limits of one run of a program, in milliseconds.

    `checks_ms` has the limit of each check, by its place, and `others_ms` that of each phase
    outside of checks.  A program that runs as a `whole` has one phase.
    """

    others_ms: int
    checks_ms: tuple[int, ...] = ()
    whole: bool = False

    def for_lock(self) -> str:
        """Return the checks' limits for the lock: "0:100,5:20,9:0".

        Each pair is a place and the limit from it on; the last one is the number of checks.
        """
        if not self.checks_ms and not self.whole:
            return "-"
        return _written(self.checks_ms)

    def of(self, events: Sequence[Event]) -> int:
        """Return the limit of the phase in which a run ended, in milliseconds."""
        for event in reversed(events):
            match event.name:
                case "begin" | "item":
                    place = _place(event)
                    if place in range(len(self.checks_ms)):
                        return self.checks_ms[place]
                    return self.others_ms
                case "end" | "item_end" | "item_raised":
                    return self.others_ms
        return self.others_ms


@dataclass(slots=True)
class CpuLimits:
    """The CPU budgets of a completion's checks, over all runs of its program.

    Once a check has used up its budget, each later check gets only a share of its own
    (`check_later_share`), and all checks that use theirs up share a total (`looping_factor`).  If
    the cost of a check in the reference is unknown, its share is at most `check_least_s`.

    In a `quick` attempt every check gets only that share.
    """

    budget: Budget
    count: int
    costs: Spent | None = None
    quick: bool = False
    _limits: RunLimits = field(init=False)
    _timed_out: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        """Compute the budgets."""
        self._limits = _first_limits(self.budget, self.count, self.costs)

    def near(self, took: Spent | None, numbers: Sequence[int]) -> dict[str, float]:
        """Return the phases that used a quarter of their own limit or more, with their milliseconds.

        `numbers` are those of the checks in a record, by their place.
        """
        if took is None:
            return {}
        names = ["top level", *(f"check {number}" for number in numbers)]
        costs_s = [took.others_s, *took.checks_s]
        limits_ms = [self._limits.others_ms, *self._limits.checks_ms]
        return {
            name: round(cost_s * 1000, 3)
            for name, cost_s, limit_ms in zip(names, costs_s, limits_ms, strict=True)
            if cost_s is not None and cost_s * 1000 >= _NEAR * limit_ms
        }

    def limits(self, settled: Container[int]) -> RunLimits:
        """Return the limits of the next run; `settled` checks already have a result."""
        own = self._limits
        if self.quick:
            return RunLimits(
                others_ms=self._later(own.others_ms),
                checks_ms=self._later_checks,
            )
        if not self._timed_out:
            return own
        return RunLimits(
            others_ms=own.others_ms,
            checks_ms=tuple(
                ms if place in settled else later
                for place, (ms, later) in enumerate(
                    zip(own.checks_ms, self._later_checks, strict=True)
                )
            ),
        )

    def case(self, place: int) -> RunLimits:
        """Return the limits of a program's run on one stdio case."""
        return RunLimits(others_ms=self.limits(()).checks_ms[place], whole=True)

    def used_up(self) -> None:
        """Note that a check has used up its budget."""
        self._timed_out += 1

    @property
    def is_over(self) -> bool:
        """Tell whether the total for checks that use up their budgets is spent."""
        # Count budgets, not seconds, so that the number does not depend on the reference's speed.
        later = (self._timed_out - 1) * self.budget.check_later_share
        return self._timed_out > 0 and 1 + later > self.budget.looping_factor - 1e-9

    @property
    def _later_checks(self) -> tuple[int, ...]:
        """Return the limits of all checks for a later run, in milliseconds."""
        known = self.costs.checks_s if self.costs else (None,) * self.count
        most = _ms(self.budget.check_least_s)
        return tuple(
            min(self._later(ms), most) if cost is None else self._later(ms)
            for ms, cost in zip(self._limits.checks_ms, known, strict=True)
        )

    def _later(self, ms: int) -> int:
        """Return the limit of a later run, from that of the first."""
        return max(round(ms * self.budget.check_later_share), 1)


@lru_cache(maxsize=_KEPT)
def _written(checks_ms: tuple[int, ...]) -> str:
    """Return the limits as text: the number of each check at which the limit changes."""
    changes: list[str] = []
    before = None
    for place, ms in enumerate(checks_ms):
        if len(changes) + 2 == _MOST_CHANGES:
            changes.append(f"{place}:{max(checks_ms)}")
            break
        if ms != before:
            changes.append(f"{place}:{ms}")
            before = ms
    return ",".join([*changes, f"{len(checks_ms)}:0"])


@lru_cache(maxsize=_KEPT)
def _first_limits(budget: Budget, count: int, costs: Spent | None) -> RunLimits:
    """Return the limits of the first run of a program with `count` checks."""
    known = costs.checks_s if costs else (None,) * count
    return RunLimits(
        others_ms=_ms(_allowed_outside_s(costs, budget)),
        checks_ms=tuple(_ms(allowed_s(cost, budget)) for cost in known),
    )


def allowed_s(cost_s: float | None, budget: Budget) -> float:
    """Return the CPU limit of a check in seconds.

    `cost_s` is its CPU time in the reference, None if that was not measured.
    """
    if cost_s is None:
        return min(budget.check_unmeasured_s, budget.check_cpu_s)
    amount = budget.check_least_s
    while amount < min(cost_s * budget.check_factor, budget.check_cpu_s):
        amount *= _STEP
    return min(amount, budget.check_cpu_s)


def _allowed_outside_s(costs: Spent | None, budget: Budget) -> float:
    """Return the CPU limit of a phase outside of checks in seconds.

    At its top level code may compute a table for its checks that the reference does not need.  It
    may take as long there as loops in all checks together.
    """
    limit = allowed_s(costs.others_s if costs else None, budget)
    return min(budget.looping_factor * limit, budget.check_cpu_s)


def trusted_limits(budget: Budget) -> RunLimits:
    """Return the limits of a trusted program: the full budget for each phase."""
    return RunLimits(others_ms=_ms(budget.check_cpu_s))


def spent_by_phase(events: Iterable[Event], count: int) -> Spent:
    """Return the CPU time of the finished phases of a run.

    `checks_s` has the time of each check, with that of its statement before it; `others_s` the time
    of the longest phase outside of checks; `all_s` the total.
    """
    checks: list[int | None] = [None] * count
    others = since = whole = 0
    where = -1
    for event in events:
        place = -1
        match event.name:
            case "end" if len(event.arguments) == 3:
                now = _number(event.arguments[2])
            case "begin" | "item":
                now = _number(event.detail)
                place = _place(event)
            case "done" | "used":
                now = _number(event.detail)
            case "hello":
                since = _number(event.detail)
                where = -1
                continue
            case _:
                continue
        took = max(now - since, 0)
        whole += took
        if not 0 <= where < count:
            others = max(others, took)
        else:
            checks[where] = max(checks[where] or 0, took)
        since, where = now, place
    return Spent(
        others_s=others / 1e6,
        checks_s=tuple(None if us is None else us / 1e6 for us in checks),
        all_s=whole / 1e6,
    )


def least_spent(runs: Sequence[Spent]) -> Spent:
    """Return the minimal time of each phase over several runs."""
    return Spent(
        others_s=min(run.others_s for run in runs),
        checks_s=tuple(
            min((cost for cost in costs if cost is not None), default=None)
            for costs in zip(*(run.checks_s for run in runs), strict=True)
        ),
        all_s=min(run.all_s for run in runs),
    )


def _ms(seconds: float) -> int:
    """Return seconds as whole milliseconds, at least one."""
    return max(round(seconds * 1000), 1)


def _number(text: str) -> int:
    """Return the number in a text, 0 if it has none."""
    return int(text) if text.isascii() and text.isdigit() else 0


def _place(event: Event) -> int:
    """Return the number of the check at which an event's limit applies, -1 if none."""
    # "begin PLACE", "item NUMBER FIRST LAST"; a lying process may send anything else.
    at = 0 if event.name == "begin" else 1
    if at < len(event.arguments) and event.arguments[at].isdecimal():
        return _number(event.arguments[at])
    return -1
