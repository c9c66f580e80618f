"""Thread pool with two queues: every task first gets a quick attempt; the tasks that need more
time are retried in full when no quick attempt is waiting.

A thread prefers a task whose problem no other thread is working on: completions of one problem
share compiled tests, which two threads at the same time would both have to compile.
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

# At most this many unfinished quick attempts per thread before `in_order` reads more input, and
# at most this many tasks per thread after the oldest unfinished one.
_PREFETCH_PER_THREAD = 8
_MAX_PREFETCH = 64
_POLL_S = 0.02
# How far from the front of the queue a task of another group may be chosen.
_LOOK = 64

Value = TypeVar("Value")


class Task(NamedTuple, Generic[Value]):
    """A task: a quick attempt that may return None, the full work, and a group key."""

    quick_attempt: Callable[[], Value | None]
    work: Callable[[], Value | None]
    group: Hashable = None


# A queued task, and whether its quick attempt has returned None.
_Job = tuple[Future[Value], Task[Value], bool]


class Threads:
    """A pool of `count` threads that several streams use in turn.

    Starting a thread costs about as much as Python's part of grading one completion.
    """

    def __init__(self, count: int, name: str) -> None:
        """Start no thread yet."""
        self.count = count
        self._name = name
        self._lock = Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._process = os.getpid()

    def pool(self) -> ThreadPoolExecutor:
        """Return the pool; a forked process gets a new one, without its parent's threads."""
        with self._lock:
            if self._pool is None or self._process != os.getpid():
                self._process = os.getpid()
                self._pool = ThreadPoolExecutor(self.count, thread_name_prefix=self._name)
            return self._pool

    def is_current(self, pool: ThreadPoolExecutor) -> bool:
        """Tell whether a pool is the present one, which accepts work."""
        return self._pool is pool

    def close(self, *, wait: bool = True) -> None:
        """End each thread when it is done; later streams get a new pool."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None and self._process == os.getpid():
            pool.shutdown(wait=wait)


class TwoPassScheduler(Generic[Value]):
    """Runs submitted tasks in threads: all quick attempts first, then the deferred work."""

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
        self._deferred: set[Future[Value]] = set()
        self._groups: Counter[Hashable] = Counter()

    def submit(self, task: Task[Value]) -> Future[Value]:
        """Run the quick attempt; if it returns None, queue the full work behind all quick ones.

        The full work must return a value.
        """
        return self.submit_all([task])[0]

    def submit_all(self, tasks: Iterable[Task[Value]]) -> list[Future[Value]]:
        """Submit tasks together: no full work begins before the last quick attempt.

        Quick attempts begin, and may end, while the others are still being submitted.
        """
        futures: list[Future[Value]] = []
        with self._lock:
            if self._closed:
                raise RuntimeError("nothing more is taken")
            for task in tasks:
                futures.append(Future())
                self._quick.append((futures[-1], task, False))
            # Busy workers will pick these up; only wake idle ones.
            for _ in range(min(self._threads.count - self._working, len(futures))):
                try:
                    self._start_worker()
                except BaseException:
                    for _ in futures:
                        self._quick.pop()
                    raise
        return futures

    def _start_worker(self) -> None:
        """Let one more thread work, or leave the queue to the threads that already do.

        Raises:
            MachineError: No thread could be started, and none is working.
        """
        try:
            self._pool.submit(self._work)
        except RuntimeError as error:
            if not self._threads.is_current(self._pool):
                raise
            # The pool has queued the call anyway, for the next free thread.
            if not self._working:
                message = f"{error} (see ulimit -u, ulimit -v, a container's limits)"
                raise MachineError(message) from error
        self._working += 1

    def is_over(self, future: Future[Value]) -> bool:
        """Tell whether a task is done, or deferred until no quick attempt is waiting."""
        return future.done() or future in self._deferred

    def shutdown(self, *, wait: bool = True, cancel: bool = False) -> None:
        """Accept nothing more.  Deferred tasks fail; with `cancel`, no task is begun any more."""
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
                # Below 0 if a call that no thread could be started for was run after all.
                self._idle.wait_for(lambda: self._working <= 0)

    def _work(self) -> None:
        """Run queued tasks until none is left."""
        job: _Job[Value] | None = None
        while job := self._next(job):
            self._run(*job)

    def _next(self, done: _Job[Value] | None) -> _Job[Value] | None:
        """Return the next job for a thread that is done with one; None ends the thread."""
        with self._lock:
            if done is not None:
                self._leave_group(done[1].group)
            job = self._pop()
            if job is None:
                self._working -= 1
                self._idle.notify_all()
            else:
                self._groups[job[1].group] += 1
            return job

    def _leave_group(self, group: Hashable) -> None:
        """Note that a job of a group is done."""
        self._groups[group] -= 1
        if not self._groups[group]:
            del self._groups[group]

    def _pop(self) -> _Job[Value] | None:
        """Return the next job: a quick one of a group that nobody works on, if any."""
        if not self._quick:
            return self._slow.popleft() if self._slow else None
        for place, job in enumerate(islice(self._quick, _LOOK)):
            group = job[1].group
            if group is None or group not in self._groups:
                del self._quick[place]
                return job
        return self._quick.popleft()

    def _run(self, future: Future[Value], task: Task[Value], seen: bool) -> None:
        """Do a task's quick attempt, or its work if it was deferred."""
        if not (seen or future.set_running_or_notify_cancel()):
            return
        try:
            found = task.work() if seen else task.quick_attempt()
            if found is None and seen:
                # Deferred again, it would never end.
                raise TypeError("deferred work returned None")
        except BaseException as error:  # noqa: BLE001 (the waiting thread gets it)
            self._deferred.discard(future)
            future.set_exception(error)
            return
        if found is not None:
            self._deferred.discard(future)
            future.set_result(found)
            return
        with self._lock:
            if not self._closed:
                self._deferred.add(future)
                self._slow.append((future, task, True))
                return
        future.set_exception(CancelledError())


