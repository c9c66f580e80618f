"""What each check may use of the CPU, by what it takes in the reference.  Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ..model import Budget, Spent
from .protocol import Event

# A step from one budget to the next: coarse, so that two machines choose the same.
_STEP = 2
# Near its limit is what has used this share of it.
_NEAR = 0.25
# What C keeps room for (ocaml/allowed.h).
_MOST_CHANGES = 1024
# Problems, each with one budget, whose limits are worked out and written down once.
_KEPT = 4096


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What one run of a program may use: each check, by its place, and each phase that is
    none, in milliseconds of CPU time.  A program that runs as a `whole` has one phase.
    """

    others_ms: int
    checks_ms: tuple[int, ...] = ()
    whole: bool = False

    def written(self) -> str:
        """Write the checks' for the lock: "0:100,5:20,9:0", from a place on so much, and how
        many they are.
        """
        if not self.checks_ms and not self.whole:
            return "-"
        return _written(self.checks_ms)

    def of(self, events: Sequence[Event]) -> int:
        """Return what the phase may use in which a run ended, in milliseconds."""
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
class Pace:
    """The CPU budgets of a completion's checks, over all runs of its program.

    After a check that has used up its budget, each that follows has a share of its own
    (`check_later_share`), and all that use theirs up share a total (`looping_factor`).  Of an own
    that is only what a judge allows, as nobody knows what the check takes, that share is
    `check_least_s` at the most.

    In a `quick` first look every check has that share only.
    """

    budget: Budget
    count: int
    costs: Spent | None = None
    quick: bool = False
    _limits: Limits = field(init=False)
    _timed_out: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        """Work the budgets out."""
        self._limits = _first_limits(self.budget, self.count, self.costs)

    def own_ms(self, place: int) -> int:
        """Return what a check may use where none before it has used its own up."""
        return self._limits.checks_ms[place]

    @property
    def others_ms(self) -> int:
        """What a phase may use that is no check."""
        return self._limits.others_ms

    def limits(self, settled: Container[int]) -> Limits:
        """Return the limits of the next run; the checks that are `settled` only run again."""
        own = self._limits
        if self.quick:
            return Limits(
                others_ms=self._later(own.others_ms),
                checks_ms=self._later_checks,
            )
        if not self._timed_out:
            return own
        return Limits(
            others_ms=own.others_ms,
            checks_ms=tuple(
                ms if place in settled else later
                for place, (ms, later) in enumerate(
                    zip(own.checks_ms, self._later_checks, strict=True)
                )
            ),
        )

    def case(self, place: int) -> Limits:
        """Return the limits of a whole program's run on one case."""
        return Limits(others_ms=self.limits(()).checks_ms[place], whole=True)

    def used_up(self) -> None:
        """Take note of a check that has used up its budget."""
        self._timed_out += 1

    @property
    def is_over(self) -> bool:
        """Whether nothing is left for checks that use up theirs."""
        # In whole budgets, not in seconds: how many that are must not hang on how long the
        # reference took.
        later = (self._timed_out - 1) * self.budget.check_later_share
        return self._timed_out > 0 and 1 + later > self.budget.looping_factor - 1e-9

    @property
    def _later_checks(self) -> tuple[int, ...]:
        known = self.costs.checks_s if self.costs else (None,) * self.count
        most = _ms(self.budget.check_least_s)
        return tuple(
            min(self._later(ms), most) if cost is None else self._later(ms)
            for ms, cost in zip(self._limits.checks_ms, known, strict=True)
        )

    def _later(self, ms: int) -> int:
        return max(round(ms * self.budget.check_later_share), 1)


@lru_cache(maxsize=_KEPT)
def _written(checks_ms: tuple[int, ...]) -> str:
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
def _first_limits(budget: Budget, count: int, costs: Spent | None) -> Limits:
    """Return the limits of the first run of a program with `count` checks."""
    known = costs.checks_s if costs else (None,) * count
    return Limits(
        others_ms=_ms(allowed_s(costs.others_s if costs else None, budget)),
        checks_ms=tuple(_ms(allowed_s(cost, budget)) for cost in known),
    )


def allowed_s(cost_s: float | None, budget: Budget) -> float:
    """Return the CPU seconds that a check may use.

    `cost_s` is what it takes in the reference, None where that was not measured.
    """
    if cost_s is None:
        return min(budget.check_unmeasured_s, budget.check_cpu_s)
    amount = budget.check_least_s
    while amount < min(cost_s * budget.check_factor, budget.check_cpu_s):
        amount *= _STEP
    return min(amount, budget.check_cpu_s)


def trusted_limits(budget: Budget) -> Limits:
    """Return the limits of a trusted program: the most for each phase."""
    return Limits(others_ms=_ms(budget.check_cpu_s))


def spent_by_phase(events: Iterable[Event], count: int) -> Spent:
    """Return the CPU time of the finished phases of a run.

    Those are the checks, by their places, each with what its statement does before it, and
    the longest phase that is no check; and the time of all.
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
    """Return the least that each phase took in several runs."""
    return Spent(
        others_s=min(run.others_s for run in runs),
        checks_s=tuple(
            min((cost for cost in costs if cost is not None), default=None)
            for costs in zip(*(run.checks_s for run in runs), strict=True)
        ),
        all_s=min(run.all_s for run in runs),
    )


def is_near(took_s: float | None, limit_ms: int) -> bool:
    """Tell whether a phase used at least a quarter of its limit."""
    return took_s is not None and took_s * 1000 >= limit_ms * _NEAR


def _ms(seconds: float) -> int:
    return max(round(seconds * 1000), 1)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0


def _place(event: Event) -> int:
    # "begin PLACE", "item NUMBER FIRST LAST"; code that lies may say anything else.
    at = 0 if event.name == "begin" else 1
    if at < len(event.arguments) and event.arguments[at].isdecimal():
        return _number(event.arguments[at])
    return -1
