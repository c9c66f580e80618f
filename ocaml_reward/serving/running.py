"""The server as a process: it listens, and on SIGTERM ends what it has begun and nothing more."""

from __future__ import annotations

import asyncio
import resource
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, ClassVar, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from .app import App
from .logs import log

_BACKLOG: Final = 1024
_HEAD_BYTES: Final = 64 * 1024
# Files that the engine has open, and what runs.
_OWN_FILES: Final = 256


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes a free one.  Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    # Every connection takes it over.  Without it the second part of an answer waits for a
    # word from the client that the first has come, which comes after 40 ms.
    door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return door


def url_of(host: str, door: socket.socket) -> str:
    """Return the URL of what listens at a host's address: one of IPv6 stands in brackets."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{door.getsockname()[1]}"


def serve_on(app: App, door: socket.socket) -> None:
    """Answer requests until a signal says that it is enough."""
    server_of(app).run(sockets=[door])


def server_of(app: App) -> uvicorn.Server:
    """Return what serves an application; its `should_exit` ends it as a signal does."""
    settings = app.settings
    connections = min(settings.connections, _files() - _OWN_FILES)

    class Patient(_Patient):
        head_s = settings.head_s
        most_quiet = connections // 2
        quiet: ClassVar[dict[_Patient, None]] = {}

    config = uvicorn.Config(
        app.asgi,
        http=Patient,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=connections,
        timeout_keep_alive=int(settings.idle_s),
        timeout_graceful_shutdown=int(settings.drain_s),
        h11_max_incomplete_event_size=_HEAD_BYTES,
    )
    return _Server(config, app)


class _Server(uvicorn.Server):
    """Ends with the code of what was run, where uvicorn would raise the signal once more."""

    def __init__(self, config: uvicorn.Config, app: App) -> None:
        super().__init__(config)
        self._app = app

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let signals end the server while it runs, and restore their handlers."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        self._loop = asyncio.get_running_loop()
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """At the first signal let what runs end; at the second end at once."""
        del frame
        if self._app.draining:
            self.force_exit = True
            self.should_exit = True
            return
        self._app.draining = True
        log("draining", signal=signal.Signals(sig).name)
        delay_s = self._app.settings.drain_delay_s
        self._loop.call_soon_threadsafe(self._loop.call_later, delay_s, self._enough)

    def _enough(self) -> None:
        """End the server."""
        self.should_exit = True


def _files() -> int:
    """Return how many files and connections this process may have open."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if most == resource.RLIM_INFINITY else most


class _Patient(H11Protocol):
    """Waits `head_s` seconds for the head of a request, and no longer; of all connections
    without a request it keeps the `most_quiet` that were quiet last.

    uvicorn bounds how long a connection lies idle between requests, but neither the wait
    for the first nor how slowly a head comes in; and beyond its number of connections it
    refuses those who ask, not those who hold them and say nothing.
    """

    head_s = 10.0
    most_quiet = 2048
    # Longest first.
    quiet: ClassVar[dict[_Patient, None]] = {}

    def __init__(self, *args: Any, **extra: Any) -> None:
        super().__init__(*args, **extra)
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()
        self._rest()

    def data_received(self, data: bytes) -> None:
        """Take data, and limit the time that an unfinished request may take."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
            self.quiet.pop(self, None)
        elif self._late is None:
            self._wait()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._rest()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self.quiet.pop(self, None)
        super().connection_lost(exc)

    def _rest(self) -> None:
        """Note a connection without a request; cut off the oldest if there are too many."""
        self.quiet[self] = None
        if len(self.quiet) > self.most_quiet:
            next(iter(self.quiet)).cut_off()

    def _wait(self) -> None:
        """Start the time that a request's head may take."""
        self._late = self.loop.call_later(self.head_s, self.cut_off)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def cut_off(self) -> None:
        """End the connection, without a word."""
        self.quiet.pop(self, None)
        self.transport.abort()