def in_order(
    tasks: Iterable[Task[Value]],
    *,
    threads: Threads,
    stop: Callable[[], None],
) -> Generator[Value, None, None]:
    """Yield the result of each task, in order, reading `tasks` only a little ahead of the results.

    If the generator is interrupted, `stop` ends the running tasks.
    """
    pending: deque[Future[Value]] = deque()
    scheduler = TwoPassScheduler[Value](threads)
    try:
        for task in tasks:
            pending.append(scheduler.submit(task))
            while _is_ahead(scheduler, pending, threads.count):
                while pending and pending[0].done():
                    yield pending.popleft().result()
            while pending and pending[0].done():
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    except GeneratorExit:
        scheduler.shutdown(wait=False, cancel=True)
        raise
    except BaseException:
        # Interrupted: end the running tasks instead of waiting for them.
        scheduler.shutdown(wait=False, cancel=True)
        stop()
        raise
    finally:
        scheduler.shutdown(cancel=True)


def _is_ahead(
    scheduler: TwoPassScheduler[Value], pending: deque[Future[Value]], threads: int
) -> bool:
    """Tell whether enough tasks are in progress; if so, wait a moment for a result first."""
    if len(pending) < threads * _PREFETCH_PER_THREAD:
        return False
    if len(pending) >= threads * _MAX_PREFETCH:
        _await(pending[0])
        return True
    busy = [each for each in pending if not scheduler.is_over(each)]
    if len(busy) < threads * _PREFETCH_PER_THREAD:
        return False
    # Wait for one further on, so that we wake once for several results and leave the GIL to the
    # workers.
    _await(busy[len(busy) // 2])
    return True


def _await(future: Future[Value]) -> None:
    """Wait a moment for a future."""
    with suppress(TimeoutError):
        future.exception(timeout=_POLL_S)
