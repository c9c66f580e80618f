"""The format of the engine's messages: netstrings, and the harness' events on descriptor 3.  Pure.

Every event line starts with a nonce that only the harness knows; a line without it is no event.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from ..errors import EngineFault

# Limits that the harness never exceeds: data beyond them comes from the code, and is ignored.  The
# longest event is a value that is sent whole (MOST_WHOLE in ocaml/run/value_encode.c).
_MOST_EVENTS = 200_000
_LONGEST = (1 << 23) + 1000


def pack(*items: str | bytes) -> bytes:
    """Return netstrings: b"5:hello,"."""
    encoded = (
        item.encode("utf-8", "surrogateescape") if isinstance(item, str) else item for item in items
    )
    return b"".join(b"%d:%s," % (len(item), item) for item in encoded)


def netstrings(data: bytes) -> list[bytes]:
    """Return the items of netstrings.  Raises EngineFault if `data` is incomplete."""
    items: list[bytes] = []
    position = 0
    while position < len(data):
        colon = data.find(b":", position, position + 12)
        length = data[position:colon]
        if colon < 0 or not length.isdigit():
            raise EngineFault("the engine's helper answered nonsense")
        end = colon + 1 + int(length)
        if data[end : end + 1] != b",":
            raise EngineFault("the engine's helper answered only in part")
        items.append(data[colon + 1 : end])
        position = end + 1
    return items


class Event(NamedTuple):
    """One line of a trusted program: NONCE NAME ARGUMENTS|DETAIL."""

    name: str
    arguments: tuple[str, ...]
    detail: str


def read_events(data: bytes, nonce: str) -> list[Event]:
    """Return the events of all complete lines that start with the nonce.

    Code that may break its process may have written any of the data.
    """
    start = f"\n{nonce} ".encode()
    # Drop an incomplete last line, of a process that was killed while writing.
    whole = b"\n" + data[: data.rfind(b"\n") + 1]
    _, *pieces = whole.split(start, _MOST_EVENTS)
    found = []
    for piece in pieces:
        line, _, _ = piece.partition(b"\n")
        text = line[:_LONGEST].decode("utf-8", "replace")
        words, separator, detail = text.partition("|")
        if separator and (parts := words.split()):
            found.append(Event(parts[0], tuple(parts[1:]), detail))
    return found


def nonce() -> str:
    """Return a secret for one run of a trusted program."""
    return secrets.token_hex(16)
