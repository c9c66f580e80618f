"""Computes one result per check from the harness' events of one or more runs.  Pure.

A check that ends the process (it loops, exits, exhausts memory) does not affect the others: the
program is run again without that check, so that later checks find the state that earlier ones left.
Checks that depend on a statement which did not finish get the outcome of that statement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...errors import EngineFault
from ...model import Check, CheckResult, Limit, Outcome
from ..messages.limits import cpu_and_steps
from ..messages.protocol import Event
from ..messages.run_outcome import RunOutcome
from ..messages.values import OUTCOMES, ReturnedValues, Values

MOST_BRANCHES = 256
"""At most this many branches are recorded (ocaml/locate/branch_coverage.ml)."""


@dataclass(slots=True)
class ReachedHoles:
    """The holes that the runs of one program have reached.

    A check that reached a hole has no result, whatever the code did afterwards.  Nor has a failed
    check after a hole outside of checks: it may have failed because of the hole.  If checks have
    `shared` state, that also holds for a failed check after a hole in another check.
    """

    shared: bool
    _reached: set[int] = field(default_factory=set)
    _after: set[int] = field(default_factory=set)
    _entered: dict[int, set[int]] = field(default_factory=dict)

    def reach(self, check: int | None, count: int, known: Container[int]) -> None:
        """Note a reached hole.

        Args:
            check: The place of the check that reached it, None outside of checks.
            count: The number of checks.
            known: The places of the checks that had ended before.
        """
        if check is not None:
            self._reached.add(check)
        if check is None or self.shared:
            self._after.update(place for place in range(count) if place not in known)

    def enters(self, check: int | None, branch: int) -> None:
        """Note that a check entered a branch, given by its number."""
        if check is not None and 0 <= branch < MOST_BRANCHES:
            self._entered.setdefault(check, set()).add(branch)

    def entered(self, count: int) -> tuple[tuple[int, ...], ...]:
        """Return, for each of `count` checks, the branches that it entered."""
        return tuple(tuple(sorted(self._entered.get(place, ()))) for place in range(count))

    def apply_to(self, results: Iterable[CheckResult]) -> tuple[CheckResult, ...]:
        """Return the results, in the order of the checks, corrected for the reached holes.

        Details are dropped: they describe a program that nobody wrote.
        """
        return tuple(
            replace(result, outcome=self._outcome(place, result.outcome), detail="")
            for place, result in enumerate(results)
        )

    def _outcome(self, place: int, outcome: Outcome) -> Outcome:
        """Return a check's outcome: it met a hole if it may have."""
        known = outcome in (Outcome.PASSED, Outcome.NOT_RUN)
        if place in self._reached or (place in self._after and not known):
            return Outcome.MET_HOLE
        return outcome


NEVER_REACHED = "the tests never came to it"
"""The detail of a check that the tests have not run, though they came to their end."""

_BLOCKED = "the tests do not get past an earlier failure"
# The next run's request lists the statements to leave out; it has room for this many.
_MOST_ITEMS = 100_000
# Outcomes of checks that finished.
_RETURNED = (Outcome.PASSED, Outcome.FAILED)
# Characters of a detail; those of the harness have at most 200.
LONGEST = 1000

Decide = Callable[[int, Values, Outcome, str], tuple[Outcome, str]]
"""Returns a check's outcome and detail from its place, its values and the harness' report."""


def as_reported(place: int, values: Values, outcome: Outcome, detail: str) -> tuple[Outcome, str]:
    """Return what the harness reported: the check was decided in the code's process."""
    del place, values
    return outcome, detail


@dataclass(slots=True)
class _Place:
    """The position of a run: the current check, the current top-level statement of the tests."""

    # Upper bound on checks named by statements, so that a lying process cannot make us loop.
    room: int
    check: int | None = None
    # What began the statement.
    item: Event | None = None
    started: bool = False
    done: bool = False
    # The run ended at what was left out.
    blocked: bool = False
    returned: ReturnedValues | None = None
    # What began the current check, or its statement, or ended the check before it there; None
    # outside of both.
    since: Event | None = None


