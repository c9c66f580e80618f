"""
The server as a process: it listens, and on SIGTERM ends what it has begun and nothing more.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from .app import App
from .logs import log

__all__ = ["listening", "serve_on", "server_of", "url_of"]

_BACKLOG: Final = 1024
_HEAD_BYTES: Final = 64 * 1024


def listening(host: str, port: int) -> socket.socket:
    """
    Return a socket that listens; port 0 takes a free one.  Raises OSError.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    # Every connection takes it over.  Without it the second part of an answer waits for a
    # word from the client that the first has come, which comes after 40 ms.
    door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return door


def url_of(host: str, door: socket.socket) -> str:
    """
    Return the URL of what listens at a host's address: one of IPv6 stands in brackets.
    """
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{door.getsockname()[1]}"


def serve_on(app: App, door: socket.socket) -> None:
    """
    Answer requests until a signal says that it is enough.
    """
    server_of(app).run(sockets=[door])


def server_of(app: App) -> uvicorn.Server:
    """
    Return what serves an application; its `should_exit` ends it as a signal does.
    """
    settings = app.settings

    class Patient(_Patient):
        head_s = settings.head_s

    config = uvicorn.Config(
        app.asgi,
        http=Patient,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=settings.connections,
        timeout_keep_alive=int(settings.idle_s),
        timeout_graceful_shutdown=int(settings.drain_s),
        h11_max_incomplete_event_size=_HEAD_BYTES,
    )
    return _Server(config, app)


class _Server(uvicorn.Server):
    """
    Ends with the code of what was run, where uvicorn would raise the signal once more.
    """

    def __init__(self, config: uvicorn.Config, app: App) -> None:
        super().__init__(config)
        self._app = app

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
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
        """
        At the first signal let what runs end; at the second end at once.
        """
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
        self.should_exit = True


class _Patient(H11Protocol):
    """
    Waits `head_s` seconds for the head of a request, and no longer.

    uvicorn bounds how long a connection lies idle between requests, but neither the wait
    for the first nor how slowly a head comes in.
    """

    head_s = 10.0

    def __init__(self, *args: Any, **extra: Any) -> None:
        super().__init__(*args, **extra)
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._late is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._late = self.loop.call_later(self.head_s, self._cut_off)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _cut_off(self) -> None:
        self.transport.abort()
