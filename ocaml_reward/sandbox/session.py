"""
One program that stays in its jail and is spoken to over a socket.
"""

from __future__ import annotations

import os
import queue
import select
import signal
import socket
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from types import TracebackType
from typing import Self

from ..errors import JailFault
from .process import CATCHABLE, LOG_DESCRIPTOR, above

__all__ = ["start"]

_DRAIN_MS = 2_000
_KEPT_BYTES = 4_096

_Job = tuple[list[str], dict[int, int], "Future[int]"]

_lock = threading.Lock()
_spawners: dict[int, queue.SimpleQueue[_Job]] = {}


def _forget_lock() -> None:
    global _lock  # noqa: PLW0603 (a fork may have copied it locked)
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget_lock)


def _spawner() -> queue.SimpleQueue[_Job]:
    """
    Return the queue of this process's spawning thread, started on first use.

    A launcher dies with the thread that started it: this one lives as long as the
    process does.  A forked child has its own.
    """
    pid = os.getpid()
    with _lock:
        if pid not in _spawners:
            jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
            threading.Thread(
                target=_spawn_all, args=(jobs,), name="jail-sessions", daemon=True
            ).start()
            _spawners.clear()
            _spawners[pid] = jobs
        return _spawners[pid]


def _spawn_all(jobs: queue.SimpleQueue[_Job]) -> None:
    while True:
        argv, given, started = jobs.get()
        try:
            started.set_result(
                os.posix_spawn(
                    argv[0],
                    argv,
                    {},
                    file_actions=[
                        (os.POSIX_SPAWN_DUP2, s, t) for t, s in given.items()
                    ],
                    setsid=True,
                    setsigmask=(),
                    setsigdef=CATCHABLE,
                )
            )
        except OSError as error:
            started.set_exception(error)


class Running:
    """
    The Session of every jail: a launcher that we started, and its channels.
    """

    def __init__(self, pid: int, ours: socket.socket, output: int, log: int) -> None:
        """
        Take over a launcher of this process that is not reaped yet, and its channels.
        """
        self.pid = pid
        self.socket = ours
        self._owner = os.getpid()
        try:
            self._pidfd = os.pidfd_open(pid)
        except OSError:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise
        self._pipes = {log: b"", output: b""}
        self._closed = False
        self._words = ""
        # One for the end, one for the pipes, so that `said` need not wait for an end.
        self._ending = threading.Lock()
        self._reading = threading.Lock()

    def __enter__(self) -> Self:
        """
        Close it at the end of a block.
        """
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """
        Close it.
        """
        self.close()

    def alive(self) -> bool:
        """
        Tell whether the launcher still runs.
        """
        with self._reading:
            return not self._closed and not self._ended(0)

    def said(self) -> str:
        """
        Return the end of what the jail's log and the program's output say, on one line.
        """
        with self._reading:
            if not self._closed:
                self._drain()
            return self._words

    def close(self) -> None:
        """
        End all that runs in the jail.  A `recv` in another thread returns at once.
        """
        with self._ending:
            if self._closed:
                return
            # A forked child has copies of the descriptors, but not the jail.
            if os.getpid() == self._owner:
                with suppress(OSError):
                    self.socket.shutdown(socket.SHUT_RDWR)
                self._end()
            self.socket.close()
            with self._reading:
                self._drain()
                self._closed = True
                for descriptor in (self._pidfd, *self._pipes):
                    os.close(descriptor)

    def _end(self) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, number)
            if self._ended(_DRAIN_MS):
                break
        # Until it is reaped the number is its own.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)

    def _ended(self, wait_ms: int) -> bool:
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        return bool(poll.poll(wait_ms))

    def _drain(self) -> None:
        for descriptor, before in self._pipes.items():
            # One read empties a pipe; a writer that never stops cannot keep us here.
            with suppress(BlockingIOError):
                chunk = os.read(descriptor, 1 << 20)
                self._pipes[descriptor] = (before + chunk)[-_KEPT_BYTES:]
        said = b"\n".join(self._pipes.values()).decode(errors="replace")
        self._words = " ".join(said.split())


def start(argv: Sequence[str]) -> Running:
    """
    Start a launcher's `argv`.  Raises JailFault when it cannot be started itself.
    """
    given: dict[int, int] = {}
    kept: list[int] = []
    ours, theirs = socket.socketpair()
    try:
        with theirs:
            given[3] = above(theirs.fileno())
        reading, writing = os.pipe()
        os.close(writing)
        given[0] = above(reading)
        os.close(reading)
        for target in (1, LOG_DESCRIPTOR):
            reading, writing = os.pipe()
            kept.append(reading)
            os.set_blocking(reading, False)
            os.set_blocking(writing, False)
            given[target] = above(writing)
            os.close(writing)
        given[2] = above(given[1])
        started: Future[int] = Future()
        _spawner().put((list(argv), given, started))
        return Running(started.result(), ours, *kept)
    except OSError as error:
        ours.close()
        for descriptor in kept:
            os.close(descriptor)
        raise JailFault(f"a jail could not be started: {error}") from error
    finally:
        for descriptor in given.values():
            os.close(descriptor)
