"""Talks to `attacks serve` in a session."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from ocaml_reward.sandbox import Jail, JailPolicy, Session

SERVE = ("/engine/attacks", "serve")


@contextmanager
def opened(jail: Jail, policy: JailPolicy, *more: str) -> Iterator[Session]:
    """Open a session with the server of the catalogue, and close it."""
    session = jail.open(policy, [*SERVE, *more])
    session.socket.settimeout(20)
    try:
        yield session
    finally:
        session.close()


def ask(session: Session, request: str) -> str:
    """Send one line and return the one that comes back."""
    session.socket.sendall(request.encode() + b"\n")
    return hear(session.socket)


def hear(channel: socket.socket) -> str:
    """Return the one line that is due, or what there is of it at the end."""
    said = b""
    while not said.endswith(b"\n") and (chunk := channel.recv(1 << 16)):
        said += chunk
    return said.decode().rstrip("\n")
