"""A grader that grades streams in several child processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from functools import partial

from .engine import Engine
from .engine.engines.parallel import threads_for
from .errors import WorkerLost
from .grader import Grader
from .model import Breakdown, Completion, Fault, Problem
from .processes import Children, Setup
from .scheme import RewardScheme
from .scoring.rewards import ungraded

# Python takes about a quarter of the time of grading, so one process keeps at most four processors
# busy.  (docs/performance.md)
_PROCESSORS = 4


def processes_for(processors: int) -> int:
    """Return the number of processes to grade in, given the number of processors."""
    return max(1, -(-processors // _PROCESSORS))


class SharedGrader(Grader):
    """A Grader whose `grade_many` distributes its work to child processes.

    Each child has its own engine.  Single completions are graded in this process, on `engine`.
    The breakdowns, and their order, are the same as those of one process.
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
            jobs: The number of completions that all children together grade at a time; the
                default suits the processors that this process may use.
            regions: Whether each breakdown lists which parts of its code are right or wrong.
        """
        super().__init__(scheme, engine=engine, jobs=jobs, regions=regions)
        threads = threads_for(processes, jobs)
        make = partial(_child, scheme, name, sandbox, jobs=threads, regions=regions)
        setup = Setup(grader=make, threads=threads)
        self._children = Children(setup, processes, self._given_up)

    @property
    def replaced(self) -> Mapping[str, int]:
        """As `Grader.replaced`, with the counts of all children."""
        return Counter(super().replaced) + self._children.replaced

    def close(self) -> None:
        """Stop every child, and the engine."""
        self._children.close()
        super().close()

    def grade_many(
        self, pairs: Iterable[tuple[Problem, Completion | str]]
    ) -> Generator[Breakdown, None, None]:
        """Grade a stream as `Grader.grade_many` does, in all children.

        Raises MachineError if no child can start.
        """
        self._require_open()
        with closing(self._children.grade_many(pairs)) as breakdowns:
            yield from breakdowns

    def _given_up(self, problem: Problem, why: str) -> Breakdown:
        """Return the breakdown of a completion that killed its child."""
        fault = Fault(kind=WorkerLost.__name__, message=why)
        return ungraded(problem.id, fault, self.scheme, self.engine)


def _child(scheme: RewardScheme, name: str, sandbox: str, *, jobs: int, regions: bool) -> Grader:
    """Return a child's grader; called in the child."""
    from .engine.engines.select import engine  # noqa: PLC0415 (needs a toolchain)

    running = engine(name, sandbox, cached=True)
    return Grader(scheme, engine=running, jobs=jobs, regions=regions)
