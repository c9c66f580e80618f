"""An engine's prepared tests, named by what they are prepared from.

What tests were made into is a parse tree, which a program trusts blindly when it reads one.
So it stays in the process that has made it, and others name it by its order.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any, Final

from ..codec.typed import read_json, read_plain, to_json, to_plain
from ..model import Budget, CheckReport, Problem
from ..once import Once
from . import CheckRequest, Engine, PreparedTests

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


class Orders:
    """Prepares and checks with an engine for those who may not have what it prepares."""

    def __init__(self, engine: Engine) -> None:
        """Know no tests yet."""
        self._engine = engine
        self._made: Once[PreparedTests] = Once(_KEPT)

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
