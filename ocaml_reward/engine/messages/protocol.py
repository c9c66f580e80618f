"""The format of the engine's messages: netstrings, and the harness' events on descriptor 3.  Pure.

Every event line starts with a nonce that only the harness knows; a line without it is no event.
"""

from __future__ import annotations

import os
import re
from functools import partial
from typing import Final, NamedTuple

from ...errors import EngineFault

# Limits that the harness never exceeds: data beyond them comes from the code, and is ignored.  The
# longest event is a value that is sent whole (MOST_WHOLE in ocaml/run/value_encode.c).
_MOST_EVENTS = 200_000
_LONGEST = (1 << 23) + 1000
_COMMA: Final = ord(",")
# Stands for the nonce; in what is read it is replaced, as bytes are that are no UTF-8.
_MARK: Final = "\0"
_EVENT: Final = re.compile(rf"{_MARK}([^\s|{_MARK}]++) ?+([^|\n{_MARK}]*+)\|(.{{0,{_LONGEST}}})")


def pack(*items: str | bytes) -> bytes:
    """Return netstrings: b"5:hello,"."""
    return pack_bytes(
        *(
            item.encode("utf-8", "surrogateescape") if isinstance(item, str) else item
            for item in items
        )
    )


def pack_bytes(*items: bytes) -> bytes:
    """Return the netstrings of bytes."""
    return b"".join([b"%d:%b," % (len(item), item) for item in items])


def netstrings(data: bytes) -> list[bytes]:
    """Return the items of netstrings.  Raises EngineFault if `data` is incomplete."""
    items: list[bytes] = []
    position, length = 0, len(data)
    try:
        while position < length:
            colon = data.index(b":", position, position + 12)
            end = colon + 1 + int(data[position:colon])
            if data[end] != _COMMA or end <= colon:
                raise ValueError
            items.append(data[colon + 1 : end])
            position = end + 1
    except (ValueError, IndexError):
        raise EngineFault("the engine's helper answered nonsense, or only in part") from None
    return items


class Event(NamedTuple):
    """One line of a trusted program: NONCE NAME WORDS|DETAIL."""

    name: str
    words: str
    detail: str

    @property
    def arguments(self) -> list[str]:
        """The words apart."""
        return self.words.split()


_event = partial(tuple.__new__, Event)


def read_events(data: bytes, nonce: str) -> list[Event]:
    """Return the events of all complete lines that start with the nonce.

    Code that may break its process may have written any of the data.
    """
    # Drop an incomplete last line, of a process that was killed while writing.
    whole = (b"\n" + data[: data.rfind(b"\n") + 1]).decode("utf-8", "replace")
    clean = whole.replace(_MARK, "\ufffd")
    marked = clean.replace(f"\n{nonce} ", f"\n{_MARK}", _MOST_EVENTS)
    return list(map(_event, _EVENT.findall(marked)))


def nonce() -> str:
    """Return a secret for one run of a trusted program."""
    return os.urandom(16).hex()
