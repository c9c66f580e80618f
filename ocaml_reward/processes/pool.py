"""
The parent's side: children, what each has to do, and what becomes of that if it dies.
"""

from __future__ import annotations

import itertools
import selectors
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ..errors import MachineError
from ..model import Breakdown, Completion, Problem
from .messages import Setup, messages_in, send

__all__ = ["Children"]

Pair = tuple[Problem, Completion]

# Completions in a message, those that a child has for each of its threads, and those that
# all together may be ahead of the oldest that is not done: as lanes.py has them.
_BATCH = 16
_AHEAD = 8
_FURTHEST = 64
# Children that may die with one completion before it is given up; and those that may die in
# a row before they have done anything.
_DEATHS = 3
_STARTS = 3
_CLOSE_S = 10.0

_RUN = "import sys; sys.path[:] = {path!r};\
 from ocaml_reward.processes.child import main; main({fd})"


@dataclass(slots=True, eq=False)
class _Work:
    """
    One completion on its way, how many children died with it, and what came of it.
    """

    pair: Pair
    deaths: int = 0
    found: Breakdown | Exception | None = None


@dataclass(slots=True, eq=False)
class _Child:
    """
    A process, and what it has to do; `alone` where that is one completion, which may have
    been the death of another.
    """

    process: subprocess.Popen[bytes]
    socket: socket.socket
    keys: dict[Problem, int] = field(default_factory=dict)
    waiting: dict[int, _Work] = field(default_factory=dict)
    problems: list[tuple[int, Problem]] = field(default_factory=list)
    completions: list[tuple[int, int, Completion]] = field(default_factory=list)
    data: bytearray = field(default_factory=bytearray)
    ready: bool = False
    alone: bool = False

    def add(self, number: int, work: _Work) -> None:
        """
        Take work; `flush` sends it.
        """
        problem, completion = work.pair
        key = self.keys.get(problem)
        if key is None:
            key = self.keys[problem] = len(self.keys)
            self.problems.append((key, problem))
        self.waiting[number] = work
        self.completions.append((number, key, completion))

    def flush(self) -> None:
        """
        Send what was added.
        """
        if self.completions:
            # One that has died is met where it is read from.
            with suppress(OSError):
                send(self.socket, (self.problems, self.completions))
            self.problems, self.completions = [], []


class Children:
    """
    So many processes that grade, each started when there is work for it.

    One thread at a time may use it.  Raises MachineError, from whatever it does, where
    they cannot start.
    """

    def __init__(
        self, setup: Setup, count: int, given_up: Callable[[Problem, str], Breakdown]
    ) -> None:
        """
        Start nothing yet; `given_up` says of a problem's completion why it has no reward.
        """
        self._setup, self._count, self._given_up = setup, count, given_up
        self._most = setup.threads * _AHEAD
        self._children: list[_Child] = []
        self._homes: dict[Problem, _Child] = {}
        self._fresh: deque[_Work] = deque()
        self._suspects: deque[_Work] = deque()
        self._numbers = itertools.count()
        self._stillborn = 0
        self._selector = selectors.DefaultSelector()

    def close(self) -> None:
        """
        End every child.  Work begins anew with others.
        """
        children, self._children = self._children, []
        for child in children:
            # The end of its socket is its word to go; what it runs goes with it.
            self._selector.unregister(child.socket)
            child.socket.close()
        for child in children:
            _end(child.process)
        self._fresh.clear()
        self._suspects.clear()

    def grade_many(self, pairs: Iterable[Pair]) -> Generator[Breakdown, None, None]:
        """
        Grade a stream, in the order it comes, reading only a little ahead of the results.

        Raises what grading one raises, at its place.
        """
        pending: deque[_Work] = deque()
        furthest = self._count * self._setup.threads * _FURTHEST
        try:
            for pair in pairs:
                pending.append(_Work(pair))
                self._fresh.append(pending[-1])
                # A batch at a time: what is chosen one by one costs as much as grading.
                if len(self._fresh) >= _BATCH:
                    self._hand_out()
                while len(self._fresh) >= _BATCH or len(pending) >= furthest:
                    self._wait()
                    yield from _done(pending)
            while pending:
                self._wait()
                yield from _done(pending)
        finally:
            if pending:
                # Nobody wants what is left.
                self.close()

    def _hand_out(self) -> None:
        """
        Give what waits to children that have room for it.

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

    def _chosen(self, problem: Problem) -> _Child | None:
        """
        Choose the child that knows a problem, unless another has far less to do.
        """
        free = [
            child
            for child in self._children
            if not child.alone and len(child.waiting) < self._most
        ]
        least = min(free, key=lambda child: len(child.waiting), default=None)
        if least is None or len(least.waiting) >= _BATCH:
            least = self._started() or least
        home = self._homes.get(problem)
        if (
            least is not None
            and home in free
            and len(home.waiting) <= len(least.waiting) + _BATCH
        ):
            return home
        if least is not None:
            self._homes[problem] = least
        return least

    def _started(self) -> _Child | None:
        """
        Start a child, unless there are all.
        """
        if len(self._children) >= self._count:
            return None
        ours, theirs = socket.socketpair()
        command = _RUN.format(path=sys.path, fd=theirs.fileno())
        try:
            process = subprocess.Popen(
                [sys.executable, "-c", command],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                # Ctrl-C is for the parent, which ends its children.
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            raise MachineError(f"no process to grade in: {error}") from error
        finally:
            theirs.close()
        child = _Child(process, ours)
        self._children.append(child)
        self._selector.register(ours, selectors.EVENT_READ, child)
        with suppress(OSError):
            send(ours, self._setup)
        return child

    def _wait(self) -> None:
        """
        Take in what has come, at least something, and hand out what waits.
        """
        self._hand_out()
        for key, _ in self._selector.select():
            child: _Child = key.data
            try:
                data = child.socket.recv(1 << 20)
            except OSError:
                data = b""
            child.data += data
            for message in messages_in(child.data):
                self._take(child, message)
            if not data:
                self._lost(child)

    def _take(self, child: _Child, message: Any) -> None:
        if isinstance(message, MachineError):
            # It could not even begin, and nor would another.
            raise message
        child.ready = True
        self._stillborn = 0
        for number, found in message:
            child.waiting.pop(number).found = found
        child.alone = child.alone and bool(child.waiting)

    def _lost(self, child: _Child) -> None:
        """
        Bury a child, and keep its work for others.
        """
        self._selector.unregister(child.socket)
        child.socket.close()
        self._children.remove(child)
        _end(child.process)
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


def _done(pending: deque[_Work]) -> Generator[Breakdown, None, None]:
    while pending and (found := pending[0].found) is not None:
        pending.popleft()
        if isinstance(found, Exception):
            raise found
        yield found


def _end(process: subprocess.Popen[bytes]) -> None:
    """
    Wait for a child that was told to go, and kill one that does not.
    """
    try:
        process.wait(_CLOSE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
