"""A grader that grades streams in several processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from functools import partial

from .engine import Engine
from .engine.parallel import threads_for
from .errors import WorkerLost
from .grader import Grader
from .model import Breakdown, Completion, Fault, Problem
from .processes import Children, Setup
from .scheme import RewardScheme
from .scoring.rewards import ungraded

# Python takes about a quarter of the time that a completion costs: one process keeps four
# processors at work, and no more.  (docs/performance.md)
_PROCESSORS = 4


def processes_for(processors: int) -> int:
    """Return how many processes to grade in on so many processors."""
    return max(1, -(-processors // _PROCESSORS))


class SharedGrader(Grader):
    """A Grader whose `grade_many` shares its work out to child processes.

    Each child has an engine of its own.  Whatever is not a stream is graded here, on
    `engine`.  The breakdowns are those that one process gives, in the same order.
    """

    def __init__(
        self,
        scheme: RewardScheme,
        *,
        engine: Engine,
        name: str,
        sandbox: str,
        processes: int,
        jobs: int | None = None,
        regions: bool = False,
    ) -> None:
        """Start no child yet.

        Args:
            scheme: The reward scheme.
            engine: What runs OCaml in this process.
            name: The engine of each child, as `engine.select.engine` names it.
            sandbox: Its jail.
            processes: The number of children, at least 1.
            jobs: Completions graded at a time by all of them together; without it what
                suits the processors that this process may use.
            regions: Whether each breakdown says which parts of its code are right or wrong.
        """
        super().__init__(scheme, engine=engine, jobs=jobs, regions=regions)
        threads = threads_for(processes, jobs)
        make = partial(_child, scheme, name, sandbox, jobs=threads, regions=regions)
        setup = Setup(grader=make, threads=threads)
        self._children = Children(setup, processes, self._given_up)

    @property
    def replaced(self) -> Mapping[str, int]:
        """As `Grader.replaced`, of all children too."""
        return Counter(super().replaced) + self._children.replaced

    def close(self) -> None:
        """Stop every child, and the engine."""
        self._children.close()
        super().close()

    def grade_many(
        self, pairs: Iterable[tuple[Problem, Completion]]
    ) -> Generator[Breakdown, None, None]:
        """Grade a stream as `Grader.grade_many` does, in all children.

        Raises MachineError where these cannot start.
        """
        with closing(self._children.grade_many(pairs)) as breakdowns:
            yield from breakdowns

    def _given_up(self, problem: Problem, why: str) -> Breakdown:
        fault = Fault(kind=WorkerLost.__name__, message=why)
        return ungraded(problem.id, fault, self.scheme, self.engine)


def _child(
    scheme: RewardScheme, name: str, sandbox: str, *, jobs: int, regions: bool
) -> Grader:
    """Make a child's grader, in the child."""
    from .engine.select import engine  # noqa: PLC0415 (needs a toolchain)

    running = engine(name, sandbox, cached=True)
    return Grader(scheme, engine=running, jobs=jobs, regions=regions)
