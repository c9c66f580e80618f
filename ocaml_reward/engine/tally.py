"""From the harness' events, over one or more runs of a program, to one result per check.

Pure.  A check that ends the process (it loops, exits, exhausts memory) costs only itself:
the program is run again with that check left out, and everything else in its place, so
that later checks find the state that earlier ones left.  Those that lean on a statement
which did not come to its end find none, and end as it did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..errors import EngineFault
from ..model import Check, CheckResult, Outcome
from .hole_watch import HoleWatch
from .judgements import Values
from .protocol import Event
from .run_outcome import RunOutcome
from .spoken import Spoken, share_of
from .values import OUTCOMES, HandedOut

# What is left out is written into the next run's request, which has room for so much.
_MOST_ITEMS = 100_000
# How a check ends that has come to its end.
_RETURNED = (Outcome.PASSED, Outcome.FAILED)
# Characters of a detail; the harness' own have 200 at most.
LONGEST = 1000

# What only the tests bring about, once all of the code has been evaluated.
_OF_TESTS = ("item", "begin", "setup_raised", "done")

# Of no check: it takes nothing in.
_NOTHING = HandedOut()

Decide = Callable[[int, Values, Outcome, str], tuple[Outcome, str]]
"""From a check's place, what it handed out and how the harness says that it ended, to how it
did end.
"""


def as_reported(
    place: int, values: Values, outcome: Outcome, detail: str
) -> tuple[Outcome, str]:
    """Believe the harness: the check was decided beside the code."""
    del place, values
    return outcome, detail


@dataclass(slots=True)
class _Place:
    """Where one run is: in which check, in which top-level statement of the tests."""

    check: int | None = None
    item: tuple[str, range] | None = None
    started: bool = False
    done: bool = False
    handed: HandedOut = field(default_factory=HandedOut)
    # Statements hold other checks each: one that lies cannot name many for ever.
    room: int = 0


@dataclass(slots=True)
class Progress:
    """What is known of each check so far, and what the next run must leave out.

    The harness numbers checks from 0, by their place in `checks`, and so does `results`.
    """

    checks: tuple[Check, ...]
    decide: Decide = as_reported
    leaning: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    printed: Mapping[int, Spoken] = field(default_factory=dict)
    # What the tests have printed in each check.
    said: dict[int, str] = field(default_factory=dict)
    results: dict[int, CheckResult] = field(default_factory=dict)
    skip: list[str] = field(default_factory=list)
    finished: bool = False
    # Whether the tests began in any run, hence the code's own top level came to its end.
    began: bool = False
    holes: HoleWatch | None = None
    _told: set[str] = field(default_factory=set)

    def absorb(self, events: Iterable[Event], ending: RunOutcome) -> None:
        """Take in the events of one run; `ending` says why it stopped if it did not finish.

        Raises EngineFault when the run did not even start.
        """
        place = _Place(room=len(self.checks))
        for event in events:
            try:
                self._follow(event, place)
            except (ValueError, IndexError):
                # Code that is free to break its process can say anything, in any form.
                continue
        if not place.started:
            raise EngineFault("the program did not start in its jail")
        if place.done:
            self._settle_all(Outcome.NOT_RUN, "the tests never came to it")
        elif place.check is not None:
            self._settle([place.check], ending.outcome, ending.detail)
            self._leave_out(f"c{place.check}")
        elif place.item is not None:
            number, inside = place.item
            self._settle(inside, ending.outcome, ending.detail)
            self._let_down(number, ending.outcome, ending.detail)
            self._leave_out(f"g{number}")
        else:
            # The code's own top level, or a definition of the tests: nothing can follow.
            self._settle_all(ending.outcome, ending.detail)
        self.finished = self.finished or len(self.results) == len(self.checks)

    def _follow(self, event: Event, place: _Place) -> None:  # noqa: C901 (one case each)
        arguments = event.arguments
        self.began |= event.name in _OF_TESTS
        match event.name:
            case "hello" | "done":
                place.started = True
                place.done |= event.name == "done"
            case "begin" if self._knows(check := int(arguments[0])):
                place.check = check
                place.handed = HandedOut(check)
            case "value" | "thrown" | "exception":
                place.handed.note(event)
            case "end":
                self._end(int(arguments[0]), int(arguments[1]), event.detail, place)
            case "item":
                self._item(arguments, place)
            case "item_end":
                place.item = None
            case "item_raised":
                self._raised(arguments, event.detail, place)
            case "setup_raised":
                self._settle_all(_failure(arguments[0]), event.detail)
            case "printed":
                self.said.setdefault(int(arguments[0]), event.detail)
            case "hole" | "went" if self.holes:
                self._watch(event, self.holes, place.check)

    def _watch(self, event: Event, holes: HoleWatch, check: int | None) -> None:
        if event.name == "hole":
            holes.met_in(check, len(self.checks), self.results)
        else:
            holes.enters(check, int(event.arguments[0]))

    def _end(self, check: int, number: int, detail: str, place: _Place) -> None:
        values = place.handed.values if check == place.check else {}
        place.check, place.handed = None, _NOTHING
        # Once is enough, as the first report stands.
        if self._knows(check) and check not in self.results:
            outcome, detail = self.decide(check, values, OUTCOMES[number], detail)
            partial = 0.0
            if outcome is Outcome.PASSED and check in self.printed:
                said = self.said.get(check, "")
                share, detail = share_of(self.printed[check], said)
                if share < 1:
                    outcome, partial = Outcome.FAILED, share
            self._settle([check], outcome, detail, partial)

    def _item(self, arguments: tuple[str, ...], place: _Place) -> None:
        number = int(arguments[0])
        if 0 <= number < _MOST_ITEMS:
            place.item = (str(number), self._range(arguments))

    def _raised(self, arguments: tuple[str, ...], detail: str, place: _Place) -> None:
        # Checks before the exception have reported; the rest never ran.
        place.check = place.item = None
        inside = self._range(arguments)
        place.room -= len(inside)
        outcome = _failure(arguments[3])
        if place.room >= 0:
            self._settle(inside, outcome, detail)
        self._let_down(str(int(arguments[0])), outcome, detail)

    def _let_down(self, item: str, outcome: Outcome, detail: str) -> None:
        """Settle the checks that lean on a statement which did not come to its end."""
        # Once is enough, whatever code that is free to break its process says.
        if (what := f"g{item}") not in self._told:
            self._told.add(what)
            for first, last in self.leaning.get(what, ()):
                self._settle(range(first, last + 1), outcome, detail)

    def give_up(self, detail: str) -> None:
        """Mark what is left as not run."""
        self._settle_all(Outcome.NOT_RUN, detail)
        self.finished = True

    def in_order(self) -> tuple[CheckResult, ...]:
        """Return one result per check, in the order of the tests."""
        return tuple(self.results[place] for place in range(len(self.checks)))

    def _knows(self, check: int) -> bool:
        return 0 <= check < len(self.checks)

    def _range(self, arguments: tuple[str, ...]) -> range:
        first, last = int(arguments[1]), int(arguments[2])
        return range(max(first, 0), min(last + 1, len(self.checks)))

    def _leave_out(self, what: str) -> None:
        # Left out already and ended there again: no further run can get past it.
        if what in self.skip:
            self.give_up("the tests do not get past an earlier failure")
        else:
            self.skip.append(what)

    def _settle_all(self, outcome: Outcome, detail: str) -> None:
        self._settle(range(len(self.checks)), outcome, detail)

    def _settle(
        self,
        places: Iterable[int],
        outcome: Outcome,
        detail: str,
        partial: float = 0.0,
    ) -> None:
        if len(self.results) == len(self.checks):
            return
        for place in places:
            # The first report stands: a later run only repeats it.
            if place not in self.results:
                self.results[place] = CheckResult(
                    index=self.checks[place].index,
                    line=self.checks[place].line,
                    outcome=outcome,
                    detail=detail.strip()[:LONGEST],
                    partial=partial,
                )


def with_state(
    results: Sequence[CheckResult], leaning: Mapping[str, Sequence[tuple[int, int]]]
) -> tuple[CheckResult, ...]:
    """Let a check that calls nothing of the code pass only where one that it leans on came to
    its end, or each of them, where it exits for all; `results` are decided, in the order of
    the tests.
    """
    if not leaning:
        return tuple(results)
    found = list(results)
    for check, result in enumerate(results):
        if result.outcome is not Outcome.PASSED:
            continue
        for what, enough in ((f"c{check}", any), (f"x{check}", all)):
            before = [
                found[place]
                for first, last in leaning.get(what, ())
                for place in range(first, last + 1)
            ]
            lost = [each for each in before if each.outcome not in _RETURNED]
            if lost and not enough(each.outcome in _RETURNED for each in before):
                found[check] = replace(
                    result, outcome=lost[-1].outcome, detail=lost[-1].detail
                )
    return tuple(found)


def _failure(number: str) -> Outcome:
    outcome = OUTCOMES[int(number)]
    return Outcome.FAILED if outcome is Outcome.PASSED else outcome
