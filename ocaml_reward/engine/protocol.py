"""
What the engine's programs say: netstrings, and the harness' events on descriptor 3.

Pure: bytes in, values out.  Every event line starts with the nonce that only the harness
was told; a line without it is not an event.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import EngineFault

__all__ = ["Event", "netstrings", "nonce", "pack", "read_events"]


def pack(*items: str | bytes) -> bytes:
    """
    Write netstrings: b"5:hello,".
    """
    encoded = (
        item.encode("utf-8", "surrogateescape") if isinstance(item, str) else item
        for item in items
    )
    return b"".join(b"%d:%s," % (len(item), item) for item in encoded)


def netstrings(data: bytes) -> list[bytes]:
    """
    Read netstrings back.  Raises EngineFault when `data` is not whole.
    """
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


@dataclass(frozen=True, slots=True)
class Event:
    """
    One line of a trusted program: NONCE NAME ARGUMENTS|DETAIL.
    """

    name: str
    arguments: tuple[str, ...]
    detail: str


def read_events(data: bytes, nonce: str) -> Iterator[Event]:
    """
    Yield each whole line that carries the nonce; all else is not an event.
    """
    # A process killed in mid-write leaves a torn last line, which is dropped.
    for line in data.split(b"\n")[:-1]:
        prefix, _, rest = line.decode("utf-8", "replace").partition(" ")
        words, separator, detail = rest.partition("|")
        if prefix == nonce and separator and words:
            name, *arguments = words.split()
            yield Event(name, tuple(arguments), detail)


def nonce() -> str:
    """
    Make a secret for one run of a trusted program.
    """
    return secrets.token_hex(16)
