"""Identifies prepared tests by the request they were prepared from.

Prepared tests contain a parse tree, and a program that reads one trusts it blindly.  So they stay
in the process that prepared them; other processes refer to them by the request ("order").
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from ...codec.typed import read_json, read_plain, to_json, to_plain
from ...model import Budget, CheckReport, Problem
from ...single_flight import SingleFlightCache
from .. import CheckRequest, Engine, PreparedTests


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """What tests are prepared from: the problem, and what its reference may spend."""

    problem: Problem
    budget: Budget


def order_bytes(order: Order) -> bytes:
    """Write an order as the body of a request; equal orders give equal bytes."""
    return to_json(to_plain(order))


def read_order(data: Any) -> Order:
    """Read an order; raises FormatError."""
    return read_plain(Order, data)


def key_of(order: bytes) -> str:
    """Return the name of what is prepared from an order."""
    return f"sha256:{hashlib.sha256(order).hexdigest()}"


class PreparedByRequest:
    """Prepares tests and checks code for callers that must not receive prepared tests.

    Callers name tests by a digest that is computed here, so that nobody can put other tests under
    it, and nothing that a caller has serialised is ever read as a parse tree.
    """

    def __init__(self, engine: Engine, size: int = 4096) -> None:
        """Start empty; the `size` most recently used tests are kept."""
        self._engine = engine
        self._tests: SingleFlightCache[PreparedTests] = SingleFlightCache(size)

    def prepared(self, order: Order) -> tuple[str, PreparedTests]:
        """Return an order's key and tests; raises ProblemError and MachineError."""
        key = key_of(order_bytes(order))
        return key, self._tests.get(key, lambda: self._engine.prepare(order.problem, order.budget))

    def known(self, key: str) -> PreparedTests | None:
        """Return the tests of a key, None where they are not kept any more."""
        return self._tests.known(key)

    def prepare(self, problem: Problem, budget: Budget) -> PreparedTests:
        """Prepare a problem's tests.

        Args:
            problem: The problem.
            budget: The budget of its reference.

        Returns:
            The tests; their `payload` is the order.

        Raises:
            ProblemError: They cannot be used.
            MachineError: The machine failed.
        """
        order = Order(problem=problem, budget=budget)
        return replace(self.prepared(order)[1], payload=order_bytes(order), outside=None)

    def check(self, request: CheckRequest) -> CheckReport:
        """Check one completion against tests from `prepare`; raises MachineError."""
        order = request.tests.payload
        tests = self.known(key_of(order)) or self.prepared(read_order(read_json(order)))[1]
        return self._engine.check(replace(request, tests=tests))
