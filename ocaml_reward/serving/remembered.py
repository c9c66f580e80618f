"""Prepared tests by the digest of what they were prepared from: the newest are kept."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from ..engine import Engine, PreparedTests
from ..engine.prepare.prepared_by_request import Order, key_of, order_bytes
from ..single_flight import SingleFlightCache


class Remembered:
    """Prepares each order once while it is among the newest `size`, from several threads.

    Clients name tests by a digest that is computed here, so that nobody can put other
    tests under it, and nothing that a client has serialised is ever read as a parse tree.
    """

    def __init__(self, engine: Engine, size: int) -> None:
        """Know nothing yet."""
        self._engine = engine
        self._size = size
        self._lock = Lock()
        self._tests: OrderedDict[str, PreparedTests] = OrderedDict()
        self._preparing: SingleFlightCache[PreparedTests] = SingleFlightCache(size)

    def prepare(self, order: Order) -> tuple[str, PreparedTests]:
        """Return the order's key and its tests; raises what preparing raises."""
        key = key_of(order_bytes(order))
        tests = self._preparing.get(key, lambda: self._engine.prepare(order.problem, order.budget))
        with self._lock:
            self._tests[key] = tests
            self._tests.move_to_end(key)
            while len(self._tests) > self._size:
                self._tests.popitem(last=False)
        return key, tests

    def known(self, key: str) -> PreparedTests | None:
        """Return the tests of a key, None where they are not known any more."""
        with self._lock:
            tests = self._tests.get(key)
            if tests is not None:
                self._tests.move_to_end(key)
            return tests
