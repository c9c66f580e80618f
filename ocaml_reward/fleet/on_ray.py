"""Workers as actors of Ray: one for every four processors of each node.

An actor that dies is not restarted by Ray, as what it had would be done again there: its
chunks go to others, and its node gets another actor.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..engine.parallel import jobs_for
from ..errors import InputError, MachineError
from .driving import AT_A_TIME, Answered, Event, Joined, Left
from .nodes import Node, error_of, nodes_of, unlike, why_of
from .worker import Identity, Setup, Worker

# An engine is built on a node's first use, which takes 8 s and on a busy node longer.
_START_S: Final = 180.0
_LOOK_S: Final = 10.0
# Actors of one node that may die without an answer, one after the other.
_STILLBORN: Final = 3


@dataclass(kw_only=True, eq=False)
class _Actor:
    """An actor and its node's id; `ready` says whether it has told what it is."""

    name: str
    node: str
    handle: Any
    ready: bool = False


class RayCrew:
    """Carries work to actors of a Ray cluster, on every node that it has.

    Nodes that come later are taken up, and those whose compiler is another are left out.
    """

    def __init__(
        self, address: str, setup: Setup, say: Callable[[str], object] = lambda _: None
    ) -> None:
        """Connect, start the actors and wait until each has said what it is.

        Args:
            address: A cluster's address, `auto` for the one that this machine is of, or
                `local` for one of this machine alone, which ends with this process.
            setup: What every worker grades with.
            say: Takes lines about nodes that are left out.

        Raises:
            InputError: Nodes differ in compiler, engine, jail or version, or one has none.
            MachineError: Ray is not installed or not reached, or no node can grade.
        """
        try:
            import ray  # noqa: PLC0415 (an extra)
        except ModuleNotFoundError:
            raise MachineError(
                "grading on Ray needs ray, which is not installed:"
                " pip install 'ocaml-reward[ray]'"
            ) from None
        self._ray = ray
        self._setup, self._say = setup, say
        self._actors: dict[str, _Actor] = {}
        self._sent: dict[Any, tuple[_Actor, int | None]] = {}
        self._left_out: dict[str, str] = {}
        self._kinds: dict[str, Identity] = {}
        self._deaths: Counter[str] = Counter()
        self._started: Counter[str] = Counter()
        self._looked = 0.0
        self._first: Identity | None = None
        self._connect(address)
        try:
            self._gather()
        except BaseException:
            self.close()
            raise

    @property
    def identity(self) -> Identity:
        """What all of them are."""
        if self._first is None:
            raise MachineError("no worker has said what it is")
        return self._first

    @property
    def workers(self) -> Sequence[str]:
        """The actors that are ready."""
        return [each.name for each in self._actors.values() if each.ready]

    def close(self) -> None:
        """End every actor, and the connection if it is ours."""
        for actor in self._actors.values():
            self._ray.kill(actor.handle)
        self._actors.clear()
        self._sent.clear()
        if self._mine:
            self._ray.shutdown()

    def _connect(self, address: str) -> None:
        self._mine = not self._ray.is_initialized()
        if not self._mine:
            return
        try:
            self._ray.init(
                address=address,
                log_to_driver=False,
                logging_level="error",
                include_dashboard=False if address == "local" else None,
            )
        except (OSError, RuntimeError, ValueError) as error:
            why = " ".join(str(error).split())[:300]
            raise MachineError(f"no Ray cluster at {address}: {why}") from None

    def _gather(self) -> None:
        """Wait for the first actors; raises InputError where nodes differ or cannot grade."""
        limit = time.monotonic() + _START_S
        while True:
            # A loss asks for another look.
            if not self._looked:
                self._recruit()
            if all(each.ready for each in self._actors.values()):
                break
            if time.monotonic() > limit:
                late = sorted(
                    each.name for each in self._actors.values() if not each.ready
                )
                raise MachineError(
                    f"no worker has started in {_START_S:g} s on {', '.join(late)}; are"
                    " their processors taken?"
                )
            self._collected(1.0)
        if self._left_out:
            raise InputError(unlike(self._left_out, self._kinds))
        if not self._actors:
            raise MachineError("no node of the Ray cluster can grade")

    def _recruit(self) -> None:
        """Start the actors that nodes lack."""
        self._looked = time.monotonic()
        there: Counter[str] = Counter(each.node for each in self._actors.values())
        for node in nodes_of(self._ray.nodes()):
            if node.name not in self._left_out:
                for _ in range(node.workers - there[node.id]):
                    self._start(node)

    def _start(self, node: Node) -> None:
        from ray.util.scheduling_strategies import (  # noqa: PLC0415
            NodeAffinitySchedulingStrategy,
        )

        self._started[node.id] += 1
        name = f"{node.name}/{self._started[node.id]}"
        kind = self._ray.remote(
            num_cpus=node.processors,
            max_restarts=0,
            max_task_retries=0,
            # Single questions do not wait for chunks.
            max_concurrency=AT_A_TIME + 2,
            scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=False),
        )(Worker)
        handle = kind.remote(self._setup, -(-jobs_for(node.processors) // AT_A_TIME))
        actor = _Actor(name=name, node=node.id, handle=handle)
        self._actors[name] = actor
        self._sent[handle.identity.remote()] = (actor, None)

    def send(self, worker: str, number: int, work: Sequence[Any]) -> None:
        """Give a worker completions under a number."""
        actor = self._actors.get(worker)
        # One that was lost meanwhile is an event already.
        if actor is not None:
            self._sent[actor.handle.grade.remote(list(work))] = (actor, number)

    def ask(self, method: str, *given: Any) -> Any:
        """Call a method of some worker, and of another if that one is lost.

        Args:
            method: `prepare` or `check`.
            *given: Its arguments.

        Returns:
            What it returns.

        Raises:
            OCamlRewardError: What it raises; MachineError where every worker is lost.
        """
        # Asked from several threads, while workers come and go.
        for actor in [each for each in list(self._actors.values()) if each.ready]:
            try:
                return self._ray.get(getattr(actor.handle, method).remote(*given))
            except self._ray.exceptions.RayTaskError as error:
                raise error_of(error) from None
            except self._ray.exceptions.RayError:
                continue
        raise MachineError("no worker of the Ray cluster is left")

    def events(self, timeout_s: float) -> Sequence[Event]:
        """Wait for events; raises MachineError where no worker is left."""
        if time.monotonic() - self._looked > _LOOK_S or not self._actors:
            self._recruit()
        if not self._actors:
            raise MachineError(
                "no node of the Ray cluster is left that grades; --resume continues"
            )
        return self._collected(timeout_s)

    def _collected(self, timeout_s: float) -> list[Event]:
        if not self._sent:
            time.sleep(min(timeout_s, 0.05))
            return []
        ready, _ = self._ray.wait(list(self._sent), num_returns=1, timeout=timeout_s)
        found: list[Event] = []
        for reference in ready:
            actor, number = self._sent.pop(reference)
            try:
                value = self._ray.get(reference)
            except self._ray.exceptions.RayTaskError as error:
                raise error_of(error) from None
            except self._ray.exceptions.RayError as error:
                found += self._lost(actor, error)
                continue
            if number is None:
                found += self._met(actor, *value)
            else:
                self._deaths[actor.node] = 0
                found.append(Answered(worker=actor.name, number=number, results=value))
        return found

    def _met(self, actor: _Actor, identity: Identity, host: str) -> list[Event]:
        """Take up a worker that is what the others are."""
        self._first = self._first or identity
        self._kinds[actor.name.rpartition("/")[0]] = identity
        if identity != self._first:
            self._leave_out(actor, f"{host} has {identity}")
            return []
        actor.ready = True
        return [Joined(worker=actor.name)]

    def _lost(self, actor: _Actor, error: BaseException) -> list[Event]:
        """Take a worker out with all that it has, and have its node, if it is there, start
        another.
        """
        self._deaths[actor.node] += 1
        self._looked = 0.0
        if not actor.ready and self._deaths[actor.node] >= _STILLBORN:
            self._leave_out(actor, why_of(error))
            return []
        self._drop(actor)
        if not actor.ready:
            return []
        return [Left(worker=actor.name, why=type(error).__name__)]

    def _leave_out(self, actor: _Actor, why: str) -> None:
        """Send nothing to a node any more, and say so."""
        address = actor.name.rpartition("/")[0]
        self._left_out[address] = why
        self._say(f"{address} is left out: {why}")
        self._drop(actor)

    def _drop(self, actor: _Actor) -> None:
        self._actors.pop(actor.name, None)
        self._ray.kill(actor.handle)
        self._sent = {
            reference: (who, number)
            for reference, (who, number) in self._sent.items()
            if who is not actor
        }
