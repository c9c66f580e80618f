"""What the engine's programs say: netstrings, and the harness' events on descriptor 3.

Pure: bytes in, values out.  Every event line starts with the nonce that only the harness
was told; a line without it is not an event.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from ..errors import EngineFault

# More than the harness ever says: beyond these somebody else is talking, and the host need
# not listen.  The longest event is a value handed out whole (MOST_WHOLE in ocaml/run/value_encode.c).
_MOST_EVENTS = 200_000
_LONGEST = (1 << 23) + 1000


def pack(*items: str | bytes) -> bytes:
    """Write netstrings: b"5:hello,"."""
    encoded = (
        item.encode("utf-8", "surrogateescape") if isinstance(item, str) else item
        for item in items
    )
    return b"".join(b"%d:%s," % (len(item), item) for item in encoded)


def netstrings(data: bytes) -> list[bytes]:
    """Read netstrings back.  Raises EngineFault when `data` is not whole."""
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
    """Read each whole line that carries the nonce; all else is not an event.

    Code that is free to break its process may have written any of it.
    """
    start = f"\n{nonce} ".encode()
    # Behind the last line end is nothing, or what a process killed in mid-write has torn.
    whole = b"\n" + data[: data.rfind(b"\n") + 1]
    _, *pieces = whole.split(start, _MOST_EVENTS)
    found = []
    for piece in pieces:
        line, _, _ = piece.partition(b"\n")
        text = line[:_LONGEST].decode("utf-8", "replace")
        words, separator, detail = text.partition("|")
        if separator and (said := words.split()):
            found.append(Event(said[0], tuple(said[1:]), detail))
    return found


def nonce() -> str:
    """Make a secret for one run of a trusted program."""
    return secrets.token_hex(16)