@dataclass(slots=True)
class Progress:
    """The results so far, and what the next run must leave out.

    The harness and `results` number checks from 0, by their place in `checks`.
    """

    checks: tuple[Check, ...]
    decide: Decide = as_reported
    leaning: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    printed: Mapping[int, ExpectedText] = field(default_factory=dict)
    # The steps of each check in the reference, by place; empty if unknown.
    reference_steps: Sequence[int | None] = ()
    # The text that the tests printed in each check.
    texts: dict[int, str] = field(default_factory=dict)
    results: dict[int, CheckResult] = field(default_factory=dict)
    skip: list[str] = field(default_factory=list)
    finished: bool = False
    # Whether the tests began in any run, so that the code's own top level has finished.
    began: bool = False
    # How the first statement of the tests ended that did not come to its end.
    lost: RunOutcome | None = None
    # The checks that have failed only by what a handler of the tests noted.
    noted: set[int] = field(default_factory=set)
    # What the program asked for that the jail has not.
    absent: str = ""
    holes: ReachedHoles | None = None
    _failed_statements: set[str] = field(default_factory=set)
    _count: int = field(init=False)

    def __post_init__(self) -> None:
        """Count the checks, once for all events."""
        self._count = len(self.checks)

    def add_run(self, events: Sequence[Event], ending: RunOutcome) -> None:
        """Process the events of one run; `ending` is the reason if it did not finish.

        Raises EngineFault if the run did not even start.
        """
        place = _Place(room=self._count)
        self._follow(events, place)
        if ending.detail == "SIGSYS":
            self.absent = self.absent or "another process or thread"
        if not place.started:
            raise EngineFault("the program did not start in its jail")
        if place.done:
            self._settle_all(Outcome.NOT_RUN, _BLOCKED if place.blocked else NEVER_REACHED)
        elif place.check is not None:
            now = cpu_and_steps(events[-1])[1]
            steps = _steps_between(place.since, now) if ending.has_steps else None
            self._settle(
                [place.check], ending.outcome, ending.detail, steps=steps, limit=ending.limit
            )
            self._leave_out(f"c{place.check}")
        elif place.item is not None and (statement := self._statement(place.item)):
            number, inside = statement
            self.lost = self.lost or ending
            self._settle(inside, ending.outcome, ending.detail, limit=ending.limit)
            self._fail_dependents(number, ending.outcome, ending.detail)
            self._leave_out(f"g{number}")
        else:
            # The code's own top level, or a definition of the tests: no check can follow.
            self._settle_all(ending.outcome, ending.detail, ending.limit)
        self.finished = self.finished or len(self.results) == self._count

    def _follow(self, events: Iterable[Event], place: _Place) -> None:  # noqa: C901, PLR0912
        """Take account of events, one case each, the most frequent first."""
        for event in events:
            name = event.name
            # Code that may break its process can send anything, in any form.
            try:
                if name == "value":
                    if place.returned:
                        place.returned.note_value(event)
                elif name == "item_end":
                    place.item = place.since = None
                elif name == "item":
                    self.began = True
                    place.item = place.since = event
                elif name == "begin":
                    self.began = True
                    if 0 <= (check := int(event.words)) < self._count:
                        place.check = check
                        place.returned = ReturnedValues(check)
                        place.since = place.since or event
                elif name == "end":
                    self._end(event, place)
                elif name in ("thrown", "exception"):
                    if place.returned:
                        place.returned.note_exception(event)
                elif name == "hello":
                    place.started = True
                elif name == "done":
                    self.began = place.started = place.done = True
                elif name == "cut":
                    place.blocked = True
                elif name == "item_raised":
                    self._raised(event, place)
                elif name == "setup_raised":
                    self.began = True
                    outcome = _failure(int(event.words))
                    self.lost = self.lost or RunOutcome(outcome=outcome, detail=event.detail)
                    self._settle_all(outcome, event.detail)
                elif name == "noted":
                    check = int(event.words)
                    if 0 <= check < self._count and check not in self.results:
                        self.noted.add(check)
                elif name == "absent":
                    self.absent = self.absent or event.detail
                elif name == "printed":
                    self.texts.setdefault(int(event.words), event.detail)
                elif name in ("hole", "went") and self.holes:
                    self._watch(event, self.holes, place.check)
            except (ValueError, IndexError):
                continue

    def _watch(self, event: Event, holes: ReachedHoles, check: int | None) -> None:
        """Note a hole that was reached or a branch that was entered."""
        if event.name == "hole":
            holes.reach(check, self._count, self.results)
        else:
            holes.enters(check, int(event.words))

    def _end(self, event: Event, place: _Place) -> None:
        """Settle a check that has ended, once judge and printed text agree."""
        check, number, _, now = map(int, event.words.split())
        values = place.returned.values if place.returned and check == place.check else {}
        steps = _steps_between(place.since, now)
        place.check = place.returned = None
        place.since = event if place.item else None
        # The first report counts.
        if 0 <= check < self._count and check not in self.results:
            outcome, detail = self.decide(check, values, OUTCOMES[number], event.detail)
            partial = 0.0
            if outcome is Outcome.PASSED and check in self.printed:
                text = self.texts.get(check, "")
                share, detail = printed_share(self.printed[check], text)
                if share < 1:
                    outcome, partial = Outcome.FAILED, share
            self._record(check, outcome, detail, partial, steps=steps)

    def _statement(self, item: Event) -> tuple[int, range] | None:
        """Return the number of a statement and its checks, from what began it; None if it cannot
        be left out.
        """
        try:
            number, first, last = map(int, item.words.split())
        except ValueError:
            return None
        return (number, self._checks(first, last)) if 0 <= number < _MOST_ITEMS else None

    def _checks(self, first: int, last: int) -> range:
        """Return the checks of a statement, from the first to the last that an event names."""
        return range(max(first, 0), min(last + 1, self._count))

    def _raised(self, event: Event, place: _Place) -> None:
        """Settle the checks of a statement that raised, and those that depend on it."""
        item, first, last, number = map(int, event.words.split())
        detail = event.detail
        # Checks before the exception have reported; the rest never ran.
        place.check = place.item = place.since = None
        inside = self._checks(first, last)
        place.room -= len(inside)
        outcome = _failure(number)
        self.lost = self.lost or RunOutcome(outcome=outcome, detail=detail)
        if place.room >= 0:
            self._settle(inside, outcome, detail)
        self._fail_dependents(item, outcome, detail)

    def _fail_dependents(self, item: int, outcome: Outcome, detail: str) -> None:
        """Settle the checks that depend on a statement which did not finish."""
        # Only once, even if code that may break its process sends the event again.
        if (what := f"g{item}") not in self._failed_statements:
            self._failed_statements.add(what)
            for first, last in self.leaning.get(what, ()):
                self._settle(range(first, last + 1), outcome, detail)

    def give_up(self, detail: str) -> None:
        """Mark the remaining checks as not run."""
        self._settle_all(Outcome.NOT_RUN, detail)
        self.finished = True

    def in_order(self) -> tuple[CheckResult, ...]:
        """Return one result per check, in the order of the tests."""
        return tuple([self.results[place] for place in range(self._count)])

    def _leave_out(self, what: str) -> None:
        """Skip a check or statement in the next run; give up if it was skipped already."""
        # It was left out already and the run ended there again: no further run can get past it.
        if what in self.skip:
            self.give_up(_BLOCKED)
        else:
            self.skip.append(what)

    def _settle_all(self, outcome: Outcome, detail: str, limit: Limit | None = None) -> None:
        self._settle(range(self._count), outcome, detail, limit=limit)

    def _settle(
        self,
        places: Iterable[int],
        outcome: Outcome,
        detail: str,
        *,
        steps: int | None = None,
        limit: Limit | None = None,
    ) -> None:
        """Record the outcome of these checks if they have none yet."""
        if len(self.results) == self._count:
            return
        for place in places:
            # The first report counts: a later run only repeats it.
            if place not in self.results:
                self._record(place, outcome, detail, steps=steps, limit=limit)

    def _record(
        self,
        place: int,
        outcome: Outcome,
        detail: str,
        partial: float = 0.0,
        *,
        steps: int | None,
        limit: Limit | None = None,
    ) -> None:
        """Record the outcome of a check."""
        check = self.checks[place]
        if outcome is Outcome.OUT_OF_MEMORY:
            # Also if the tests caught the exception; see RunOutcome.has_steps.
            limit, steps = Limit.MEMORY, None
        self.results[place] = CheckResult(
            index=check.index,
            line=check.line,
            outcome=outcome,
            detail=detail.strip()[:LONGEST],
            partial=partial,
            limit=limit,
            steps=steps,
            reference_steps=self.reference_steps[place] if self.reference_steps else None,
        )


