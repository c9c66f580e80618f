"""
One request to one server: connections that are kept, as many as there are threads that
ask, and strict about answers.
"""

from __future__ import annotations

import http.client
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from ...errors import FormatError
from ..plain import read_json
from .messages import IDENTITY_HEADER
from .urls import Url

__all__ = ["Answer", "Connections", "Lost"]

_CONNECT_S: Final = 5.0
_MOST_BYTES: Final = 256 * 1024 * 1024


class Lost(Exception):
    """
    A request that got no answer fit to be read; `sent` tells whether it may have been begun.
    """

    def __init__(self, message: str, *, sent: bool) -> None:
        """
        Remember how far it got.
        """
        super().__init__(message)
        self.sent = sent


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """
    A whole answer of a server: None for `body` where it is no JSON.
    """

    status: int
    body: Any
    identity: str | None
    retry_after_s: float


class Connections:
    """
    The connections of all threads.  Closing ends what waits on them.
    """

    def __init__(self, token: str | None) -> None:
        """
        Open nothing yet.
        """
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._lock = threading.Lock()
        self._idle: dict[Url, list[http.client.HTTPConnection]] = {}
        self._lent: set[http.client.HTTPConnection] = set()
        self.closed = False

    def ask(
        self, url: Url, path: str, body: bytes | None, *, timeout_s: float
    ) -> Answer:
        """
        Send a request, a POST where it has a body, and read all of the answer; raises Lost.
        """
        connection = self._kept(url)
        if connection is not None:
            try:
                return self._exchange(connection, url, path, body, timeout_s)
            except Lost as lost:
                # A server may close what is idle just as we write to it, which is no
                # failure of its.  Asked once more, nothing comes of it but the same answer.
                if not isinstance(lost.__cause__, ConnectionError):
                    raise
        return self._exchange(self._opened(url), url, path, body, timeout_s)

    def close(self) -> None:
        """
        End every connection, also those that other threads wait on.
        """
        with self._lock:
            self.closed = True
            lent = list(self._lent)
            idle = [each for kept in self._idle.values() for each in kept]
            self._idle.clear()
        for connection in idle:
            connection.close()
        for connection in lent:
            with suppress(OSError, AttributeError):
                connection.sock.shutdown(socket.SHUT_RDWR)

    def _kept(self, url: Url) -> http.client.HTTPConnection | None:
        with self._lock:
            kept = self._idle.get(url)
            if not kept:
                return None
            connection = kept.pop()
            self._lent.add(connection)
            return connection

    def _opened(self, url: Url) -> http.client.HTTPConnection:
        kinds = {
            "http": http.client.HTTPConnection,
            "https": http.client.HTTPSConnection,
        }
        connection: http.client.HTTPConnection = kinds[url.scheme](
            url.host, url.port, timeout=_CONNECT_S
        )
        try:
            connection.connect()
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            connection.close()
            reason = error.strerror or str(error) or type(error).__name__
            raise Lost(f"{url}: {reason}", sent=False) from error
        with self._lock:
            self._lent.add(connection)
        return connection

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        url: Url,
        path: str,
        body: bytes | None,
        timeout_s: float,
    ) -> Answer:
        try:
            if self.closed:
                raise ConnectionAbortedError("closed")
            connection.sock.settimeout(timeout_s)
            method = "GET" if body is None else "POST"
            connection.request(method, url.path + path, body, self._headers)
            response = connection.getresponse()
            text = response.read(_MOST_BYTES)
            if response.length != 0:
                # Without a length, what was cut off looks whole.
                raise http.client.IncompleteRead(text)
        except (OSError, http.client.HTTPException) as error:
            self._drop(connection)
            reason = str(error) or type(error).__name__
            raise Lost(f"{url}: {reason}", sent=True) from error
        except BaseException:
            self._drop(connection)
            raise
        if response.will_close:
            self._drop(connection)
        else:
            self._keep(url, connection)
        return _answer(response, text)

    def _keep(self, url: Url, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._lent.discard(connection)
            if not self.closed:
                self._idle.setdefault(url, []).append(connection)
                return
        connection.close()

    def _drop(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._lent.discard(connection)
        connection.close()


def _answer(response: http.client.HTTPResponse, text: bytes) -> Answer:
    try:
        body = read_json(text)
    except FormatError:
        body = None
    try:
        wait_s = float(response.headers.get("Retry-After", "1"))
    except ValueError:
        wait_s = 1.0
    return Answer(
        status=response.status,
        body=body,
        identity=response.headers.get(IDENTITY_HEADER),
        retry_after_s=min(max(wait_s, 0.05), 30.0),
    )
