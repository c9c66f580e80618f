"""One request to one server: connections that are kept, as many as there are threads that
ask, and strict about answers.
"""

from __future__ import annotations

import http.client
import io
import itertools
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from ...errors import FormatError
from ..plain import read_json
from .messages import IDENTITY_HEADER, REQUEST_HEADER
from .urls import Url

_CONNECT_S: Final = 5.0
# No answer is nearly as long.
_MOST_BYTES: Final = 16 * 1024 * 1024


class Lost(Exception):
    """A request that got no answer fit to be read; `sent` tells whether it may have been begun."""

    def __init__(self, message: str, *, sent: bool) -> None:
        """Remember how far it got."""
        super().__init__(message)
        self.sent = sent


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A whole answer of a server: None for `body` where it is no JSON."""

    status: int
    body: Any
    identity: str | None
    retry_after_s: float


class Connections:
    """The connections of all threads.  Closing ends what waits on them."""

    def __init__(self, token: str | None, *, numbered: bool = False) -> None:
        """Open nothing yet; a server of ours has to repeat the number of each request."""
        self._numbered = numbered
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._idle: dict[Url, list[http.client.HTTPConnection]] = {}
        self._lent: set[http.client.HTTPConnection] = set()
        self.closed = False

    def ask(
        self, url: Url, path: str, body: bytes | None, *, timeout_s: float
    ) -> Answer:
        """Send a request, a POST where it has a body, and read all of the answer; raises Lost."""
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
        """End every connection, also those that other threads wait on."""
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
            deadline = time.monotonic() + timeout_s
            connection.sock.settimeout(timeout_s)
            method = "GET" if body is None else "POST"
            number = str(next(self._numbers))
            headers = {**self._headers}
            if self._numbered:
                headers[REQUEST_HEADER] = number
            connection.request(method, url.path + path, body, headers)
            connection.response_class = partial(_response, deadline)  # type: ignore[assignment]
            response = connection.getresponse()
            said = response.headers.get(REQUEST_HEADER)
            # Servers of other versions say what they are, whether they know of numbers or not.
            unsaid = said is None and (body is None or not self._numbered)
            if said != number and not unsaid:
                raise http.client.HTTPException("answers another request")
            text = _body(response)
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


class _Timed(io.RawIOBase):
    """What comes over a socket, by a deadline: a timeout of the socket's own would begin anew
    with each byte.
    """

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        super().__init__()
        self._sock, self._deadline = sock, deadline
        # It outlives a connection that the server closes, as http.client expects of it.
        self._raw = sock.makefile("rb", 0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("no whole answer in time")
        self._sock.settimeout(left)
        return self._raw.readinto(buffer) or 0

    def close(self) -> None:
        self._raw.close()
        super().close()

    def makefile(self, mode: str) -> io.BufferedReader:
        """Stand for the socket where http.client makes a file of it."""
        del mode
        return io.BufferedReader(self)


def _response(
    deadline: float, sock: socket.socket, **options: Any
) -> http.client.HTTPResponse:
    timed: Any = _Timed(sock, deadline)
    return http.client.HTTPResponse(timed, **options)


def _body(response: http.client.HTTPResponse) -> bytes:
    """Read all of a body; raises OSError or HTTPException."""
    if response.length is None:
        # What was cut off would look whole.
        raise http.client.HTTPException("answers without a length")
    if response.length > _MOST_BYTES:
        raise http.client.HTTPException(f"answers {response.length} bytes")
    return response.read()


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
