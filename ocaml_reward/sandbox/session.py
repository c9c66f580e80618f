"""One program that stays in its jail and is spoken to over a socket."""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress

from ..errors import JailFault
from .channels import LOG_DESCRIPTOR
from .policy import JailRun
from .process import ProcessResult
from .spawner import ChildDescriptors, discard, no_fork, spawn

_DRAIN_MS = 2_000
_RECORD_MS = 1_000
_KEPT_BYTES = 4_096

# The sockets of all that run.  One that only its session held would be forgotten before
# it, and warn that nobody closed it, where both go in a cycle of garbage.
_sockets: set[socket.socket] = set()

Judge = Callable[[ProcessResult], JailRun]
"""Reads how a program ended in a jail.  Raises JailFault when the jail itself failed."""


class Running:
    """The Session of every jail: a launcher that we started, and its channels.

    One that is forgotten is closed.
    """

    def __init__(
        self,
        pid: int,
        pidfd: int,
        ours: socket.socket,
        pipes: tuple[int, int],
        judge: Judge,
    ) -> None:
        """Take over a launcher of this process that is not reaped yet, and its channels:
        the socket, and the pipes of its output and its log, which `judge` reads.
        """
        self.pid = pid
        self.socket = ours
        _sockets.add(ours)
        self._owner = os.getpid()
        self._pidfd = pidfd
        self._judge = judge
        self._pipes = dict.fromkeys(pipes, b"")
        self._closed = False
        self._words = ""
        # One for the end, one for the pipes, so that `describe_end` need not wait for an end.
        self._ending = threading.Lock()
        self._reading = threading.Lock()

    def __del__(self) -> None:
        """Close it, unless Python itself ends, which its launcher sees."""
        if not sys.is_finalizing():
            self.close()

    def alive(self) -> bool:
        """Tell whether the launcher still runs."""
        if self._inherited():
            return False
        with self._reading:
            return not self._closed and not self._ended(0)

    def describe_end(self) -> str:
        """Return how it ended, if it did, and the end of what it printed, on one line."""
        if self._inherited():
            return self._words
        with self._reading:
            if not self._closed:
                # Its jail may take a moment to record an end that the socket shows.
                self._look(self._ended(_RECORD_MS if self._hung_up() else 0))
            return self._words

    def close(self) -> None:
        """End all that runs in the jail.  A `recv` in another thread returns at once, with
        nothing; one that begins later raises OSError.
        """
        if self._inherited():
            self._leave()
            return
        with self._ending:
            if self._closed:
                return
            by_itself = self._ended(0)
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)
            self._end()
            with self._reading:
                self._look(by_itself)
                self._leave()

    def _inherited(self) -> bool:
        """Tell whether this is a forked child's copy: the descriptors, but not the jail,
        and locks that some thread of the parent may have held.
        """
        return os.getpid() != self._owner

    def _leave(self) -> None:
        """Close the session's descriptors."""
        if not self._closed:
            self._closed = True
            _sockets.discard(self.socket)
            self.socket.close()
            for descriptor in (self._pidfd, *self._pipes):
                os.close(descriptor)

    def _end(self) -> None:
        """End the process group, and wait for it."""
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
        """Wait for the process to end; tell whether it did."""
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        return bool(poll.poll(wait_ms))

    def _hung_up(self) -> bool:
        """Tell whether the process has closed its end of the socket."""
        poll = select.poll()
        poll.register(self.socket, select.POLLRDHUP)
        return bool(poll.poll(0))

    def _look(self, ended: bool) -> None:
        """Read what there is; put into words what was printed, and how it `ended` if so."""
        for descriptor, before in self._pipes.items():
            # One read empties a pipe; a writer that never stops cannot keep us here.
            with suppress(BlockingIOError):
                chunk = os.read(descriptor, 1 << 20)
                self._pipes[descriptor] = (before + chunk)[-_KEPT_BYTES:]
        printed, log = (b.decode(errors="replace") for b in self._pipes.values())
        printed = " ".join(printed.split())
        self._words = self._how_it_ended(printed, log) if ended else printed

    def _how_it_ended(self, printed: str, log: str) -> str:
        """Return in words how the process ended, with what it printed."""
        try:
            run = self._judge(
                ProcessResult(
                    stdout=b"",
                    stderr=printed.encode(),
                    result=b"",
                    log=log,
                    wall_exceeded=False,
                    output_exceeded=False,
                    wall_s=0.0,
                )
            )
        except JailFault as fault:
            return str(fault)
        how = f"exit status {run.exit_code}"
        if run.signal is not None:
            how = f"signal {run.signal}"
        return f"{how}: {printed}" if printed else how


def start(argv: Sequence[str], judge: Judge) -> Running:
    """Start a launcher's `argv`; `judge` says how its program ended.

    Raises JailFault when the launcher itself cannot be started.
    """
    try:
        with no_fork, ExitStack() as ours, closing(ChildDescriptors()) as given:
            channel, theirs = socket.socketpair()
            ours.enter_context(channel)
            given.take(3, theirs.detach())
            reading, writing = os.pipe()
            os.close(writing)
            given.take(0, reading)
            output, writing = _pipe(ours)
            given.take(1, os.dup(writing))
            given.take(2, writing)
            log, writing = _pipe(ours)
            given.take(LOG_DESCRIPTOR, writing)
            pid = spawn(argv, given)
            try:
                pidfd = os.pidfd_open(pid)
            except OSError:
                discard(pid)
                raise
            ours.pop_all()
            return Running(pid, pidfd, channel, (output, log), judge)
    except OSError as error:
        raise JailFault(f"a jail could not be started: {error}") from error


def _pipe(ours: ExitStack) -> tuple[int, int]:
    """Open a pipe that never blocks; what it has no room for is refused to the writer."""
    reading, writing = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    ours.callback(os.close, reading)
    return reading, writing
