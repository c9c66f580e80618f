"""An engine whose work is done in several processes, each with an engine of its own."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from .codec.typed import read_json
from .engine import BUDGET, CheckRequest, Engine, PreparedTests, replaced_in
from .engine.orders import Order, Orders, order_bytes, read_order
from .engine.parallel import threads_for
from .errors import WorkerLost
from .model import Budget, CheckReport, Problem
from .processes import Asked, Children, Setup

_NOTHING: Final = PreparedTests(checks=())
# What one process does before another takes its place: it remembers every problem.
_MOST: Final = 50_000


class SharedEngine:
    """Asks the child that has the least to do, and another where that one dies.

    What three have died of, one after the other, raises WorkerLost.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        name: str,
        sandbox: str,
        processes: int,
        jobs: int | None = None,
    ) -> None:
        """Start no child yet.

        Args:
            engine: One in this process, which says what they are; it is closed with this one.
            name: The engine of each child, as `engine.select.engine` names it.
            sandbox: Its jail.
            processes: The number of children, at least 1.
            jobs: Completions checked at a time by all of them together; without it what
                suits the processors that this process may use.
        """
        self._engine = engine
        threads = threads_for(processes, jobs)
        self.jobs = processes * threads
        setup = Setup(grader=partial(_child, name, sandbox), threads=threads)
        children = Children(setup, processes, _given_up, batch=1, most=_MOST)
        self._children = Asked(children)

    @property
    def name(self) -> str:
        """The children's engine."""
        return self._engine.name

    @property
    def sandbox(self) -> str:
        """Their jail."""
        return self._engine.sandbox

    @property
    def toolchain(self) -> str:
        """Their compiler, "ocaml 4.13.1"."""
        return self._engine.toolchain

    @property
    def alive(self) -> int:
        """How many children there are."""
        return self._children.alive

    @property
    def lost(self) -> int:
        """How many have died so far."""
        return self._children.lost

    @property
    def replaced(self) -> Mapping[str, int]:
        """How many servers and children were replaced because they answered wrongly, or not at
        all, by the reason.
        """
        return self._children.replaced

    def restart(self) -> None:
        """Replace every child; what they have is asked again."""
        self._children.restart()

    def close(self) -> None:
        """End every child; what waits for an answer fails."""
        self._children.close()
        self._engine.close()

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        """Have a child rewrite a problem's tests into numbered checks.

        Args:
            problem: The problem.
            budget: What its reference may spend.

        Returns:
            The checks; their payload is what a child prepares them from, not the result.

        Raises:
            ProblemError: The tests cannot be used; the message names the line.
            MachineError: The machine failed, or three children died of it.
        """
        order = order_bytes(Order(problem=problem, budget=budget))
        made: PreparedTests = self._children.ask((order, None))
        return made

    def check(self, request: CheckRequest) -> CheckReport:
        """Have a child compile and run one completion; raises MachineError."""
        # What many have in common travels once to each child.
        asked = replace(request, tests=_NOTHING)
        report: CheckReport = self._children.ask((request.tests.payload, asked))
        return report


class _Worker:
    """What a child does: it prepares an order's tests, or checks code against them."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._orders = Orders(engine)

    def glance(
        self, order: bytes, request: CheckRequest | None
    ) -> PreparedTests | CheckReport:
        if request is None:
            asked = read_order(read_json(order))
            return self._orders.prepare(asked.problem, asked.budget)
        tests = replace(_NOTHING, payload=order)
        return self._orders.check(replace(request, tests=tests))

    grade = glance

    @property
    def replaced(self) -> Mapping[str, int]:
        return replaced_in(self.engine)

    def close(self) -> None:
        self.engine.close()


def _child(name: str, sandbox: str) -> _Worker:
    """Make a child's engine, in the child."""
    from .engine.select import engine  # noqa: PLC0415 (needs a toolchain)

    return _Worker(engine(name, sandbox, cached=True))


def _given_up(order: Hashable, why: str) -> Any:
    del order
    return WorkerLost(why)
