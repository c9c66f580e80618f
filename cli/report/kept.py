"""Which completions a report keeps, where there are more than it is to hold."""

from __future__ import annotations

import heapq
import zlib
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Final

BLOCK: Final = 64
"""So many completions of a group are kept or left out together."""


class Kept:
    """The completions whose groups come first by a hash of their names: whole groups, so that
    they can be held against each other, and the same ones however often a report is made.
    """

    def __init__(self, most: int) -> None:
        """Keep so many completions."""
        self._most = most
        self._offered = 0
        # The worst stands first; hashes and numbers are negated for that.
        self._heap: list[tuple[int, int, bytes]] = []

    def offer(
        self, group: tuple[object, ...], index: int, text: Callable[[], str]
    ) -> None:
        """Keep a completion if its group comes first so far.

        Args:
            group: What its group is known by.
            index: Which of the group it is, from 0.
            text: Gives what is kept of it, which takes time.
        """
        named = repr((*group, index // BLOCK)).encode()
        number = -self._offered
        self._offered += 1
        place = -int.from_bytes(blake2b(named, digest_size=8).digest())
        if len(self._heap) < self._most:
            heapq.heappush(self._heap, (place, number, _packed(text)))
        elif self._most and (place, number) > self._heap[0][:2]:
            heapq.heapreplace(self._heap, (place, number, _packed(text)))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._heap)

    def texts(self) -> Iterator[str]:
        """Yield what is kept, in the order in which it came."""
        for _, _, packed in sorted(self._heap, key=lambda each: -each[1]):
            yield zlib.decompress(packed).decode()


def _packed(text: Callable[[], str]) -> bytes:
    return zlib.compress(text().encode(), 1)
