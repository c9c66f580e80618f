"""The parent's side: children, what each has to do, and what becomes of that if it dies."""

from __future__ import annotations

import itertools
import logging
import selectors
import socket
from collections import Counter, deque
from collections.abc import Callable, Generator, Hashable, Iterable
from typing import Any

from ..errors import MachineError
from .messages import Setup, messages_in
from .one import Child, Pair, Work, started

# Completions in a message, those that a child has for each of its threads, and those that
# all together may be ahead of the oldest that is not done: as two_pass_scheduler.py has them.
_BATCH = 16
_AHEAD = 8
_FURTHEST = 64
# Children that may die with one completion before it is given up; and those that may die in
# a row before they have done anything.
_DEATHS = 3
_STARTS = 3

log = logging.getLogger("ocaml_reward")


class _Stray(Exception):
    """An answer that nobody asked for."""


class Children:
    """So many processes that grade, each started when there is work for it.

    `replaced` counts what they, and the servers of their engines, were replaced for.

    One thread at a time may use it.  Raises MachineError, from whatever it does, where
    they cannot start.
    """

    def __init__(
        self,
        setup: Setup,
        count: int,
        given_up: Callable[[Any, str], Any],
        *,
        batch: int = _BATCH,
        most: int | None = None,
    ) -> None:
        """Start nothing yet.

        Args:
            setup: What every child is.
            count: How many there may be.
            given_up: Says of the first of a pair, and of a reason, what stands for its result.
            batch: How much a child may have before another is better; 1 where what comes is
                waited for piece by piece.
            most: What a child does before another takes its place, as it remembers each
                problem that it has seen; without it there is no end.
        """
        self._setup, self._count, self._given_up = setup, count, given_up
        self._batch, self._most_done = batch, most
        self._most = setup.threads * _AHEAD
        self._children: list[Child] = []
        self._homes: dict[Hashable, Child] = {}
        self._fresh: deque[Work] = deque()
        self._suspects: deque[Work] = deque()
        self._numbers = itertools.count()
        self._stillborn = 0
        self._selector = selectors.DefaultSelector()
        self.lost = 0
        self.replaced: Counter[str] = Counter()

    @property
    def alive(self) -> int:
        """How many children there are."""
        return len(self._children)

    def restart(self) -> None:
        """Kill every child: others take their places, and their work."""
        for child in tuple(self._children):
            child.process.kill()

    def close(self) -> None:
        """End every child.  Work begins anew with others."""
        children, self._children = self._children, []
        for child in children:
            # The end of its socket is its word to go; what it runs goes with it.
            self._forget(child)
        for child in children:
            child.end()
        self._fresh.clear()
        self._suspects.clear()
        self._stillborn = 0

    def wake_by(self, bell: socket.socket) -> None:
        """Have `wait` return when something comes over a socket, which is read and dropped."""
        self._selector.register(bell, selectors.EVENT_READ, None)

    def add(self, pair: Pair) -> Work:
        """Take work; `wait` hands it out, and later has its result in `found`."""
        work = Work(pair)
        self._fresh.append(work)
        return work

    def grade_many(self, pairs: Iterable[Pair]) -> Generator[Any, None, None]:
        """Grade a stream, in the order it comes, reading only a little ahead of the results.

        Raises what grading one raises, at its place.
        """
        pending: deque[Work] = deque()
        furthest = self._count * self._setup.threads * _FURTHEST
        try:
            for pair in pairs:
                pending.append(self.add(pair))
                # A batch at a time: what is chosen one by one costs as much as grading.
                if len(self._fresh) >= self._batch:
                    self._hand_out()
                while len(self._fresh) >= self._batch or len(pending) >= furthest:
                    self.wait()
                    yield from _done(pending)
            while pending:
                self.wait()
                yield from _done(pending)
        finally:
            if pending:
                # Nobody wants what is left.
                self.close()

    def _hand_out(self) -> None:
        """Give what waits to children that have room for it.

        What a child died of is found out first: by whoever is idle, one for each.
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
        """Choose the child that knows a problem, unless another has far less to do."""
        free = [
            child
            for child in self._children
            if not child.alone
            and len(child.waiting) < self._most
            and not self._is_spent(child)
        ]
        least = min(free, key=lambda child: len(child.waiting), default=None)
        if least is None or len(least.waiting) >= self._batch:
            least = self._started() or least
        home = self._homes.get(problem)
        if (
            least is not None
            and home in free
            and len(home.waiting) < len(least.waiting) + self._batch
        ):
            return home
        if least is not None:
            self._homes[problem] = least
        return least

    def _is_spent(self, child: Child) -> bool:
        return self._most_done is not None and child.done >= self._most_done

    def _started(self) -> Child | None:
        """Start a child, unless there are all."""
        if len(self._children) >= self._count:
            return None
        child = started(self._setup)
        self._children.append(child)
        self._selector.register(child.socket, selectors.EVENT_READ, child)
        return child

    def wait(self) -> None:
        """Hand out what waits, and take in what has come, at least something."""
        self._hand_out()
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
                    self._take(child, message)
            except _Stray as stray:
                log.warning("a process that grades is replaced: %s", stray)
                child.process.kill()
                data = b""
            if not data:
                self._lost(child)
            elif self._is_spent(child) and not child.waiting:
                self._children.remove(child)
                self._forget(child)
                child.end()

    def _take(self, child: Child, message: Any) -> None:
        if isinstance(message, MachineError):
            # It could not even begin, and nor would another.
            raise message
        child.ready = True
        self._stillborn = 0
        replaced, results = message
        for reason, count in replaced.items():
            self.replaced[reason] += count
        for number, found in results:
            work = child.waiting.pop(number, None)
            if work is None:
                self.replaced["stray answer"] += 1
                raise _Stray(f"it answered {number}, which it was not asked")
            work.found = found
        child.done += len(results)
        child.alone = child.alone and bool(child.waiting)

    def _forget(self, child: Child) -> None:
        """Hang up on a child, and know no problem by it any more."""
        self._selector.unregister(child.socket)
        child.socket.close()
        self._homes = {
            problem: home for problem, home in self._homes.items() if home is not child
        }

    def _lost(self, child: Child) -> None:
        """Bury a child, and keep its work for others."""
        self._forget(child)
        self._children.remove(child)
        child.end()
        self.lost += 1
        if not child.ready:
            self._stillborn += 1
            if self._stillborn == _STARTS:
                raise MachineError(
                    "three processes to grade in died before they could begin"
                    f" (exit {child.process.returncode})"
                )
        for work in child.waiting.values():
            work.deaths += 1
            if child.alone and work.deaths >= _DEATHS:
                why = "three processes died, one after the other, that graded it"
                work.found = self._given_up(work.pair[0], why)
            else:
                self._suspects.append(work)


def _done(pending: deque[Work]) -> Generator[Any, None, None]:
    while pending and (found := pending[0].found) is not None:
        pending.popleft()
        if isinstance(found, Exception):
            raise found
        yield found
