"""What a worker does: it grades what it is sent on an engine of its own, and says what it is."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass

from ..engine import CheckRequest, PreparedTests
from ..engine.prepared_by_request import PreparedByRequest
from ..engine.select import engine as engine_named
from ..errors import InputError, MachineError
from ..grader import Grader
from ..model import Breakdown, Budget, CheckReport, Completion, Problem
from ..scheme import RewardScheme
from ..version import __version__

Pair = tuple[Problem, Completion]


@dataclass(frozen=True, kw_only=True, slots=True)
class Identity:
    """What makes a worker's records: those of workers that differ do not stand in one file."""

    version: str
    engine: str
    sandbox: str
    toolchain: str

    def __str__(self) -> str:
        """Write it for a message."""
        return f"ocaml-reward {self.version}, {self.engine}, {self.sandbox}, {self.toolchain}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    """What every worker is told: the scheme, and engine and jail by their names."""

    scheme: RewardScheme
    engine: str = "auto"
    sandbox: str = "auto"
    regions: bool = False


class Worker:
    """Grades chunks, from several threads, `jobs` completions of each at a time."""

    def __init__(self, setup: Setup, jobs: int) -> None:
        """Start the engine; raises MachineError on a machine that cannot score."""
        engine = engine_named(setup.engine, setup.sandbox, cached=True)
        self._grader = Grader(
            setup.scheme, engine=engine, jobs=jobs, regions=setup.regions
        )
        self._prepared = PreparedByRequest(engine)

    def identity(self) -> tuple[Identity, str]:
        """Say what it is, and which machine it is on."""
        engine = self._grader.engine
        return (
            Identity(
                version=__version__,
                engine=engine.name,
                sandbox=engine.sandbox,
                toolchain=engine.toolchain,
            ),
            socket.gethostname(),
        )

    def grade(self, pairs: Sequence[Pair]) -> list[Breakdown | InputError]:
        """Grade completions, in order; what is wrong with a problem stands in its place."""
        refused: dict[Problem, InputError] = {}
        for problem in dict.fromkeys(problem for problem, _ in pairs):
            try:
                self._grader.prepare(problem)
            except InputError as error:
                refused[problem] = error
            except MachineError:
                # Its completions' own turn makes a fault of it.
                continue
        good = [pair for pair in pairs if pair[0] not in refused]
        graded = iter(list(self._grader.grade_many(good)))
        return [refused.get(problem) or next(graded) for problem, _ in pairs]

    def prepare(self, problem: Problem, budget: Budget) -> PreparedTests:
        """Prepare a problem's tests, named by what they are prepared from; raises ProblemError,
        MachineError.
        """
        return self._prepared.prepare(problem, budget)

    def check(self, request: CheckRequest) -> CheckReport:
        """Check one completion against tests that `prepare` has named; raises MachineError."""
        return self._prepared.check(request)
