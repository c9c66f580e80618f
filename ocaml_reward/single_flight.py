"""LRU cache for threads; concurrent requests for a key share one computation."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from .abandoning import is_abandoned
from .errors import Abandoned

Value = TypeVar("Value")


class _Flight(Generic[Value]):
    """A computation that runs, and what comes of it once the lock is free."""

    __slots__ = ("error", "over", "value")

    def __init__(self) -> None:
        """Take off."""
        self.over = Lock()
        self.over.acquire()
        self.value: Value
        self.error: BaseException | None = None


class SingleFlightCache(Generic[Value]):
    """Computes each key's value once, even if several threads request it at the same time.

    It keeps the `size` most recently used values.  A computation that raises is not kept.
    """

    def __init__(self, size: int) -> None:
        """Start empty; keep at most `size` values."""
        self._size = size
        self._lock = Lock()
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._flights: dict[Hashable, _Flight[Value]] = {}

    def get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the key's value; compute it, or wait for the thread that does."""
        while True:
            with self._lock:
                if key in self._values:
                    self._values.move_to_end(key)
                    return self._values[key]
                flight = self._flights.get(key)
                if mine := flight is None:
                    flight = self._flights[key] = _Flight()
            try:
                return self._landed(key, flight, compute) if mine else _awaited(flight)
            except Abandoned:
                # Another thread's work was abandoned, not this one's.
                if is_abandoned():
                    raise

    def known(self, key: Hashable) -> Value | None:
        """Return the key's value if it is kept, else None."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def _landed(self, key: Hashable, flight: _Flight[Value], compute: Callable[[], Value]) -> Value:
        """Compute the value, and tell those who wait."""
        try:
            flight.value = value = compute()
        except BaseException as error:
            flight.error = error
            raise
        else:
            return value
        finally:
            with self._lock:
                del self._flights[key]
                if flight.error is None:
                    self._values[key] = flight.value
                    if len(self._values) > self._size:
                        self._values.popitem(last=False)
            flight.over.release()


def _awaited(flight: _Flight[Value]) -> Value:
    """Return what another thread computes, or raise what it raises."""
    with flight.over:
        if flight.error is not None:
            raise flight.error
        return flight.value
