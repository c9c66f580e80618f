"""Identifies prepared tests by the request they were prepared from.

Prepared tests contain a parse tree, and a program that reads one trusts it blindly.  So they stay
in the process that prepared them; other processes refer to them by the request ("order").
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..model import Budget, CheckReport, Problem
from ..single_flight import SingleFlightCache
from . import CheckRequest, Engine, PreparedTests
from .plain import read_json
from .remote.messages import Order, order_bytes, read_order

_KEPT: Final = 4096


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
        def made() -> PreparedTests:
            request = read_order(read_json(order))
            return self._engine.prepare(request.problem, request.budget)

        return self._tests_of.get(order, made)
