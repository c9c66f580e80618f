"""Threads that do first what is quick: what turns out to be slow waits until nothing else does.

Of what is quick, each goes on with what belongs to no group that another is at: what one
completion of a problem leaves behind in an engine serves the next, and two at a time would
both have to make it.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Generator, Hashable, Iterable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from threading import Condition, Lock
from typing import Generic, NamedTuple, TypeVar

from .errors import MachineError

# How far ahead of the oldest that is not done the others may run, per thread; and in all,
# where some are slow and wait for them.
_AHEAD = 8
_FURTHEST = 64
_MOMENT_S = 0.02
# Of how many that wait one of another group may be taken before the first.
_LOOK = 64

Value = TypeVar("Value")


class Task(NamedTuple, Generic[Value]):
    """A glance, the work for where that comes to nothing, and what group it belongs to."""

    glance: Callable[[], Value | None]
    work: Callable[[], Value | None]
    group: Hashable = None


# What waits, and whether a glance at it came to nothing.
_Job = tuple[Future[Value], Task[Value], bool]


class Threads:
    """So many threads, for one stream after the other: to start one costs about what Python does
    for a completion.
    """

    def __init__(self, count: int, name: str) -> None:
        """Start none yet."""
        self.count = count
        self._name = name
        self._lock = Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._process = os.getpid()

    def pool(self) -> ThreadPoolExecutor:
        """Return them; a forked process has none of its parent's."""
        with self._lock:
            if self._pool is None or self._process != os.getpid():
                self._process = os.getpid()
                self._pool = ThreadPoolExecutor(
                    self.count, thread_name_prefix=self._name
                )
            return self._pool

    def are(self, pool: ThreadPoolExecutor) -> bool:
        """Tell whether these are the present ones, which take work."""
        return self._pool is pool

    def close(self, *, wait: bool = True) -> None:
        """End each when it is done, and wait for that; later streams have others."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None and self._process == os.getpid():
            pool.shutdown(wait=wait)


class Lanes(Generic[Value]):
    """Works with threads on what is submitted: first on all that is quick."""

    def __init__(self, threads: Threads) -> None:
        """Start nothing yet."""
        self._threads = threads
        self._pool = threads.pool()
        self._working = 0
        self._closed = False
        self._lock = Lock()
        self._idle = Condition(self._lock)
        self._quick: deque[_Job[Value]] = deque()
        self._slow: deque[_Job[Value]] = deque()
        self._aside: set[Future[Value]] = set()
        self._at: Counter[Hashable] = Counter()

    def submit(self, task: Task[Value]) -> Future[Value]:
        """Have a glance, and where that comes to nothing, do the work after what is quick,
        which comes to something.
        """
        return self.submit_all([task])[0]

    def submit_all(self, tasks: Iterable[Task[Value]]) -> list[Future[Value]]:
        """Submit tasks together: no work begins before the last glance, though the first ones
        are over before all are submitted.
        """
        futures: list[Future[Value]] = []
        with self._lock:
            if self._closed:
                raise RuntimeError("nothing more is taken")
            for task in tasks:
                futures.append(Future())
                self._quick.append((futures[-1], task, False))
            # Whoever is at work goes on with these: that wakes nobody.
            for _ in range(min(self._threads.count - self._working, len(futures))):
                try:
                    self._have_work_done()
                except BaseException:
                    for _ in futures:
                        self._quick.pop()
                    raise
        return futures

    def _have_work_done(self) -> None:
        """Have one more thread at work, or leave it to those that are.

        Raises:
            MachineError: No thread could be started, and none is at work.
        """
        try:
            self._pool.submit(self._work)
        except RuntimeError as error:
            if not self._threads.are(self._pool):
                raise
            # The pool has queued it all the same, for whichever of its threads is free.
            if not self._working:
                message = f"{error} (see ulimit -u, ulimit -v, a container's limits)"
                raise MachineError(message) from error
        self._working += 1

    def is_over(self, future: Future[Value]) -> bool:
        """Tell whether it is done, or waits for all that is quick."""
        return future.done() or future in self._aside

    def shutdown(self, *, wait: bool = True, cancel: bool = False) -> None:
        """Take nothing more; what is set aside fails, and with `cancel` nothing more is begun."""
        dropped: list[_Job[Value]] = []
        with self._lock:
            self._closed = True
            if cancel:
                dropped = [*self._quick, *self._slow]
                self._quick.clear()
                self._slow.clear()
        for future, _, _ in dropped:
            if not future.cancel():
                future.set_exception(CancelledError())
        if wait:
            with self._idle:
                # Below 0 where what no thread could be started for was done after all.
                self._idle.wait_for(lambda: self._working <= 0)

    def _work(self) -> None:
        """Do what waits until nothing does."""
        job: _Job[Value] | None = None
        while job := self._next(job):
            self._do(*job)

    def _next(self, done: _Job[Value] | None) -> _Job[Value] | None:
        with self._lock:
            if done is not None:
                self._left(done[1].group)
            job = self._taken()
            if job is None:
                self._working -= 1
                self._idle.notify_all()
            else:
                self._at[job[1].group] += 1
            return job

    def _left(self, group: Hashable) -> None:
        self._at[group] -= 1
        if not self._at[group]:
            del self._at[group]

    def _taken(self) -> _Job[Value] | None:
        if not self._quick:
            return self._slow.popleft() if self._slow else None
        for place, job in enumerate(islice(self._quick, _LOOK)):
            group = job[1].group
            if group is None or group not in self._at:
                del self._quick[place]
                return job
        return self._quick.popleft()

    def _do(self, future: Future[Value], task: Task[Value], seen: bool) -> None:
        if not (seen or future.set_running_or_notify_cancel()):
            return
        try:
            found = task.work() if seen else task.glance()
            if found is None and seen:
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
                self._slow.append((future, task, True))
                return
        future.set_exception(CancelledError())


def in_order(
    tasks: Iterable[Task[Value]],
    *,
    threads: Threads,
    stop: Callable[[], None],
) -> Generator[Value, None, None]:
    """Yield what comes of each task, in the order they come, reading only a little ahead of the
    results; `stop` ends what runs where that is interrupted.
    """
    pending: deque[Future[Value]] = deque()
    lanes = Lanes[Value](threads)
    try:
        for task in tasks:
            pending.append(lanes.submit(task))
            while _is_ahead(lanes, pending, threads.count):
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
    """Wait a moment where enough is at work, and tell whether to look for results; else more
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
