"""What a parent and its children say to each other: pickled values, each behind its length."""

from __future__ import annotations

import pickle
import socket
import struct
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import IO, Any

_HEAD = struct.Struct("<I")


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    """What every child is: `grader` makes its Grader, in the child, or what has `glance`, `grade`,
    `close` and `replaced` likewise; `threads` is how many
    completions that has at a time.  Both are pickled, `grader` by its name.
    """

    grader: Callable[[], Any]
    threads: int


def send(to: socket.socket, message: object) -> None:
    """Write one message; raises OSError."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    to.sendall(_HEAD.pack(len(body)) + body)


def receive(stream: IO[bytes]) -> Any:
    """Read one message from a file; raises EOFError at its end."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        raise EOFError
    (size,) = _HEAD.unpack(head)
    body = stream.read(size)
    if len(body) < size:
        raise EOFError
    # From our own child, over a socket that nobody else has.
    return pickle.loads(body)  # noqa: S301


def messages_in(data: bytearray) -> Generator[Any, None, None]:
    """Yield the messages that have come as a whole, and take them off the data."""
    at = 0
    with memoryview(data) as view:
        while len(view) - at >= _HEAD.size:
            (size,) = _HEAD.unpack_from(view, at)
            if len(view) - at < _HEAD.size + size:
                break
            start, at = at + _HEAD.size, at + _HEAD.size + size
            yield pickle.loads(view[start:at])  # noqa: S301 (our own child's)
    del data[:at]
