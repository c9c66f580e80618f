"""A TCP proxy that does harm: it resets, delays, cuts short, answers 500, or all in turn."""

from __future__ import annotations

import itertools
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_HTTP_500 = b'HTTP/1.1 500 No\r\nContent-Length: 13\r\nConnection: close\r\n\r\n{"reward": 0}'
# JSON of the right shape from someone who is not the server.
_FORGED = b'HTTP/1.1 200 OK\r\nContent-Length: 15\r\nConnection: close\r\n\r\n{"results": []}'


class _Proxy:
    """Passes every other connection on untouched, and harms the rest in turn."""

    def __init__(self, target: int) -> None:
        self.door = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.target = target
        self.harms = dict.fromkeys(HARMS, 0)
        self._turns = itertools.cycle(HARMS)
        self._lock = threading.Lock()
        self.threads: list[threading.Thread] = []
        self.stopped = False

    def accept(self) -> None:
        """Take connections until the door is shut."""
        while True:
            try:
                client, _ = self.door.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._pass_on, args=(client,))
            thread.start()
            self.threads.append(thread)

    def _pass_on(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            client.settimeout(20)
            while request := _message(client):
                post = request.startswith(b"POST /v1/check")
                harm = self._harm() if post else "none"
                if not self._answered(client, request, harm):
                    return

    def _harm(self) -> str:
        with self._lock:
            harm = next(self._turns)
            self.harms[harm] += 1
            return harm

    def _answered(self, client: socket.socket, request: bytes, harm: str) -> bool:
        if harm == "reset":
            linger = struct.pack("ii", 1, 0)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            return False
        if harm in {"500", "forged"}:
            client.sendall(_HTTP_500 if harm == "500" else _FORGED)
            return False
        with socket.create_connection(("127.0.0.1", self.target)) as server:
            server.sendall(request)
            answer = _message(server)
        if harm == "delayed":
            threading.Event().wait(0.3)
        if harm == "cut":
            client.sendall(answer[: len(answer) // 2])
            return False
        client.sendall(answer)
        return True


HARMS = ("none", "reset", "none", "500", "delayed", "cut", "none", "forged")


def _message(peer: socket.socket) -> bytes:
    """Read one request or answer, whole."""
    text = b""
    while b"\r\n\r\n" not in text:
        part = peer.recv(65536)
        if not part:
            return b""
        text += part
    head, _, body = text.partition(b"\r\n\r\n")
    lengths = [
        int(line.partition(b":")[2])
        for line in head.lower().split(b"\r\n")
        if line.startswith(b"content-length:")
    ]
    while len(body) < sum(lengths):
        body += peer.recv(65536)
    return head + b"\r\n\r\n" + body


@contextmanager
def harmed(target: int) -> Iterator[tuple[str, dict[str, int]]]:
    """Stand before a port, and yield the address and how often each harm was done."""
    proxy = _Proxy(target)
    accepting = threading.Thread(target=proxy.accept)
    accepting.start()
    try:
        yield f"http://127.0.0.1:{proxy.door.getsockname()[1]}", proxy.harms
    finally:
        with suppress(OSError):
            proxy.door.shutdown(socket.SHUT_RDWR)
        proxy.door.close()
        accepting.join(20)
        for thread in proxy.threads:
            thread.join(30)
