"""Messages between a parent and its children: pickled values with a length prefix."""

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
    """How to set up a child.

    `grader` is called in the child and returns its Grader, or another object with
    `quick_attempt`, `grade`, `close` and `replaced`.  `threads` is the number of completions it
    grades at a time.  Both are pickled, `grader` by its name.
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
    # Only our own child has the other end of this socket.
    return pickle.loads(body)  # noqa: S301


def messages_in(data: bytearray) -> Generator[Any, None, None]:
    """Yield the complete messages in `data`, and remove them from it."""
    at = 0
    with memoryview(data) as view:
        while len(view) - at >= _HEAD.size:
            (size,) = _HEAD.unpack_from(view, at)
            if len(view) - at < _HEAD.size + size:
                break
            start, at = at + _HEAD.size, at + _HEAD.size + size
            yield pickle.loads(view[start:at])  # noqa: S301 (our own child's)
    del data[:at]