def with_state(
    results: Sequence[CheckResult], leaning: Mapping[str, Sequence[tuple[int, int]]]
) -> tuple[CheckResult, ...]:
    """Return the results, in which checks that do not call the code fail if those they depend on
    did not finish.

    Such a check passes only if one of the checks under "c" in `leaning` finished, and all of those
    under "x".  `results` are decided, in the order of the tests.
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
                found[check] = replace(result, outcome=lost[-1].outcome, detail=lost[-1].detail)
    return tuple(found)


def _steps_between(since: Event | None, now: int) -> int | None:
    """Return the steps from an event to now; None if unknown."""
    before = cpu_and_steps(since)[1] if since else now + 1
    return now - before if now >= before else None


def _failure(number: int) -> Outcome:
    """Return the outcome with this number, which cannot be that the check passed."""
    outcome = OUTCOMES[number]
    return Outcome.FAILED if outcome is Outcome.PASSED else outcome


_OTHERWISE = "the tests do not print what they do with the reference: "


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectedText:
    """The text that the tests print in a check with the reference.

    `telling` has the numbers of the lines that are missing with at least one wrong answer.
    """

    text: str
    telling: tuple[int, ...]


def expected_text(text: str, wrong: Iterable[str]) -> ExpectedText | None:
    """Return the expected text, given the texts printed with `wrong` answers.

    Returns None if no wrong answer changes the text.
    """
    others = [Counter(_lines(each)) for each in wrong if each != text]
    if not others:
        return None
    telling = [
        number
        for number, line in enumerate(_lines(text))
        if any(line not in each for each in others)
    ]
    return ExpectedText(text=text, telling=tuple(telling))


def printed_share(expected: ExpectedText, printed: str) -> tuple[float, str]:
    """Return the share of the expected lines that were printed, and the first missing line.

    Only the telling lines count: those by which right code differs from wrong code.  They count in
    their order, and lines beyond the expected number are held against them: a value that prints
    whatever might be expected, in any order, answers nothing.  The share is 1 only if the whole
    text is the same as with the reference.
    """
    if expected.text == printed:
        return 1.0, ""
    wanted, lines = _lines(expected.text), _lines(printed)
    telling = [wanted[number] for number in expected.telling]
    count, extra = len(telling), max(len(lines) - len(wanted), 0)
    found = set(lines)
    first = next((line for line in telling if line not in found), printed)
    # There may be other lines: a text that differs at all is not worth 1.
    share = min(_in_order(telling, lines) / (count + extra), 1 - 1 / count) if count else 0.0
    return share, _OTHERWISE + first


def _in_order(wanted: Sequence[str], lines: Iterable[str]) -> int:
    """Return the length of the longest common subsequence of two texts' lines."""
    # One bit a wanted line, 0 once it is matched (Hyyrö 2004): a few operations for each line.
    masks: dict[str, int] = {}
    for number, line in enumerate(wanted):
        masks[line] = masks.get(line, 0) | 1 << number
    row = every = (1 << len(wanted)) - 1
    for line in lines:
        met = row & masks.get(line, 0)
        row = ((row + met) | (row - met)) & every
    return (row ^ every).bit_count()


def _lines(text: str) -> list[str]:
    """Return the lines of a text that the tests have printed."""
    # The harness escapes line ends, as an event is one line.
    return text.split("\\n")


def pass_with_the_others(
    results: Sequence[CheckResult], printed: Mapping[int, ExpectedText]
) -> tuple[CheckResult, ...]:
    """Return the results, in which the checks in `printed` pass if all other checks do.

    The program then ends as it should in plain OCaml, whatever it prints.
    """
    others = [each for place, each in enumerate(results) if place not in printed]
    if not (printed and others) or any(each.outcome is not Outcome.PASSED for each in others):
        return tuple(results)
    return tuple(
        replace(each, outcome=Outcome.PASSED, detail="", partial=0.0)
        if each.detail.startswith(_OTHERWISE)
        else each
        for each in results
    )
