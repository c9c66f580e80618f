"""A run's figures over its whole course, in bounded memory."""

from __future__ import annotations

from typing import Final

MOST: Final = 256


class Series:
    """The values of one figure: up to 256 means of as many values each, in their order."""

    def __init__(self) -> None:
        """Begin without any."""
        self._means: list[float] = []
        self._width = 1
        self._open: list[float] = []
        self.last: float | None = None

    def add(self, value: float | None) -> None:
        """Take in the next value; one that is unknown is left out."""
        if value is None:
            return
        self.last = value
        self._open.append(value)
        if len(self._open) < self._width:
            return
        self._means.append(sum(self._open) / self._width)
        self._open = []
        if len(self._means) == MOST:
            pairs = zip(self._means[::2], self._means[1::2], strict=True)
            self._means = [(one + other) / 2 for one, other in pairs]
            self._width *= 2

    def means(self, most: int) -> list[float]:
        """Return no more than `most` of them, neighbours put together, the oldest first."""
        values = [*self._means]
        if self._open:
            values.append(sum(self._open) / len(self._open))
        width = -(-len(values) // most)
        return [
            sum(part) / len(part)
            for start in range(0, len(values), max(1, width))
            if (part := values[start : start + width])
        ]
