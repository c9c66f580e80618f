"""An engine's prepared tests, named by what they are prepared from.

What tests were made into is a parse tree, which a program trusts blindly when it reads one.
So it stays in the process that has made it, and others name it by its order.
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


class Orders:
    """Prepares and checks with an engine for those who may not have what it prepares."""

    def __init__(self, engine: Engine) -> None:
        """Know no tests yet."""
        self._engine = engine
        self._made: SingleFlightCache[PreparedTests] = SingleFlightCache(_KEPT)

    def prepare(self, problem: Problem, budget: Budget) -> PreparedTests:
        """Prepare a problem's tests, once while they are among the newest 4,096.

        Args:
            problem: The problem.
            budget: What its reference may spend.

        Returns:
            The tests; their `payload` is their order.

        Raises:
            ProblemError: They cannot be used.
            MachineError: The machine failed.
        """
        order = order_bytes(Order(problem=problem, budget=budget))
        return replace(self._tests(order), payload=order, outside=None)

    def check(self, request: CheckRequest) -> CheckReport:
        """Check one completion against tests that `prepare` has named; raises MachineError."""
        tests = self._tests(request.tests.payload)
        return self._engine.check(replace(request, tests=tests))

    def _tests(self, order: bytes) -> PreparedTests:
        def made() -> PreparedTests:
            asked = read_order(read_json(order))
            return self._engine.prepare(asked.problem, asked.budget)

        return self._made.get(order, made)
