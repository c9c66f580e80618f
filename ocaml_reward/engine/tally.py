"""
From the harness' events, over one or more runs of a program, to one result per check.

Pure.  A check that ends the process (it loops, exits, exhausts memory) costs only itself:
the program is run again with that check left out, and everything else in its place, so
that later checks find the state that earlier ones left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..errors import EngineFault
from ..model import Check, CheckResult, Outcome
from .protocol import Event

__all__ = ["Ending", "Progress"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ending:
    """
    How a process ended that did not reach the end of the tests.
    """

    outcome: Outcome
    detail: str = ""


@dataclass(slots=True)
class Progress:
    """
    What is known of each check so far, and what the next run must leave out.
    """

    checks: tuple[Check, ...]
    results: dict[int, CheckResult] = field(default_factory=dict)
    skip: list[str] = field(default_factory=list)
    finished: bool = False

    def absorb(self, events: Iterable[Event], ending: Ending) -> None:
        """
        Take in the events of one run; `ending` says why it stopped if it did not finish.

        Raises EngineFault when the run did not even start.
        """
        active: int | None = None
        item: tuple[str, range] | None = None
        started = done = False
        for event in events:
            arguments = event.arguments
            match event.name:
                case "hello":
                    started = True
                case "begin":
                    active = int(arguments[0])
                case "end":
                    active = None
                    outcome = Outcome(arguments[1])
                    self._settle([int(arguments[0])], outcome, event.detail)
                case "item":
                    item = (arguments[0], _range(arguments))
                case "item_end":
                    item = None
                case "item_raised":
                    # Checks before the exception have reported; the rest never ran.
                    outcome = Outcome(arguments[3])
                    self._settle(_range(arguments), outcome, event.detail)
                    active = item = None
                case "setup_raised":
                    outcome = Outcome(arguments[0])
                    self._settle_all(outcome, event.detail)
                case "done":
                    done = True
        if not started:
            raise EngineFault("the program did not start in its jail")
        if done:
            self._settle_all(Outcome.NOT_RUN, "the tests never came to it")
        elif active is not None:
            self._settle([active], ending.outcome, ending.detail)
            self._leave_out(f"c{active}")
        elif item is not None:
            number, inside = item
            self._settle(inside, ending.outcome, ending.detail)
            self._leave_out(f"g{number}")
        else:
            # The code's own top level, or a definition of the tests: nothing can follow.
            self._settle_all(ending.outcome, ending.detail)
        self.finished = self.finished or len(self.results) == len(self.checks)

    def give_up(self, detail: str) -> None:
        """
        Mark what is left as not run.
        """
        self._settle_all(Outcome.NOT_RUN, detail)
        self.finished = True

    def in_order(self) -> tuple[CheckResult, ...]:
        """
        Return one result per check, in the order of the tests.
        """
        return tuple(self.results[check.index] for check in self.checks)

    def _leave_out(self, what: str) -> None:
        # Left out already and ended there again: no further run can get past it.
        if what in self.skip:
            self.give_up("the tests do not get past an earlier failure")
        else:
            self.skip.append(what)

    def _settle_all(self, outcome: Outcome, detail: str) -> None:
        self._settle(range(len(self.checks)), outcome, detail)

    def _settle(self, indexes: Iterable[int], outcome: Outcome, detail: str) -> None:
        for index in indexes:
            # The first report stands: a later run only repeats it.
            if index not in self.results and 0 <= index < len(self.checks):
                self.results[index] = CheckResult(
                    index=index,
                    line=self.checks[index].line,
                    outcome=outcome,
                    detail=detail.strip(),
                )


def _range(arguments: tuple[str, ...]) -> range:
    first, last = int(arguments[1]), int(arguments[2])
    return range(first, min(last, 1_000_000) + 1)
