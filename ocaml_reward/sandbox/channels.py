"""The five descriptors of a jailed process from the outside: fed, and read under byte caps."""

from __future__ import annotations

import fcntl
import os
import selectors
import socket
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from io import FileIO

from .policy import Limits

LOG_DESCRIPTOR = 4
"""The descriptor on which the launcher and the jail write their log; 3 is the result."""

_CHUNK = 65_536
_LOG_BYTES = 65_536


@dataclass(slots=True)
class _Sink:
    """Keeps what the other side writes, up to a limit."""

    limit: int
    fatal: bool = True
    data: bytearray = field(default_factory=bytearray)

    def overflows(self, chunk: bytes) -> bool:
        """Add data up to the limit; tell whether the rest is fatal."""
        room = self.limit - len(self.data)
        self.data += chunk[:room]
        return self.fatal and len(chunk) > room


class Channels:
    """Our ends of a process's descriptors: 0 and 3 are written, 1, 2, 3 and 4 are read."""

    def __init__(self, stack: ExitStack) -> None:
        """Open nothing yet; what is opened is closed with `stack`."""
        self._stack = stack
        self._selector = stack.enter_context(selectors.DefaultSelector())
        self._sinks: dict[int, _Sink] = {}
        self._feeds: dict[int, memoryview] = {}
        self._readers: set[int] = set()

    def open(self, given: dict[int, int]) -> None:
        """Open all channels.  `given` gets the child's ends by the numbers that they have in
        the child; it is for the caller to close them, also after an error.
        """
        self._socket, theirs = socket.socketpair()
        self._stack.enter_context(self._socket)
        with theirs:
            given[3] = duplicate_above(theirs.fileno())
        self._stdin = self._pipe(0, given)
        self._stdout = self._pipe(1, given)
        self._stderr = self._pipe(2, given)
        self._log = self._pipe(LOG_DESCRIPTOR, given)

    def _pipe(self, target: int, given: dict[int, int]) -> FileIO:
        """Open a pipe for the child's descriptor `target` and return our end."""
        reading, writing = os.pipe()
        ours, theirs = (writing, reading) if target == 0 else (reading, writing)
        given[target] = duplicate_above(theirs)
        os.close(theirs)
        return self._stack.enter_context(FileIO(ours, "w" if target == 0 else "r"))

    def begin(self, stdin: bytes, request: bytes, limits: Limits) -> None:
        """Begin to write `stdin` and `request`, and to read up to the limits."""
        self._sinks = {
            self._stdout.fileno(): _Sink(limits.output_bytes),
            self._stderr.fileno(): _Sink(limits.output_bytes),
            self._socket.fileno(): _Sink(limits.result_bytes),
            self._log.fileno(): _Sink(_LOG_BYTES, fatal=False),
        }
        self._feeds = {
            self._stdin.fileno(): memoryview(stdin),
            self._socket.fileno(): memoryview(request),
        }
        self._readers = set(self._sinks)
        for fd in self._sinks:
            self.watch(fd, selectors.EVENT_READ)
        for fd in self._feeds:
            os.set_blocking(fd, False)
            self._feed(fd)

    @property
    def are_open(self) -> bool:
        """Whether the other side may still write."""
        return bool(self._readers)

    def wait(self, seconds: float | None) -> list[tuple[int, int]]:
        """Wait until a watched descriptor is ready; return those that are, with their events."""
        ready = self._selector.select(seconds)
        return [(key.fd, mask) for key, mask in ready]

    def handle(self, fd: int, mask: int) -> bool:
        """Write and read what a ready channel takes and has; tell whether it overflowed."""
        if mask & selectors.EVENT_WRITE:
            self._feed(fd)
        if not mask & selectors.EVENT_READ:
            return False
        sink = self._sinks[fd]
        try:
            chunk = os.read(fd, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            chunk = b""  # A reset: it died with our request unread.
        if not chunk:
            self._readers.discard(fd)
            self.unwatch(fd, selectors.EVENT_READ)
        return sink.overflows(chunk)

    def texts(self) -> tuple[bytes, bytes, bytes, bytes]:
        """Return what was read: stdout, stderr, the result and the log."""
        stdout, stderr, result, log = (bytes(s.data) for s in self._sinks.values())
        return stdout, stderr, result, log

    def _feed(self, fd: int) -> None:
        """Write what the other side takes now; close the direction when all is written."""
        left = self._feeds[fd]
        try:
            while left:
                left = left[os.write(fd, left[:_CHUNK]) :]
        except BlockingIOError:
            self._feeds[fd] = left
            self.watch(fd, selectors.EVENT_WRITE)
            return
        except OSError:
            pass  # It closed its end: what it does not read is its own affair.
        self.unwatch(fd, selectors.EVENT_WRITE)
        if fd == self._socket.fileno():
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_WR)
        else:
            self._stdin.close()

    def watch(self, fd: int, event: int) -> None:
        """Have `wait` return when a descriptor can be read or written."""
        try:
            self._selector.modify(fd, self._selector.get_key(fd).events | event)
        except KeyError:
            self._selector.register(fd, event)

    def unwatch(self, fd: int, event: int) -> None:
        """Undo `watch` for one kind of event."""
        try:
            remaining = self._selector.get_key(fd).events & ~event
        except KeyError:
            return
        if remaining:
            self._selector.modify(fd, remaining)
        else:
            self._selector.unregister(fd)


def duplicate_above(fd: int) -> int:
    """Duplicate `fd` out of the range 0 to 4, so that no dup2 overwrites a later source."""
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, LOG_DESCRIPTOR + 1)
