"""Completions graded on every node of a Ray cluster, as tasks of Ray's.

Ray places the tasks, does those of a lost node or process again, and takes up nodes that
come later.  Each process keeps its engine from one task to the next.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Final, cast

from .engine import BUDGET, CheckRequest, PreparedTests
from .engine.engines.parallel import jobs_for
from .engine.engines.select import engine as engine_named
from .engine.prepare.prepared_by_request import PreparedByRequest
from .errors import InputError, MachineError, OCamlRewardError
from .grader import Grader
from .model import Breakdown, Budget, CheckReport, Completion, Fault, Problem
from .scheme import RewardScheme
from .scoring.rewards import ungraded
from .version import __version__

Pair = tuple[Problem, Completion | str]
Identity = tuple[str, str, str, str]
"""Version, engine, jail and compiler: records of nodes that differ do not mix."""

# Completions that travel together, and such chunks for each processor that are taken in
# beyond the oldest without a result: one that loops holds the others back for seconds.
_CHUNK: Final = 16
_AHEAD: Final = 16
# Grading takes a processor but for what a question takes, so that none waits for the other.
_GRADING: Final = {"num_cpus": 0.99, "max_retries": 2}
_ASKING: Final = {"num_cpus": 0.01, "max_retries": 2}
# Questions at a time, such as problems that are prepared ahead.
_JOBS: Final = 8
# An engine is built on a node's first use, which takes 8 s and on a busy node longer.
_START_S: Final = 180.0
_LOOK_S: Final = 10.0
_LONGEST: Final = 300


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    """The settings of every process: the scheme, and engine and jail by their names."""

    scheme: RewardScheme
    engine: str = "auto"
    sandbox: str = "auto"
    regions: bool = False


@cache
def _worker(setup: Setup) -> tuple[Grader, PreparedByRequest, Identity]:
    """Start the engine of a process of Ray's, once."""
    engine = engine_named(setup.engine, setup.sandbox, cached=True)
    grader = Grader(setup.scheme, engine=engine, jobs=jobs_for(1), regions=setup.regions)
    version = f"ocaml-reward {__version__}"
    identity = (version, engine.name, engine.sandbox, engine.toolchain)
    return grader, PreparedByRequest(engine), identity


def _identity(setup: Setup) -> Identity:
    """Return the version, engine, jail and compiler of a node."""
    return _worker(setup)[2]


def _asked(setup: Setup, method: str, *given: Any) -> Any:
    """Return a problem's prepared tests, named by their order, or the report of code checked
    against such.
    """
    return getattr(_worker(setup)[1], method)(*given)


def _grade(
    setup: Setup, expected: Identity, pairs: Sequence[Pair]
) -> tuple[str, list[Breakdown | InputError]]:
    """Grade completions in order, and say on which node.

    An error of a problem stands in the place of each of its completions.
    """
    import ray  # noqa: PLC0415 (an extra)

    grader, _, identity = _worker(setup)
    node: str = ray.get_runtime_context().get_node_id()
    if identity != expected:
        here, there = ", ".join(identity), ", ".join(expected)
        raise MachineError(f"node {node[:6]} has {here}, others have {there}")
    refused: dict[Problem, InputError] = {}
    for problem in dict.fromkeys(problem for problem, _ in pairs):
        try:
            grader.prepare(problem)
        except InputError as error:
            refused[problem] = error
        except MachineError:
            # Its completions' own turn makes a fault of it.
            continue
    good = [pair for pair in pairs if pair[0] not in refused]
    graded = iter(list(grader.grade_many(good)))
    return node, [refused.get(problem) or next(graded) for problem, _ in pairs]


