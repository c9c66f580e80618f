"""Requests to servers with httpx: a deadline for each, and JSON in both directions."""

from __future__ import annotations

import itertools
import logging
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from ...codec.typed import read_json
from ...errors import FormatError, MachineError

try:
    import httpx
    import stamina as stamina  # noqa: PLC0414 (for those who retry)
except ImportError as error:
    raise MachineError(
        "asking servers needs httpx and stamina: pip install 'ocaml-reward[remote]'"
    ) from error

_CONNECT_S: Final = 5.0
_MOST_BYTES: Final = 16 * 1024 * 1024

# Without any handler, Python would print each retry that stamina logs.
logging.getLogger("stamina").addHandler(logging.NullHandler())


class Lost(Exception):
    """A request without a usable answer; `sent` tells whether a server may have begun it."""

    def __init__(self, message: str, *, sent: bool) -> None:
        """Keep how far the request got."""
        super().__init__(message)
        self.sent = sent


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A whole answer; `body` is None where it is no JSON."""

    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def retry_after_s(self) -> float | None:
        """The seconds that the server asks to wait, from 0.05 to 30."""
        try:
            return min(max(float(self.headers["Retry-After"]), 0.05), 30.0)
        except (KeyError, ValueError):
            return None


class Client:
    """Sends requests from several threads over kept connections."""

    def __init__(self, token: str | None, *, number_header: str | None = None) -> None:
        """Open nothing yet; a server has to repeat the number in `number_header`."""
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._client = httpx.Client(
            headers=headers,
            verify=ssl.create_default_context(),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
            # Proxies and .netrc of the environment are not for these servers.
            trust_env=False,
        )
        self._number_header = number_header
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()
        self.closed = False

    def ask(self, url: str, path: str, body: bytes | None, *, timeout_s: float) -> Answer:
        """Send a request, a POST where it has a body, and read the answer; raise Lost."""
        deadline = time.monotonic() + timeout_s
        number = str(next(self._numbers))
        try:
            with self._client.stream(
                "GET" if body is None else "POST",
                url + path,
                content=body,
                headers={self._number_header: number} if self._number_header else {},
                timeout=httpx.Timeout(timeout_s, connect=min(_CONNECT_S, timeout_s)),
                extensions={"trace": self._note_socket},
            ) as response:
                text = b""
                for part in response.iter_bytes():
                    text += part
                    # The timeout of httpx begins anew with each part.
                    if time.monotonic() > deadline:
                        raise Lost(f"{url}: no whole answer in time", sent=True)
                    if len(text) > _MOST_BYTES:
                        raise Lost(f"{url}: answers too many bytes", sent=True)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise Lost(f"{url}: {_why(error)}", sent=False) from error
        except (httpx.HTTPError, httpx.StreamError, OSError, RuntimeError) as error:
            raise Lost(f"{url}: {_why(error)}", sent=True) from error
        if self._number_header:
            said = response.headers.get(self._number_header)
            # A GET may ask a server of another version, which knows of no numbers.
            if said != number and not (said is None and body is None):
                raise Lost(f"{url}: answers another request", sent=True)
        try:
            found = read_json(text)
        except FormatError:
            found = None
        return Answer(status=response.status_code, headers=response.headers, body=found)

    def close(self) -> None:
        """End every connection, also those that other threads wait on."""
        with self._lock:
            self.closed = True
            sockets = list(self._sockets)
        for each in sockets:
            _end(each)
        self._client.close()

    def _note_socket(self, event: str, info: Mapping[str, Any]) -> None:
        """Keep the sockets that httpx opens, as its own close would not wake a reader."""
        if event in {
            "connection.connect_tcp.complete",
            "connection.start_tls.complete",
        }:
            opened = info["return_value"].get_extra_info("socket")
            with self._lock:
                self._sockets = {each for each in self._sockets if each.fileno() >= 0}
                self._sockets.add(opened)
                closed = self.closed
            if closed:
                # It was opened meanwhile: whoever reads from it would wait for ever.
                _end(opened)


def _end(connection: socket.socket) -> None:
    """End a connection, also for a thread that waits on it."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _why(error: Exception) -> str:
    return str(error) or type(error).__name__
