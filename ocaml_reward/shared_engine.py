"""An engine that distributes its work to child processes, each with its own engine."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from .codec.typed import read_json
from .engine import BUDGET, CheckRequest, Engine, PreparedTests, replaced_in
from .engine.engines.parallel import threads_for
from .engine.prepare.prepared_by_request import Order, PreparedByRequest, order_bytes, read_order
from .errors import WorkerLost
from .model import Budget, CheckReport, Problem
from .processes import ChildCalls, Children, Setup

_NOTHING: Final = PreparedTests(checks=())
# A child keeps every problem it has seen in memory, so it is replaced after this many requests.
_MAX_REQUESTS: Final = 50_000


class SharedEngine:
    """Sends each request to the child with the fewest pending requests, and again if it dies.

    A request that kills three children in a row raises WorkerLost.
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
            engine: An engine in this process; its `name`, `sandbox` and `toolchain` are used.  It
                is closed with this one.
            name: The engine of each child, as `engine.select.engine` names it.
            sandbox: Its jail.
            processes: The number of children, at least 1.
            jobs: The number of completions that all children together check at a time; the
                default suits the processors that this process may use.
        """
        self._engine = engine
        threads = threads_for(processes, jobs)
        self.jobs = processes * threads
        setup = Setup(grader=partial(_child, name, sandbox), threads=threads)
        children = Children(setup, processes, _given_up, batch=1, max_requests=_MAX_REQUESTS)
        self._children = ChildCalls(children)

    @property
    def name(self) -> str:
        """The children's engine."""
        return self._engine.name

    @property
    def sandbox(self) -> str:
        """Return the jail of the children's engines."""
        return self._engine.sandbox

    @property
    def toolchain(self) -> str:
        """Return the compiler of the children's engines, "ocaml 4.13.1"."""
        return self._engine.toolchain

    @property
    def alive(self) -> int:
        """The number of children."""
        return self._children.alive

    @property
    def lost(self) -> int:
        """The number of children that have died."""
        return self._children.lost

    @property
    def replaced(self) -> Mapping[str, int]:
        """How many servers and children were replaced, by the reason."""
        return self._children.replaced

    def restart(self) -> None:
        """Replace every child; their pending requests are sent again."""
        self._children.restart()

    def close(self) -> None:
        """End every child; pending requests fail."""
        self._children.close()
        self._engine.close()

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        """Have a child rewrite a problem's tests into numbered checks.

        Args:
            problem: The problem.
            budget: The budget of its reference solution.

        Returns:
            The checks; their payload is the request that a child prepares them from.

        Raises:
            ProblemError: The tests cannot be used; the message names the line.
            MachineError: The machine failed, or three children died in a row.
        """
        order = order_bytes(Order(problem=problem, budget=budget))
        made: PreparedTests = self._children.call((order, None))
        return made

    def check(self, request: CheckRequest) -> CheckReport:
        """Have a child compile and run one completion; raises MachineError."""
        # The tests are sent once to each child, named by the request that prepared them.
        asked = replace(request, tests=_NOTHING)
        report: CheckReport = self._children.call((request.tests.payload, asked))
        return report


class _Worker:
    """The child's side: prepares tests, or checks code against prepared tests."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._prepared = PreparedByRequest(engine)

    def quick_attempt(
        self, order: bytes, request: CheckRequest | None
    ) -> PreparedTests | CheckReport:
        """Prepare the tests of an order, or check code with them."""
        if request is None:
            asked = read_order(read_json(order))
            return self._prepared.prepare(asked.problem, asked.budget)
        tests = replace(_NOTHING, payload=order)
        return self._prepared.check(replace(request, tests=tests))

    grade = quick_attempt

    @property
    def replaced(self) -> Mapping[str, int]:
        return replaced_in(self.engine)

    def close(self) -> None:
        self.engine.close()


def _child(name: str, sandbox: str) -> _Worker:
    """Return a child's engine; called in the child."""
    from .engine.engines.select import engine  # noqa: PLC0415 (needs a toolchain)

    return _Worker(engine(name, sandbox, cached=True))


def _given_up(order: Hashable, why: str) -> Any:
    """Return the error for a request that killed its child."""
    del order
    return WorkerLost(why)
