"""Starts launchers from one thread, for what must outlive the thread that asked for it."""

from __future__ import annotations

import errno
import os
import queue
import signal
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from dataclasses import dataclass

from .channels import duplicate_above
from .process import CATCHABLE

no_fork = threading.RLock()
"""Held while a launcher's channels are open here: a fork of this process waits for it.

A forked child would otherwise keep the launcher's ends, and their end would go unseen.
"""


class ChildDescriptors:
    """A launcher's descriptors, by the numbers that they have in it."""

    def __init__(self, numbers: Mapping[int, int] | None = None) -> None:
        """Begin with these, or with none."""
        self._numbers = dict(numbers or {})

    def take(self, target: int, fd: int) -> None:
        """Give `fd`, which is closed here, as `target`."""
        try:
            self._numbers[target] = duplicate_above(fd)
        finally:
            os.close(fd)

    def moved(self) -> ChildDescriptors:
        """Move all of them to another, which is returned."""
        other = ChildDescriptors(self._numbers)
        self._numbers.clear()
        return other

    def start(self, argv: list[str]) -> int:
        """Start the launcher with them and return its process id."""
        moves = [(os.POSIX_SPAWN_DUP2, s, t) for t, s in self._numbers.items()]
        return os.posix_spawn(
            argv[0],
            argv,
            {},
            file_actions=moves,
            setsid=True,
            setsigmask=(),
            setsigdef=CATCHABLE,
        )

    def close(self) -> None:
        """Close those that were not moved."""
        while self._numbers:
            os.close(self._numbers.popitem()[1])


@dataclass(frozen=True, slots=True)
class _Job:
    argv: list[str]
    given: ChildDescriptors
    pid: Future[int]

    def run(self) -> None:
        """Start the process; its number, or the error, is the result."""
        try:
            with closing(self.given):
                started = self.given.start(self.argv)
        except BaseException as error:  # noqa: BLE001 (whoever waits raises it)
            self.pid.set_exception(error)
        else:
            self.pid.set_result(started)


_jobs: queue.SimpleQueue[_Job] | None = None


def _begin_child() -> None:
    global _jobs  # noqa: PLW0603 (the thread behind the queue was not forked)
    _jobs = None
    no_fork.release()


os.register_at_fork(
    before=no_fork.acquire, after_in_parent=no_fork.release, after_in_child=_begin_child
)


def spawn(argv: Sequence[str], given: ChildDescriptors) -> int:
    """Start a launcher with the descriptors `given`, which move there; return its id.

    It dies with the thread that started it, so that thread lives as long as this
    process.  Call it with `no_fork` held.  Raises OSError when it cannot be started.
    """
    pid: Future[int] = Future()
    _running().put(_Job(list(argv), given.moved(), pid))
    try:
        return pid.result()
    except BaseException:
        # After an interrupt it may still start, with nobody left to end it.
        pid.add_done_callback(_discard_started)
        raise


def _running() -> queue.SimpleQueue[_Job]:
    """Return the queue of the thread that starts processes; start it if needed."""
    global _jobs  # noqa: PLW0603 (one for the process)
    if _jobs is None:
        jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        try:
            threading.Thread(
                target=_run_all, args=(jobs,), name="jail-sessions", daemon=True
            ).start()
        except RuntimeError as error:
            raise OSError(errno.EAGAIN, str(error)) from error
        _jobs = jobs
    return _jobs


def _run_all(jobs: queue.SimpleQueue[_Job]) -> None:
    while True:
        jobs.get().run()


def _discard_started(pid: Future[int]) -> None:
    if pid.exception() is None:
        discard(pid.result())


def discard(pid: int) -> None:
    """End a launcher that is not reaped yet, and reap it."""
    os.kill(pid, signal.SIGTERM)
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)
