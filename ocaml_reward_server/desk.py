"""
The one queue before the engine: bounded, and rid of what nobody waits for any more.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from ocaml_reward import MachineError

from .metrics import Metrics
from .refusals import Refusal

__all__ = ["Deadline", "Desk"]

Value = TypeVar("Value")

_LONGEST_WAIT_S: Final = 60
# How fast the measured rate follows what happens.
_WEIGHT: Final = 0.05


class Deadline(MachineError):
    """
    Nobody waited for an answer any more when the work's turn came.
    """


class Desk:
    """
    Gives work to `jobs` threads, with at most `size` pieces waiting or running.

    It belongs to one event loop; only the work itself runs elsewhere.
    """

    def __init__(self, *, jobs: int, size: int, metrics: Metrics) -> None:
        """
        Start no thread yet.
        """
        self._pool = ThreadPoolExecutor(jobs, thread_name_prefix="desk")
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
        deadline: float = math.inf,
        hold_s: float = 0.0,
    ) -> list[Value | Exception]:
        """
        Do all pieces, in any order; an exception stands in the place of what raised it.

        Where there is no room for them they wait `hold_s` seconds, and are refused then.
        When this is cancelled, what has not begun is dropped.  `deadline` is a time of
        the monotonic clock.
        """
        await self._enter(len(pieces), hold_s)
        queued = time.monotonic()
        tasks = [
            asyncio.wrap_future(self._pool.submit(self._timed(piece, queued, deadline)))
            for piece in pieces
        ]
        try:
            return [
                _raised(each)
                for each in await asyncio.gather(*tasks, return_exceptions=True)
            ]
        finally:
            for task in tasks:
                task.cancel()
            await self._leave(len(pieces))

    def close(self) -> None:
        """
        Drop what has not begun.
        """
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _enter(self, count: int, hold_s: float) -> None:
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
        return self._taken + count <= self._size

    async def _leave(self, count: int) -> None:
        async with self._room:
            self._taken -= count
            self._metrics.waiting(max(self._taken - self._running, 0))
            self._room.notify_all()

    def _busy(self) -> Refusal:
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
                self._metrics.graded(spent_s, started - queued)

        return work


def _raised(result: Any) -> Any:
    # What is no Exception, a cancellation above all, belongs to no single piece.
    if isinstance(result, BaseException) and not isinstance(result, Exception):
        raise result
    return result
