"""Runs one launcher to its end: started, timed, and always reaped."""

from __future__ import annotations

import math
import os
import select
import selectors
import signal
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from .channels import Channels
from .policy import JailRun, Limits

_WATCH_S = 0.05
_DRAIN_S = 2.0
CATCHABLE = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}


# The launcher that each thread waits for, by thread; under the lock it is not yet reaped.
_waiting: dict[int, int] = {}
_waiting_lock = threading.Lock()


def stop(threads: Iterable[int]) -> None:
    """End what these threads, by identifier, are running; they find it killed."""
    with _waiting_lock:
        for thread in threads:
            if pid := _waiting.get(thread):
                # A launcher answers SIGTERM by killing all that it started.
                os.kill(pid, signal.SIGTERM)


@dataclass(frozen=True, kw_only=True, slots=True)
class ProcessResult:
    """The result of a command.  Times are in seconds; how it ended stands in the log."""

    stdout: bytes
    stderr: bytes
    result: bytes
    log: str
    wall_exceeded: bool
    output_exceeded: bool
    wall_s: float

    def run(
        self,
        *,
        exit_code: int | None,
        signal: int | None,
        cpu_s: float = 0.0,
        max_rss_bytes: int = 0,
    ) -> JailRun:
        """Return the jail's run: this with how the program ended and what it used."""
        return JailRun(
            exit_code=exit_code,
            signal=signal,
            stdout=self.stdout,
            stderr=self.stderr,
            result=self.result,
            wall_exceeded=self.wall_exceeded,
            output_exceeded=self.output_exceeded,
            wall_s=self.wall_s,
            cpu_s=cpu_s,
            max_rss_bytes=max_rss_bytes,
            log=self.log,
        )


def execute(
    argv: Sequence[str],
    *,
    limits: Limits,
    environment: Mapping[str, str],
    stdin: bytes = b"",
    request: bytes = b"",
    overfull: Callable[[], bool] | None = None,
) -> ProcessResult:
    """Run a launcher's `argv` in a session of its own until it and its output have ended.

    `overfull` is asked every 50 ms whether the command filled too much disk.  Every way
    out, an interrupt included, ends all that the launcher started.  Raises OSError when
    it cannot be started itself.
    """
    with ExitStack() as stack:
        run = _Run(stack, limits, overfull)
        run.start(argv, environment)
        return run.serve(stdin, request)


class _Run:
    def __init__(
        self, stack: ExitStack, limits: Limits, overfull: Callable[[], bool] | None
    ) -> None:
        self._stack = stack
        self._limits = limits
        self._overfull = overfull
        self._channels = Channels(stack)
        self._wall_exceeded = self._output_exceeded = False
        self._pid: int | None = None
        self._pidfd = -1
        self._reaped = False
        self._started = self._finished = self._deadline = 0.0

    def start(self, argv: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start the process, its five descriptors numbered as the jail wants them."""
        given: dict[int, int] = {}
        try:
            self._channels.open(given)
            self._started = time.monotonic()
            self._pid = os.posix_spawn(
                argv[0],
                list(argv),
                environment,
                file_actions=[(os.POSIX_SPAWN_DUP2, s, t) for t, s in given.items()],
                setsid=True,
                # Python ignores SIGPIPE and SIGXFSZ, its caller may ignore SIGCHLD, and
                # exec would pass that on.
                setsigmask=(),
                setsigdef=CATCHABLE,
            )
            try:
                self._pidfd = os.pidfd_open(self._pid)
            except ProcessLookupError:
                # It has ended, and where the caller ignores SIGCHLD its number may by now be
                # another's.
                self._settle()
                return
            self._stack.callback(os.close, self._pidfd)
            with _waiting_lock:
                _waiting[threading.get_ident()] = self._pid
            self._stack.callback(self._end)
        finally:
            for descriptor in given.values():
                os.close(descriptor)

    def serve(self, stdin: bytes, request: bytes) -> ProcessResult:
        """Feed and read the process until it has ended and its output is read."""
        if not self._reaped:
            self._channels.watch(self._pidfd, selectors.EVENT_READ)
        self._channels.begin(stdin, request, self._limits)
        self._loop()
        stdout, stderr, result, log = self._channels.texts()
        return ProcessResult(
            stdout=stdout,
            stderr=stderr,
            result=result,
            log=log.decode(errors="replace"),
            wall_exceeded=self._wall_exceeded,
            output_exceeded=self._output_exceeded,
            wall_s=self._finished - self._started,
        )

    def _loop(self) -> None:
        """Serve the process's channels and limits until it has ended."""
        wall_s = self._limits.wall_s
        self._deadline = math.inf if wall_s is None else self._started + wall_s
        next_look = self._started + _WATCH_S
        while self._channels.are_open or not self._reaped:
            left = self._deadline - time.monotonic()
            if left <= 0:
                if self._reaped:
                    return  # Somebody else holds a pipe open, such as a forked worker.
                self._wall_exceeded = True
                self._end()
                continue
            if self._overfull is not None:
                left = min(left, _WATCH_S)
            events = self._channels.wait(None if math.isinf(left) else left)
            if self._overfull is not None and time.monotonic() >= next_look:
                self._check_disk()
                next_look = time.monotonic() + _WATCH_S
            for fd, mask in events:
                if fd == self._pidfd:
                    self._channels.unwatch(fd, selectors.EVENT_READ)
                    self._end()
                elif self._channels.handle(fd, mask):
                    self._output_exceeded = True
                    self._end()

    def _check_disk(self) -> None:
        """End the process if it has filled its folder."""
        if self._overfull is not None and self._overfull():
            self._overfull = None
            self._output_exceeded = True
            self._end()

    def _end(self) -> None:
        """Have the launcher end all it started, and reap it, once."""
        if self._pid is None or self._reaped:
            return
        # Until it is reaped the number is its own.  It answers SIGTERM by killing; only
        # without namespaces can what it runs have stopped or killed it.
        ended = select.poll()
        ended.register(self._pidfd, select.POLLIN)
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.kill(self._pid, number)
            if ended.poll(_DRAIN_S * 1000):
                break
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        # Where the caller ignores SIGCHLD, the kernel has already done this.
        with _waiting_lock:
            with suppress(ChildProcessError):
                os.waitpid(self._pid, 0)
            _waiting.pop(threading.get_ident(), None)
        self._settle()

    def _settle(self) -> None:
        """Note that the process has ended; its output may go on for a moment."""
        self._reaped = True
        self._finished = time.monotonic()
        self._deadline = self._finished + _DRAIN_S
