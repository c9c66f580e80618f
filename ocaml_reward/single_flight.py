"""LRU cache for threads; concurrent requests for a key share one computation."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

from .abandoning import is_abandoned
from .errors import Abandoned

Value = TypeVar("Value")


class SingleFlightCache(Generic[Value]):
    """Computes each key's value once, even if several threads request it at the same time.

    It keeps the `size` most recently used values.  A computation that raises is not kept.
    """

    def __init__(self, size: int) -> None:
        """Start empty; keep at most `size` values."""
        self._size = size
        self._lock = Lock()
        self._futures: OrderedDict[Hashable, Future[Value]] = OrderedDict()

    def get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the key's value; compute it, or wait for the thread that does."""
        while True:
            try:
                return self._get(key, compute)
            except Abandoned:
                # Another thread's work was abandoned, not this one's.
                if is_abandoned():
                    raise

    def _get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the key's value, or raise what the thread that computes it raises."""
        with self._lock:
            future = self._futures.get(key)
            if mine := future is None:
                future = self._futures[key] = Future()
                if len(self._futures) > self._size:
                    self._futures.popitem(last=False)
            else:
                self._futures.move_to_end(key)
        if mine:
            try:
                future.set_result(compute())
            except BaseException as error:
                with self._lock:
                    self._futures.pop(key, None)
                future.set_exception(error)
                raise
        return future.result()
