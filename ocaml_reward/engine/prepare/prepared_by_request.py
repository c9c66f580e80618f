"""Identifies prepared tests by the request they were prepared from.

Prepared tests contain a parse tree, and a program that reads one trusts it blindly.  So they stay
in the process that prepared them; other processes refer to them by the request ("order").
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any, Final

from ...codec.typed import read_json, read_plain, to_json, to_plain
from ...model import Budget, CheckReport, Problem
from ...single_flight import SingleFlightCache
from .. import CheckRequest, Engine, PreparedTests

_KEPT: Final = 4096


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
    """Prepares tests and checks code for callers that must not receive prepared tests."""

    def __init__(self, engine: Engine) -> None:
        """Start empty."""
        self._engine = engine
        self._tests_of: SingleFlightCache[PreparedTests] = SingleFlightCache(_KEPT)

    def prepare(self, problem: Problem, budget: Budget) -> PreparedTests:
        """Prepare a problem's tests; the 4,096 most recently used are kept.

        Args:
            problem: The problem.
            budget: The budget of its reference.

        Returns:
            The tests; their `payload` is the order.

        Raises:
            ProblemError: They cannot be used.
            MachineError: The machine failed.
        """
        order = order_bytes(Order(problem=problem, budget=budget))
        return replace(self._tests(order), payload=order, outside=None)

    def check(self, request: CheckRequest) -> CheckReport:
        """Check one completion against tests from `prepare`; raises MachineError."""
        tests = self._tests(request.tests.payload)
        return self._engine.check(replace(request, tests=tests))

    def _tests(self, order: bytes) -> PreparedTests:
        """Return the prepared tests of an order, prepared at most once."""

        def made() -> PreparedTests:
            request = read_order(read_json(order))
            return self._engine.prepare(request.problem, request.budget)

        return self._tests_of.get(order, made)
