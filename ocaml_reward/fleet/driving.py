"""Drives a schedule: sends, waits, tells the time, and says what happens."""

from __future__ import annotations

import itertools
import statistics
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from .schedule import Chunk, GivenUp, Schedule
from .tally import News, Tally

Work = TypeVar("Work")
Result = TypeVar("Result")

# A chunk is late after three times the median of the last ones, and ten seconds at least:
# one of completions that loop takes as long.
_LATE_TIMES: Final = 3.0
_LATE_S: Final = 10.0
_REMEMBERED: Final = 200
# Completions taken in beyond the oldest that has no result, a worker: one that loops holds
# the results of all others back for seconds.
_AHEAD: Final = 256
AT_A_TIME: Final = 4
"""Chunks that a worker has at a time, so that one which loops does not hold its processors."""
_POLL_S: Final = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Joined:
    """A worker is ready."""

    worker: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Left:
    """A worker is gone, with all that it had."""

    worker: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """The results of what was sent under a number."""

    worker: str
    number: int
    results: Sequence[Any]


Event = Joined | Left | Answered


class Crew(Protocol):
    """Carries work to workers, and tells what becomes of them."""

    @property
    def workers(self) -> Sequence[str]:
        """Those that are ready; who comes later is an event."""
        ...

    def send(self, worker: str, number: int, work: Sequence[Any]) -> None:
        """Give a worker work under a number; what goes wrong is an event."""
        ...

    def events(self, timeout_s: float) -> Sequence[Event]:
        """Wait for events, for so many seconds at the most.

        Raises MachineError where no worker is left and none will come.
        """
        ...


@dataclass(slots=True)
class _Sent(Generic[Work]):
    """A chunk on its way."""

    worker: str
    chunk: Chunk[Work]
    since: float
    copied: bool = False


def driven(
    crew: Crew,
    works: Iterable[Work],
    *,
    given_up: Callable[[Work], Result],
    tally: Tally,
    say: Callable[[str], object] = lambda _: None,
    chunk: int = 16,
    clock: Callable[[], float] = time.monotonic,
) -> Generator[Result, None, None]:
    """Have a crew do work, in chunks.

    Args:
        crew: Who does it.
        works: The work, read only a little ahead of the results.
        given_up: Says what comes of work that lost every worker that had it.
        tally: Is kept up to date.
        say: Takes lines about workers that come and go.
        chunk: How much travels together.
        clock: Seconds that never go back.

    Yields:
        A result each, in the order of the work.

    Raises:
        MachineError: No worker is left.
    """
    drive: _Drive[Work, Result] = _Drive(
        crew, iter(works), tally=tally, say=say, clock=clock, chunk=chunk
    )
    while True:
        drive.read()
        for found, work in drive.done():
            yield given_up(work) if isinstance(found, GivenUp) else found
        if drive.over:
            return
        if not drive.hungry:
            drive.turn()


class _Drive(Generic[Work, Result]):
    """One run of a schedule."""

    def __init__(
        self,
        crew: Crew,
        source: Iterator[Work],
        *,
        tally: Tally,
        say: Callable[[str], object],
        clock: Callable[[], float],
        chunk: int,
    ) -> None:
        self._crew, self._source, self._tally = crew, source, tally
        self._say, self._clock = say, clock
        self._schedule: Schedule[Work, Result] = Schedule(
            chunk=chunk, in_hand=AT_A_TIME, ahead=_AHEAD
        )
        # What has no result yet, oldest first.
        self._pending: deque[Work] = deque()
        self._sent: dict[int, _Sent[Work]] = {}
        self._durations: deque[float] = deque(maxlen=_REMEMBERED)
        self._numbers = itertools.count()
        self._more = True
        self._news = News(tally, clock())
        for worker in crew.workers:
            self._join(worker)

    @property
    def hungry(self) -> bool:
        """Tell whether more work could be read."""
        return self._more and self._schedule.room

    @property
    def over(self) -> bool:
        """Tell whether all work has its result."""
        return not self._more and self._schedule.empty

    def read(self) -> None:
        """Read as much work as may be ahead of the results."""
        while self.hungry:
            try:
                self._pending.append(next(self._source))
            except StopIteration:
                self._more = False
            else:
                self._schedule.add(self._pending[-1])

    def done(self) -> Iterator[tuple[Result | GivenUp, Work]]:
        """Yield the next results in order, each with its work."""
        for found in self._schedule.take():
            yield found, self._pending.popleft()

    def turn(self) -> None:
        """Hand out what waits, and take in what has happened."""
        self._schedule.end()
        for made in self._schedule.hand_out():
            self._tally.copied += len(made.chunk.holders) > 1
            number = next(self._numbers)
            self._sent[number] = _Sent(made.worker, made.chunk, self._clock())
            self._crew.send(made.worker, number, made.chunk.work)
        for event in self._crew.events(_POLL_S):
            self._take_in(event)
        for one in _late(self._sent.values(), self._durations, self._clock()):
            one.copied = True
            self._schedule.copy(one.chunk)
        if line := self._news.due(self._clock(), self._schedule.workers):
            self._say(line)

    def _join(self, worker: str) -> None:
        self._schedule.join(worker)
        self._schedule.widen(_AHEAD * len(self._schedule.workers))

    def _take_in(self, event: Event) -> None:
        worker = event.worker
        match event:
            case Joined():
                self._join(worker)
            case Left(why=why):
                moved = self._schedule.leave(worker)
                self._tally.moved += moved
                for number in [
                    at for at, one in self._sent.items() if one.worker == worker
                ]:
                    del self._sent[number]
                self._say(f"{worker} is lost ({why}), {moved} chunks go to others")
            case Answered(number=number, results=results) if number in self._sent:
                one = self._sent.pop(number)
                self._durations.append(self._clock() - one.since)
                if self._schedule.answered(worker, one.chunk, results):
                    self._tally.results[worker] += len(results)


def _late(
    sent: Iterable[_Sent[Work]], durations: Sequence[float], now: float
) -> list[_Sent[Work]]:
    """Find the chunks that take much longer than others did."""
    usual = statistics.median(durations) if durations else 0.0
    limit = max(_LATE_S, _LATE_TIMES * usual)
    return [
        each
        for each in sent
        if not each.copied and not each.chunk.done and now - each.since > limit
    ]
