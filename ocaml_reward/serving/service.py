"""What a server does, without HTTP: questions as JSON gave them, answers as JSON takes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import (
    Breakdown,
    Completion,
    FormatError,
    Grader,
    InputError,
    MachineError,
    Problem,
    ProblemError,
)
from ..codec.readers import anything, list_of, object_of, read, string
from ..codec.typed import codec_of, to_plain
from ..engine import Engine, allowance
from ..engine.prepare.prepared_by_request import Order, PreparedByRequest, read_order
from ..engine.remote.messages import (
    PROTOCOL,
    About,
    fault_to_plain,
    prepared_to_plain,
    read_check_item,
    shapes,
)
from ..formats.labels import problem_by_label
from ..model import Budget, Fault
from ..record import breakdown_to_dict
from ..scheme import RewardScheme, load, shipped
from ..scoring.rewards import ungraded
from ..shared_engine import SharedEngine
from ..version import __version__
from .desk import Desk
from .metrics import Metrics
from .refusals import Refusal
from .settings import Settings

_ITEMS = {"items": list_of(anything, list)}
_CHECK = object_of(_ITEMS)
_SCORE = object_of(_ITEMS, {"scheme": anything})
_ITEM = object_of(
    {"completion": string},
    {"problem": anything, "truncated": codec_of(bool | None).read},
)

Pair = tuple[Problem, Completion]


class Service:
    """Answers questions with one engine, from one queue.

    `scheme` is what dialects grade under, and what /v1/score takes where none is named.
    """

    def __init__(
        self,
        engine: Engine,
        scheme: RewardScheme,
        settings: Settings,
        *,
        jobs: int | None = None,
    ) -> None:
        """Start nothing that costs."""
        self.settings = settings
        self._engine = engine
        self._grader = Grader(scheme, engine=engine, jobs=jobs)
        self._schemes = {name: self._grader.under(load(name)) for name in shipped()}
        self._schemes[scheme.name] = self._grader
        self._tests = PreparedByRequest(engine, settings.remembered)
        self.about = About(
            protocol=PROTOCOL,
            version=__version__,
            shapes=shapes(),
            engine=engine.name,
            sandbox=engine.sandbox,
            toolchain=engine.toolchain,
            jobs=self._grader.jobs,
        )
        self.metrics = Metrics(self.about)
        self.metrics.watch_engine(lambda: self._grader.replaced)
        if isinstance(engine, SharedEngine):
            self.metrics.watch_children(lambda: engine.alive, lambda: engine.lost)
        self.desk = Desk(jobs=self._grader.jobs, size=settings.queue, metrics=self.metrics)

    @property
    def engine(self) -> Engine:
        """The engine, for those who ask whether it works."""
        return self._engine

    def close(self) -> None:
        """Stop the queue and the engine."""
        self.desk.close()
        self._engine.close()

    async def prepare(self, data: Any, deadline: float) -> dict[str, Any]:
        """Prepare an order's tests, and return what its client may know of them."""
        order = read_order(data)
        self._require_short(allowance(order.problem, order.budget))
        (made,) = await self.desk.run([lambda: self._prepared(order)], deadline=deadline)
        if isinstance(made, Exception):
            raise made
        return made

    def _prepared(self, order: Order) -> dict[str, Any]:
        key, tests = self._tests.prepared(order)
        return {"key": key, "tests": prepared_to_plain(tests)}

    async def check(self, data: Any, deadline: float) -> dict[str, Any]:
        """Check each item against tests that were prepared before, in their order."""
        items = self._items(read(_CHECK, data))
        results = await self.desk.run(
            [self._checking(item) for item in items],
            groups=[_key_in(item) for item in items],
            deadline=deadline,
        )
        return {"results": [self._result(each) for each in results]}

    def _checking(self, item: Any) -> Callable[[], dict[str, Any]]:
        """Return the work of one check, or of the answer that its tests are unknown."""
        key = _key_in(item)
        tests = self._tests.known(key)
        if tests is None:
            return lambda: {"unknown": key}
        request = read_check_item(item, tests)
        self._require_short(request.budget)
        return lambda: {"report": to_plain(self._engine.check(request))}

    def _result(self, result: dict[str, Any] | Exception) -> dict[str, Any]:
        """Return the answer for the result of a check, which is counted."""
        if isinstance(result, MachineError):
            self.metrics.fault(type(result).__name__)
            return {"fault": fault_to_plain(result)}
        if isinstance(result, Exception):
            raise result
        if "report" in result:
            self.metrics.outcome(str(result["report"]["stage"]))
        return result

    async def score(self, data: Any, deadline: float) -> dict[str, Any]:
        """Grade each item under a scheme of this server's, and return the records."""
        request = read(_SCORE, data)
        items = self._items(request)
        grader = self._scheme(request.get("scheme"))
        asked = [self._read(item) for item in items]
        pairs = [each for each in asked if not isinstance(each, InputError)]
        graded = iter(await self.graded(pairs, deadline=deadline, grader=grader))
        results: list[dict[str, Any]] = []
        for each in asked:
            found = each if isinstance(each, InputError) else next(graded)
            if isinstance(found, InputError):
                kind = type(found).__name__
                results.append({"error": {"kind": kind, "message": str(found)}})
            else:
                results.append(breakdown_to_dict(found))
        return {"results": results}

    def _scheme(self, name: object) -> Grader:
        """Return the grader of a scheme by its name."""
        if name is None:
            return self._grader
        grader = self._schemes.get(name) if isinstance(name, str) else None
        if grader is None:
            # A name might be a path: no client says what this machine reads.
            known = ", ".join(sorted(self._schemes))
            raise FormatError(f"scheme: there are {known}")
        return grader

    def _read(self, item: Any) -> Pair | InputError:
        """Return problem and completion of an item, or why it cannot be read."""
        try:
            found = read(_ITEM, item)
            problem = self.problem(found.get("problem"))
        except InputError as error:
            return error
        truncated = found.get("truncated")
        return problem, Completion(text=found["completion"], truncated=truncated)

    def problem(self, label: object) -> Problem:
        """Find the problem that a request means, or read it.  Raises InputError, also for one whose
        budget is too large.
        """
        problem = problem_by_label(label, self.settings.problems, where="--problems")
        self._require_short(allowance(problem, self._grader.scheme.budget))
        return problem

    def _require_short(self, budget: Budget) -> None:
        """Raise ProblemError for a budget that this server does not grant."""
        longest = budget.compile_wall_s + budget.tests_wall_s
        if longest > self.settings.longest_s:
            raise ProblemError(
                f"budget: {longest:g} s for a completion (compile_wall_s, tests_wall_s and the CPU"
                f" times of which that is six times), and this server grants"
                f" {self.settings.longest_s:g} (--longest)"
            )

    async def graded(
        self,
        pairs: Sequence[Pair],
        *,
        deadline: float,
        hold_s: float = 0.0,
        grader: Grader | None = None,
    ) -> list[Breakdown | InputError]:
        """Return the breakdowns of pairs, in their order; what is wrong with a problem stands in
        its place.
        """
        chosen = grader or self._grader
        pieces = [lambda pair=pair: chosen.grade(*pair) for pair in pairs]
        results = await self.desk.run(
            pieces,
            groups=[problem.id for problem, _ in pairs],
            deadline=deadline,
            hold_s=hold_s,
        )
        return [
            self._counted(result, problem, chosen)
            for result, (problem, _) in zip(results, pairs, strict=True)
        ]

    def _counted(
        self, result: Breakdown | Exception, problem: Problem, grader: Grader
    ) -> Breakdown | InputError:
        """Return the breakdown for a result, which is counted."""
        if isinstance(result, InputError):
            return result
        if isinstance(result, MachineError):
            # The grader makes a fault of its own failures; this one is the queue's.
            fault = Fault(kind=type(result).__name__, message=str(result))
            result = ungraded(problem.id, fault, grader.scheme, self._engine)
        if isinstance(result, Exception):
            raise result
        self.metrics.outcome(result.verdict.value)
        if result.fault is not None:
            self.metrics.fault(result.fault.kind)
        return result

    def _items(self, request: dict[str, Any]) -> list[Any]:
        """Return a request's items; refuse it if there are too many."""
        items: list[Any] = request["items"]
        if len(items) > self.settings.items:
            most = self.settings.items
            raise Refusal(413, "TooMany", f"at most {most} items in a request")
        return items


def _key_in(item: Any) -> str:
    """Return the name of the tests that an item is for; raises FormatError."""
    if not isinstance(item, dict) or not isinstance(item.get("key"), str):
        raise FormatError("item: expected an object with a key")
    key: str = item["key"]
    return key
