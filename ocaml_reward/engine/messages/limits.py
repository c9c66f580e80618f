"""The limits of each check: steps, derived from those of the reference, and CPU time behind.  Pure.

A step is an entry of a function, or a turn of a loop, of the completion's own code
(ocaml/typecheck/ticks.ml).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from ...model import Budget, Limit, ReferenceCosts
from .protocol import Event

# The size of an array in C (ocaml/run/steps.h).
_MOST_CHANGES = 1024
# The number of problems whose limits are cached.
_KEPT = 4096
# The top level of the code runs once for all checks, and may compute a table for them that the
# reference does not need.
_TOP_LEVEL: Final = 5
# What limits count that end a check later than steps do.
_WEIGHTS: Final = {Limit.MEMORY: 2, Limit.OUTPUT: 2, Limit.CPU: 4, Limit.WALL: 8}
QUICK: Final = 0.1
"""The share of the CPU time of a check, or of compiling, after which a quick attempt gives up.

It decides no result."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunLimits:
    """Limits of one run of a program; 0 steps are no limit.

    `checks_steps` has the limit of each check, by its place, `others_steps` that of each phase
    outside of checks, `all_steps` that of all together.  `phase_ms` is the CPU time of each phase
    in milliseconds.
    """

    phase_ms: int
    all_steps: int = 0
    others_steps: int = 0
    checks_steps: tuple[int, ...] = ()

    def for_lock(self) -> str:
        """Return the limits of the steps for the lock: "900,300,0:100,5:20".

        The first two are for all and for phases outside of checks.  Each pair is a place and the
        limit from it on.
        """
        return f"{self.all_steps},{self.others_steps},{_written(self.checks_steps)}"


@dataclass(slots=True)
class StepLimits:
    """The limits of a completion's checks, over all runs of its program.

    Once `looping_factor` checks have reached their limits, no other is run; one that was ended by
    something slower than steps counts as several.
    """

    budget: Budget
    count: int
    costs: ReferenceCosts | None = None
    quick: bool = False
    used: int = 0
    _first: RunLimits = field(init=False)
    _reached: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        """Compute the limits of the first run."""
        self._first = _first_limits(self.budget, self.count, self.costs)
        if self.quick:
            self._first = replace(self._first, phase_ms=_ms(self.budget.check_cpu_s * QUICK))

    def next_run(self) -> RunLimits:
        """Return the limits of the next run."""
        own = self._first
        return replace(own, all_steps=max(own.all_steps - self.used, 1)) if self.used else own

    def case(self, place: int) -> RunLimits:
        """Return the limits of a program's run on one stdio case, which is one phase."""
        limits = self.next_run()
        steps = min(limits.checks_steps[place], limits.all_steps)
        return replace(limits, all_steps=steps, others_steps=steps, checks_steps=())

    def cpu_s(self, left_s: float) -> float:
        """Return the CPU time of the next run, of what is left for all."""
        return min(left_s, self._first.phase_ms / 1000) if self.quick else left_s

    def reached(self, limit: Limit) -> None:
        """Note that a check has reached a limit."""
        self._reached += _WEIGHTS.get(limit, 1)

    @property
    def is_over(self) -> bool:
        """Tell whether checks have reached their limits as often as they may."""
        return self._reached >= self.budget.looping_factor


@lru_cache(maxsize=_KEPT)
def _written(checks_steps: tuple[int, ...]) -> str:
    """Return the limits as text: the place of each check at which the limit changes."""
    changes: list[str] = []
    before = None
    for place, steps in enumerate(checks_steps):
        if len(changes) + 1 == _MOST_CHANGES:
            changes.append(f"{place}:{max(checks_steps)}")
            break
        if steps != before:
            changes.append(f"{place}:{steps}")
            before = steps
    return ",".join(changes) or "-"


@lru_cache(maxsize=_KEPT)
def _first_limits(budget: Budget, count: int, costs: ReferenceCosts | None) -> RunLimits:
    """Return the limits of the first run of a program with `count` checks."""
    known = costs.checks if costs else (None,) * count
    longest, others = (costs.longest, costs.others) if costs else (None, 0)
    top_level = _TOP_LEVEL * allowed_steps(longest, budget)
    return RunLimits(
        phase_ms=_ms(budget.check_cpu_s),
        all_steps=round(budget.tests_steps),
        others_steps=max(top_level, allowed_steps(others, budget)),
        checks_steps=tuple(allowed_steps(steps, budget) for steps in known),
    )


def allowed_steps(steps: int | None, budget: Budget) -> int:
    """Return the limit of a check; `steps` are those of the reference, None if unknown."""
    if steps is None:
        return round(budget.most_steps)
    wanted = min(steps * budget.steps_factor, budget.most_steps)
    return round(max(wanted, budget.check_steps, 2 * steps))


def trusted_limits(budget: Budget) -> RunLimits:
    """Return the limits of a trusted program: CPU time alone."""
    return RunLimits(phase_ms=_ms(budget.check_cpu_s))


TIMED: Final = frozenset(
    ("hello", "item", "begin", "end", "done", "used", "steps", "all_steps", "timeout", "spent",
     "flood", "values_flood")
)  # fmt: skip
"""The events that report CPU time and steps (ocaml/run/reporting.h)."""


def cpu_and_steps(event: Event) -> tuple[int, int]:
    """Return the CPU microseconds and the steps that such an event reports."""
    words = (event.words if event.name == "end" else event.detail).split()
    # Code that may break its process can send anything.
    try:
        cpu, steps = int(words[-2]), int(words[-1])
    except (ValueError, IndexError):
        return 0, 0
    return (cpu, steps) if cpu >= 0 <= steps else (0, 0)


def _ms(seconds: float) -> int:
    """Return seconds as whole milliseconds, at least one."""
    return max(round(seconds * 1000), 1)