class RayGrader(Grader):
    """A Grader whose work is done on the nodes of a Ray cluster.

    The breakdowns are those that one process gives, in the same order.
    """

    def __init__(self, address: str, setup: Setup) -> None:
        """Connect to a cluster, and wait until a process on each node has said what it is.

        `address` is a cluster's, `auto` for the one that this machine is of, or `local` for
        one of this machine alone, which ends with this process.  Raises InputError where
        nodes differ or cannot grade, MachineError where Ray or every node is missing.
        """
        try:
            import ray  # noqa: PLC0415 (an extra)
        except ModuleNotFoundError:
            why = "grading on Ray needs ray: pip install 'ocaml-reward[ray]'"
            raise MachineError(why) from None
        self._ray = ray
        self._mine = not ray.is_initialized()
        if self._mine:
            try:
                ray.init(
                    address=address,
                    log_to_driver=False,
                    logging_level="error",
                    include_dashboard=False if address == "local" else None,
                )
            except (OSError, RuntimeError, ValueError) as error:
                why = " ".join(str(error).split())[:_LONGEST]
                raise MachineError(f"no Ray cluster at {address}: {why}") from None
        self.graded: Counter[str] = Counter()
        """Completions that each node has graded, by its id."""
        self._setup = ray.put(setup)
        self._grading = ray.remote(**_GRADING)(_grade)
        self._asking = ray.remote(**_ASKING)(_asked)
        try:
            self.identity = self._introduced()
        except BaseException:
            self.close()
            raise
        super().__init__(setup.scheme, engine=_Engine(self), regions=setup.regions)

    def summary(self) -> str:
        """Say how many completions each node has graded, and which nodes are lost."""
        names = {
            node["NodeID"]: _name(node) + ("" if node["Alive"] else " (lost)")
            for node in self._ray.nodes()
        }
        done = sorted(f"{names[node]}: {count}" for node, count in self.graded.items())
        nodes = "1 node" if len(done) == 1 else f"{len(done)} nodes"
        return f"graded on {nodes}: {', '.join(done)}"

    def grade_many(self, pairs: Iterable[Pair]) -> Generator[Breakdown, None, None]:
        """Grade a stream as Grader does; raise MachineError where no node is left."""
        processors = sum(int(each["Resources"]["CPU"]) for each in self._nodes())
        waiting: deque[tuple[Any, list[Pair]]] = deque()
        source, more = iter(pairs), True
        try:
            while more or waiting:
                full = not more or len(waiting) >= _AHEAD * max(processors, 1)
                oldest = [waiting[0][0]] if waiting else []
                if oldest and (full or self._ray.wait(oldest, timeout=0)[0]):
                    yield from self._results(*waiting.popleft())
                elif chunk := list(islice(source, _CHUNK)):
                    waiting.append((self._sent(chunk), chunk))
                else:
                    more = False
        finally:
            for task, _ in waiting:
                self._ray.cancel(task, force=True)

    def ask(self, method: str, *given: object) -> Any:
        """Have some node answer a question; raise what it raises."""
        try:
            return self._answer(self._asking.remote(self._setup, method, *given))
        except self._ray.exceptions.RayError as error:
            raise MachineError(_why(error)) from None

    def close(self) -> None:
        """End the connection, if it is ours, and every process with it."""
        if self._mine:
            self._ray.shutdown()

    def _sent(self, chunk: list[Pair]) -> Any:
        return self._grading.remote(self._setup, self.identity, chunk)

    def _results(self, task: Any, chunk: list[Pair]) -> Iterable[Breakdown]:
        """Yield the results of a chunk, each alone where Ray has given it up."""
        try:
            node, results = self._answer(task)
        except self._ray.exceptions.RayError:
            if len(chunk) > 1:
                alone = [(self._sent([pair]), [pair]) for pair in chunk]
                for each in alone:
                    yield from self._results(*each)
                return
            why = "three processes were lost, one after the other, that graded it"
            fault = Fault(kind="WorkerLost", message=why)
            yield ungraded(chunk[0][0].id, fault, self.scheme, self.engine)
            return
        self.graded[node] += len(results)
        for found in results:
            if isinstance(found, InputError):
                raise found
            yield found

    def _answer(self, task: Any) -> Any:
        """Wait for a task; raise our own errors as they were, and RayError for a loss."""
        while True:
            try:
                return self._ray.get(task, timeout=_LOOK_S)
            except self._ray.exceptions.GetTimeoutError:
                if not self._nodes():
                    why = "no node of the Ray cluster is left; --resume continues"
                    raise MachineError(why) from None
            except self._ray.exceptions.RayTaskError as error:
                if isinstance(error.cause, OCamlRewardError):
                    raise error.cause from None
                raise MachineError(f"a process failed: {_why(error)}") from None

    def _nodes(self) -> list[Mapping[str, Any]]:
        """Return the nodes that are there and offer a processor."""
        there = [each for each in self._ray.nodes() if each["Alive"]]
        return [each for each in there if each["Resources"].get("CPU")]

    def _introduced(self) -> Identity:
        """Ask every node what it is; raise InputError where they differ."""
        from ray.util import scheduling_strategies as strategies  # noqa: PLC0415

        ask = self._ray.remote(**_ASKING)(_identity)
        tasks = {}
        for node in self._nodes():
            here = strategies.NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            task = ask.options(scheduling_strategy=here).remote(self._setup)
            tasks[task] = _name(node)
        if not tasks:
            raise MachineError("no node of the Ray cluster can grade")
        self._ray.wait(list(tasks), num_returns=len(tasks), timeout=_START_S)
        kinds: dict[str, Identity] = {}
        failed = {}
        for task, name in tasks.items():
            try:
                kinds[name] = self._ray.get(task, timeout=0)
            except self._ray.exceptions.GetTimeoutError:
                failed[name] = f"no process has started in {_START_S:g} s"
            except self._ray.exceptions.RayError as error:
                failed[name] = _why(error)
        if failed or len(set(kinds.values())) > 1:
            raise InputError(unlike(failed, kinds))
        return next(iter(kinds.values()))


class _Engine:
    """The nodes' engines, asked one question at a time."""

    jobs = _JOBS

    def __init__(self, grader: RayGrader) -> None:
        self._ask = grader.ask
        _, self.name, self.sandbox, self.toolchain = grader.identity

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        return cast("PreparedTests", self._ask("prepare", problem, budget))

    def check(self, request: CheckRequest) -> CheckReport:
        return cast("CheckReport", self._ask("check", request))

    def close(self) -> None:
        pass


def unlike(failed: Mapping[str, str], kinds: Mapping[str, Identity]) -> str:
    """Write which nodes cannot grade together: failures, then those of each kind."""
    said = [f"{name}: {why}" for name, why in failed.items()]
    for kind in dict.fromkeys(kinds.values()):
        names = sorted(name for name, its in kinds.items() if its == kind)
        said.append(f"{', '.join(names)}: {', '.join(kind)}")
    return f"not all nodes can grade together: {'; '.join(said)}"


def _name(node: Mapping[str, Any]) -> str:
    """Return the name of a node; two nodes of one machine have one address."""
    return f"{node['NodeManagerAddress']}-{node['NodeID'][:6]}"


def _why(error: BaseException) -> str:
    """Return the last line of an error of Ray's, which ends with what was raised."""
    lines = str(error).strip().splitlines()
    return lines[-1][:_LONGEST] if lines else type(error).__name__
