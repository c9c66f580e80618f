"""The one queue before the engine: bounded, and rid of what nobody waits for any more."""

from __future__ import annotations

import asyncio
import itertools
import math
import os
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final, TypeVar

from .. import MachineError
from ..abandoning import is_abandoned
from .metrics import Metrics
from .refusals import Refusal
from .turns import Piece, Turns

Value = TypeVar("Value")

_LONGEST_WAIT_S: Final = 60
# How fast the measured rate follows what happens.
_WEIGHT: Final = 0.05


class Deadline(MachineError):
    """Nobody waited for an answer any more when the work's turn came."""


class Desk:
    """Gives work to `jobs` threads, with at most `size` pieces waiting or running.

    It belongs to one event loop; only the work itself runs elsewhere.
    """

    def __init__(self, *, jobs: int, size: int, metrics: Metrics) -> None:
        """Start no thread yet."""
        # A slow one keeps a processor busy; a quick one goes back and forth with Python.
        self._turns = Turns(quick=jobs, slow=min(jobs, len(os.sched_getaffinity(0))))
        self._jobs = jobs
        self._size = size
        self._metrics = metrics
        self._taken = 0
        self._running = 0
        self._mean_s = 0.05
        self._room = asyncio.Condition()
        self._lock = threading.Lock()

    async def run(
        self,
        pieces: Sequence[Callable[[], Value]],
        *,
        groups: Sequence[Hashable] = (),
        deadline: float = math.inf,
        hold_s: float = 0.0,
    ) -> list[Value | Exception]:
        """Do all pieces, in any order; an exception stands in the place of what raised it.

        `groups` say which of them belong together: those of one problem.
        Where there is no room for them they wait `hold_s` seconds, and are refused then.
        When this is cancelled, what has not begun is dropped, and what runs is abandoned.
        `deadline` is a time of the monotonic clock.
        """
        await self._enter(len(pieces), hold_s)
        queued = time.monotonic()
        timed = [self._timed(piece, queued, deadline) for piece in pieces]
        asked = [Piece(piece, group) for piece, group in itertools.zip_longest(timed, groups)]
        tasks = [piece.future for piece in asked]
        request = self._turns.submit(asked)
        try:
            await _all_of(tasks)
            return [_raised(each) for each in tasks]
        finally:
            self._turns.drop(request)
            await self._leave(len(pieces))

    def close(self) -> None:
        """Drop what has not begun."""
        self._turns.close()

    async def _enter(self, count: int, hold_s: float) -> None:
        """Wait for room for so many pieces; refuse them if there is none in time."""
        if count > self._size:
            raise Refusal(413, "TooMany", f"at most {self._size} items at a time")
        async with self._room:
            if not self._fits(count):
                try:
                    await asyncio.wait_for(
                        self._room.wait_for(lambda: self._fits(count)), hold_s or 1e-9
                    )
                except TimeoutError:
                    self._metrics.refused("busy")
                    raise self._busy() from None
            self._taken += count
            self._metrics.waiting(self._taken - self._running)

    def _fits(self, count: int) -> bool:
        """Tell whether there is room for so many pieces."""
        return self._taken + count <= self._size

    async def _leave(self, count: int) -> None:
        """Make the room of so many pieces free."""
        async with self._room:
            self._taken -= count
            self._metrics.waiting(max(self._taken - self._running, 0))
            self._room.notify_all()

    def _busy(self) -> Refusal:
        """Return the refusal of a request while all are busy."""
        wait_s = math.ceil(self._taken * self._mean_s / self._jobs)
        return Refusal(
            429,
            "Busy",
            f"{self._taken} completions are waiting",
            retry_after_s=min(max(wait_s, 1), _LONGEST_WAIT_S),
        )

    def _timed(
        self, piece: Callable[[], Value], queued: float, deadline: float
    ) -> Callable[[], Value]:
        """Return the piece of work with its deadline, which is measured."""

        def work() -> Value:
            started = time.monotonic()
            if started > deadline:
                raise Deadline("its time was up before its turn came")
            with self._lock:
                self._running += 1
            try:
                return piece()
            finally:
                spent_s = time.monotonic() - started
                with self._lock:
                    self._running -= 1
                    self._mean_s += _WEIGHT * (spent_s - self._mean_s)
                if not is_abandoned():
                    self._metrics.graded(spent_s, started - queued)

        return work


async def _all_of(tasks: Sequence[Future[Any]]) -> None:
    """Wait until all are done: the last one wakes the loop, which costs more than most else."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    left = itertools.count(len(tasks) - 1, -1)

    def note(_: Future[Any]) -> None:
        if next(left) == 0:
            # A loop that is closed has nobody who waits.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(over.set)

    for task in tasks:
        task.add_done_callback(note)
    if tasks:
        await over.wait()


def _raised(task: Future[Any]) -> Any:
    """Return a task's result, or the exception that it raised."""
    if task.cancelled():
        raise asyncio.CancelledError
    error = task.exception()
    if error is None:
        return task.result()
    # What is no Exception, a cancellation above all, belongs to no single piece.
    if not isinstance(error, Exception):
        raise error
    return error
