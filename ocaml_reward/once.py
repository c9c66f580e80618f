"""A memory shared by threads: each value is computed once, and the newest are kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Once(Generic[Value]):
    """Computes each key's value once, also when several threads ask at the same time; keeps
    the newest `size` values.  A computation that raises is not kept.
    """

    def __init__(self, size: int) -> None:
        """Keep at most `size` values."""
        self._size = size
        self._lock = Lock()
        self._futures: OrderedDict[Hashable, Future[Value]] = OrderedDict()

    def get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the key's value, computing it or waiting for the thread that does."""
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
