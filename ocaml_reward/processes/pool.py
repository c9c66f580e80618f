"""The parent's side: distributes work to children, and repeats the work of a child that dies."""

from __future__ import annotations

import itertools
import logging
import selectors
import socket
from collections import Counter, deque
from collections.abc import Callable, Generator, Hashable, Iterable
from typing import Any

from ..errors import MachineError
from .child_handle import Child, Pair, Work, start_child
from .messages import Setup, messages_in

# Completions in a message; pending completions for each thread of a child; and completions, per
# thread of all children, after the oldest unfinished one.  (two_pass_scheduler.py)
_BATCH = 16
_PREFETCH_PER_THREAD = 8
_MAX_PREFETCH = 64
# Children that may die with one completion before it is given up; and children that may die in a
# row before they have sent anything.
_DEATHS = 3
_STARTS = 3

log = logging.getLogger("ocaml_reward")


class _StrayResult(Exception):
    """A result that does not belong to any pending completion."""


class Children:
    """At most `count` child processes that grade, each started when there is work for it.

    `replaced` counts, by the reason, the children and the servers of their engines that were
    replaced.

    Only one thread at a time may use this object.  Every method raises MachineError if no child
    can start.
    """

    def __init__(
        self,
        setup: Setup,
        count: int,
        given_up: Callable[[Any, str], Any],
        *,
        batch: int = _BATCH,
        max_requests: int | None = None,
    ) -> None:
        """Start no child yet.

        Args:
            setup: How to set up each child.
            count: The maximal number of children.
            given_up: Returns the result of a completion that was given up, from its problem and
                the reason.
            batch: The number of completions that a child gets before another is preferred; 1 if
                callers wait for single results.
            max_requests: The number of requests after which a child is replaced, as it keeps
                every problem it has seen in memory; None for no limit.
        """
        self._setup, self._count, self._given_up = setup, count, given_up
        self._batch, self._max_requests = batch, max_requests
        self._max_pending = setup.threads * _PREFETCH_PER_THREAD
        self._children: list[Child] = []
        self._child_of: dict[Hashable, Child] = {}
        self._fresh: deque[Work] = deque()
        self._suspects: deque[Work] = deque()
        self._numbers = itertools.count()
        self._failed_starts = 0
        self._selector = selectors.DefaultSelector()
        self.lost = 0
        self.replaced: Counter[str] = Counter()

    @property
    def alive(self) -> int:
        """The number of children."""
        return len(self._children)

    def restart(self) -> None:
        """Kill every child; new children take over their work."""
        for child in tuple(self._children):
            child.process.kill()

    def close(self) -> None:
        """End every child and drop all pending work."""
        children, self._children = self._children, []
        for child in children:
            # A child exits when its socket closes, and its engine with it.
            self._forget(child)
        for child in children:
            child.end()
        self._fresh.clear()
        self._suspects.clear()
        self._failed_starts = 0

    def wake_by(self, waker: socket.socket) -> None:
        """Make `wait` return when a socket becomes readable; the data is dropped."""
        self._selector.register(waker, selectors.EVENT_READ, None)

    def add(self, pair: Pair) -> Work:
        """Queue a pair; after some `wait` its result is in `found`."""
        work = Work(pair)
        self._fresh.append(work)
        return work

    def abandon(self, work: Work) -> None:
        """End work that was added, as nobody waits for it."""
        work.abandoned = True
        for queue in (self._fresh, self._suspects):
            if work in queue:
                queue.remove(work)
        for child in self._children:
            child.abandoned += [number for number, each in child.waiting.items() if each is work]

    def grade_many(self, pairs: Iterable[Pair]) -> Generator[Any, None, None]:
        """Grade a stream, in order, reading only a little ahead of the results.

        An exception of one pair is raised in its place.
        """
        pending: deque[Work] = deque()
        max_pending = self._count * self._setup.threads * _MAX_PREFETCH
        try:
            for pair in pairs:
                pending.append(self.add(pair))
                # Distribute in batches: choosing a child for each one costs as much as grading.
                if len(self._fresh) >= self._batch:
                    self._distribute()
                while len(self._fresh) >= self._batch or len(pending) >= max_pending:
                    self.wait()
                    yield from _done(pending)
            while pending:
                self.wait()
                yield from _done(pending)
        finally:
            if pending:
                # The caller has stopped: nobody needs the rest.
                self.close()

    def _distribute(self) -> None:
        """Give the queued work to children that have room for it.

        Completions that were pending when a child died come first: each is tried alone, on an
        idle child.
        """
        while self._suspects:
            child = next((each for each in self._children if not each.waiting), None)
            child = child or self._started()
            if child is None:
                break
            child.alone = True
            child.add(next(self._numbers), self._suspects.popleft())
        while self._fresh and not self._suspects:
            child = self._chosen(self._fresh[0].pair[0])
            if child is None:
                break
            child.add(next(self._numbers), self._fresh.popleft())
        for child in self._children:
            child.flush()

    def _chosen(self, problem: Hashable) -> Child | None:
        """Return the child that has the problem, unless another has much less pending work."""
        free = [
            child
            for child in self._children
            if not child.alone
            and len(child.waiting) < self._max_pending
            and not self._is_spent(child)
        ]
        least = min(free, key=lambda child: len(child.waiting), default=None)
        if least is None or len(least.waiting) >= self._batch:
            least = self._started() or least
        known = self._child_of.get(problem)
        if (
            least is not None
            and known in free
            and len(known.waiting) < len(least.waiting) + self._batch
        ):
            return known
        if least is not None:
            self._child_of[problem] = least
        return least

    def _is_spent(self, child: Child) -> bool:
        return self._max_requests is not None and child.done >= self._max_requests

    def _started(self) -> Child | None:
        """Return a new child; None if there are `count` already."""
        if len(self._children) >= self._count:
            return None
        child = start_child(self._setup)
        self._children.append(child)
        self._selector.register(child.socket, selectors.EVENT_READ, child)
        return child

    def wait(self) -> None:
        """Distribute queued work, and receive at least one message."""
        self._distribute()
        for key, _ in self._selector.select():
            child: Child | None = key.data
            if child is None:
                key.fileobj.recv(1 << 12)  # type: ignore[union-attr]
                continue
            try:
                data = child.socket.recv(1 << 20)
            except OSError:
                data = b""
            child.data += data
            try:
                for message in messages_in(child.data):
                    self._receive(child, message)
            except _StrayResult as stray:
                log.warning("a process that grades is replaced: %s", stray)
                child.process.kill()
                data = b""
            if not data:
                self._lost(child)
            elif self._is_spent(child) and not child.waiting:
                self._children.remove(child)
                self._forget(child)
                child.end()

    def _receive(self, child: Child, message: Any) -> None:
        """Take the results out of a child's message."""
        if isinstance(message, MachineError):
            # The child could not set up its grader, and no other child could.
            raise message
        child.ready = True
        self._failed_starts = 0
        replaced, results = message
        for reason, count in replaced.items():
            self.replaced[reason] += count
        for number, found in results:
            work = child.waiting.pop(number, None)
            if work is None:
                self.replaced["stray answer"] += 1
                raise _StrayResult(f"it answered {number}, which it was not asked")
            work.found = found
        child.done += len(results)
        child.alone = child.alone and bool(child.waiting)

    def _forget(self, child: Child) -> None:
        """Close a child's socket, and forget which problems it has."""
        self._selector.unregister(child.socket)
        child.socket.close()
        self._child_of = {
            problem: known for problem, known in self._child_of.items() if known is not child
        }

    def _lost(self, child: Child) -> None:
        """Remove a dead child, and queue its pending work again."""
        self._forget(child)
        self._children.remove(child)
        child.end()
        self.lost += 1
        if not child.ready:
            self._failed_starts += 1
            if self._failed_starts == _STARTS:
                raise MachineError(
                    "three processes to grade in died before they could begin"
                    f" (exit {child.process.returncode})"
                )
        for work in child.waiting.values():
            work.deaths += 1
            if work.abandoned:
                continue
            if child.alone and work.deaths >= _DEATHS:
                why = "three processes died, one after the other, that graded it"
                work.found = self._given_up(work.pair[0], why)
            else:
                self._suspects.append(work)


def _done(pending: deque[Work]) -> Generator[Any, None, None]:
    """Yield the results at the front of the queue that are there; raise an error among them."""
    while pending and (found := pending[0].found) is not None:
        pending.popleft()
        if isinstance(found, Exception):
            raise found
        yield found
