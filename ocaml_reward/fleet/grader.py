"""A grader whose work is done by workers on other machines."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import Protocol

from ..engine import BUDGET, CheckRequest, PreparedTests
from ..errors import InputError
from ..grader import Grader
from ..model import Breakdown, Budget, CheckReport, Fault, Problem
from ..scoring.rewards import ungraded
from .driving import Crew, driven
from .tally import Tally
from .worker import Identity, Pair, Setup

# Problems that are prepared ahead, at a time.
_JOBS = 8


class Workers(Crew, Protocol):
    """A crew that also answers single questions, and knows what it is."""

    @property
    def identity(self) -> Identity:
        """What all workers are."""
        ...

    def ask(self, method: str, *given: object) -> object:
        """Call a method of some worker."""
        ...

    def close(self) -> None:
        """End all workers."""
        ...


class _Engine:
    """The workers' engines, asked one question at a time."""

    jobs = _JOBS

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self.name = workers.identity.engine
        self.sandbox = workers.identity.sandbox
        self.toolchain = workers.identity.toolchain

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        made = self._workers.ask("prepare", problem, budget)
        assert isinstance(made, PreparedTests)  # noqa: S101 (our own worker's answer)
        return made

    def check(self, request: CheckRequest) -> CheckReport:
        made = self._workers.ask("check", request)
        assert isinstance(made, CheckReport)  # noqa: S101
        return made

    def close(self) -> None:
        self._workers.close()


class FleetGrader(Grader):
    """A Grader whose `grade_many` has workers do it, in chunks.

    The breakdowns are those that one process gives, in the same order.  `tally` says what
    each worker has done.
    """

    def __init__(
        self,
        setup: Setup,
        workers: Workers,
        *,
        say: Callable[[str], object] = lambda _: None,
    ) -> None:
        """Start nothing.

        Args:
            setup: What the workers were told.
            workers: They are closed with the grader.
            say: Takes lines about workers that come and go.
        """
        super().__init__(setup.scheme, engine=_Engine(workers), regions=setup.regions)
        self._workers = workers
        self._say = say
        self.tally = Tally()

    def grade_many(self, pairs: Iterable[Pair]) -> Generator[Breakdown, None, None]:
        """Grade a stream as `Grader.grade_many` does.

        Raises MachineError where no worker is left.
        """
        results: Generator[Breakdown | InputError, None, None] = driven(
            self._workers,
            pairs,
            given_up=self._given_up,
            tally=self.tally,
            say=self._say,
        )
        with closing(results):
            for found in results:
                if isinstance(found, InputError):
                    raise found
                yield found

    def _given_up(self, pair: Pair) -> Breakdown:
        why = "three workers were lost, one after the other, that graded it"
        fault = Fault(kind="WorkerLost", message=why)
        return ungraded(pair[0].id, fault, self.scheme, self.engine)
