"""
Threads that do first what is quick: what turns out to be slow waits until nothing else does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["Lanes", "in_order"]

# How far ahead of the oldest that is not done the others may run, per thread; and in all,
# where some are slow and wait for them.
_AHEAD = 8
_FURTHEST = 64
_MOMENT_S = 0.02

Item = TypeVar("Item")
Value = TypeVar("Value")

# What waits, a glance at it where there was none yet, and the work.
_Job = tuple[
    Future[Value], Callable[[], Value | None] | None, Callable[[], Value | None]
]


class Lanes(Generic[Value]):
    """
    Works with so many threads on what is submitted: first on all that is quick.
    """

    def __init__(self, threads: int, name: str) -> None:
        """
        Start nothing yet.
        """
        self._threads = threads
        self._working = 0
        self._closed = False
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._lock = Lock()
        self._quick: deque[_Job[Value]] = deque()
        self._slow: deque[_Job[Value]] = deque()
        self._aside: set[Future[Value]] = set()

    def submit(
        self, glance: Callable[[], Value | None], work: Callable[[], Value | None]
    ) -> Future[Value]:
        """
        Have a glance, and where that comes to nothing, do the work after what is quick,
        which comes to something.
        """
        return self.submit_all([(glance, work)])[0]

    def submit_all(
        self,
        pairs: Iterable[tuple[Callable[[], Value | None], Callable[[], Value | None]]],
    ) -> list[Future[Value]]:
        """
        Submit pairs of a glance and its work together: no work begins before the last
        glance, though the first ones are over before all are submitted.
        """
        futures: list[Future[Value]] = []
        with self._lock:
            if self._closed:
                raise RuntimeError("nothing more is taken")
            for glance, work in pairs:
                futures.append(Future())
                self._quick.append((futures[-1], glance, work))
            # Whoever is at work goes on with these: that wakes nobody.
            fresh = range(min(self._threads - self._working, len(futures)))
            self._working += len(fresh)
        for _ in fresh:
            self._pool.submit(self._work)
        return futures

    def is_over(self, future: Future[Value]) -> bool:
        """
        Tell whether it is done, or waits for all that is quick.
        """
        return future.done() or future in self._aside

    def shutdown(self, *, wait: bool = True, cancel: bool = False) -> None:
        """
        Take nothing more; what is set aside fails, and with `cancel` nothing more is begun.
        """
        with self._lock:
            self._closed = True
            if cancel:
                self._quick.clear()
                self._slow.clear()
        self._pool.shutdown(wait=wait, cancel_futures=cancel)

    def _work(self) -> None:
        """
        Do what waits until nothing does.
        """
        while taken := self._taken():
            self._do(*taken)

    def _taken(self) -> _Job[Value] | None:
        with self._lock:
            if self._quick:
                return self._quick.popleft()
            if self._slow:
                return self._slow.popleft()
            self._working -= 1
            return None

    def _do(
        self,
        future: Future[Value],
        glance: Callable[[], Value | None] | None,
        work: Callable[[], Value | None],
    ) -> None:
        try:
            found = work() if glance is None else glance()
            if found is None and glance is None:
                # Set aside again it would go round for ever.
                raise TypeError("work that was set aside came to nothing")
        except BaseException as error:  # noqa: BLE001 (it is whoever waits who must know)
            self._aside.discard(future)
            future.set_exception(error)
            return
        if found is not None:
            self._aside.discard(future)
            future.set_result(found)
            return
        with self._lock:
            if not self._closed:
                self._aside.add(future)
                self._slow.append((future, None, work))
                return
        future.set_exception(CancelledError())


def in_order(
    items: Iterable[Item],
    glance: Callable[[Item], Value | None],
    work: Callable[[Item], Value],
    *,
    threads: int,
    stop: Callable[[], None],
) -> Generator[Value, None, None]:
    """
    Yield what comes of each item, in the order they come, reading only a little ahead of
    the results; `stop` ends what runs where that is interrupted.
    """
    pending: deque[Future[Value]] = deque()
    lanes = Lanes[Value](threads, "ocaml-reward")
    try:
        for item in items:
            pending.append(lanes.submit(partial(glance, item), partial(work, item)))
            while _is_ahead(lanes, pending, threads):
                while pending and pending[0].done():
                    yield pending.popleft().result()
            while pending and pending[0].done():
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    except GeneratorExit:
        lanes.shutdown(wait=False, cancel=True)
        raise
    except BaseException:
        # Interrupted: end what runs instead of waiting for it.
        lanes.shutdown(wait=False, cancel=True)
        stop()
        raise
    finally:
        lanes.shutdown(cancel=True)


def _is_ahead(lanes: Lanes[Value], pending: deque[Future[Value]], threads: int) -> bool:
    """
    Wait a moment where enough is at work, and tell whether to look for results; else more
    may be read.
    """
    if len(pending) < threads * _AHEAD:
        return False
    if len(pending) >= threads * _FURTHEST:
        _await(pending[0])
        return True
    busy = [each for each in pending if not lanes.is_over(each)]
    if len(busy) < threads * _AHEAD:
        return False
    # One that is further on: to be woken once for several that are done by then leaves the
    # workers more of the interpreter.
    _await(busy[len(busy) // 2])
    return True


def _await(future: Future[Value]) -> None:
    with suppress(TimeoutError):
        future.exception(timeout=_MOMENT_S)
