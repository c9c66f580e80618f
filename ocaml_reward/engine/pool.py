"""
The warm servers of one engine: lent to one thread at a time, kept, replaced.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import EngineFault
from ..model import Budget
from ..sandbox import Jail
from .server import Server

__all__ = ["Servers"]

# A server gets a new checker after so many requests, which costs about what one
# completion does, and is itself replaced after so many.
_RENEWAL = 500
_REQUESTS = 20_000
# So many wait unused, of some 30 MB each.  Completions of a stream take turns at servers of
# every kind (libraries, stack, whether it is free), each times the threads: with fewer than
# that, servers were ended and started all the time, at a hundred completions' cost.
_IDLE = 64

_Key = tuple[tuple[str, ...], int, int, bool]


class Servers:
    """
    Servers in one jail, each started when none that fits is free.
    """

    def __init__(self, jail: Jail) -> None:
        """
        Start nothing yet.
        """
        self._jail = jail
        self._lock = threading.Lock()
        self._idle: list[tuple[_Key, Server]] = []
        self._busy: set[Server] = set()
        self._foreseen: set[_Key] = set()
        self._closed = False
        self._process = os.getpid()

    def close(self) -> None:
        """
        End every server, whatever it is doing; none starts any more.
        """
        with self._lock:
            self._closed = True
            servers = [server for _, server in self._idle] + list(self._busy)
            self._idle.clear()
        for server in servers:
            server.close()

    def foresee(
        self, libraries: tuple[str, ...], budget: Budget, *, free: bool
    ) -> None:
        """
        Start the first server of a kind that will be asked for: one takes a tenth of a
        second to load, which it does while others work.
        """
        key = (libraries, budget.memory_mb, budget.stack_mb, free)
        with self._lock:
            new = key not in self._foreseen
            self._foreseen.add(key)
        if new:
            with self.lend(libraries, budget, free=free):
                pass

    @contextmanager
    def lend(
        self,
        libraries: tuple[str, ...],
        budget: Budget,
        *,
        free: bool = False,
        tests: bytes = b"",
    ) -> Iterator[Server]:
        """
        Lend a server for one use, one that has compiled `tests` if it can be.

        Args:
            libraries: What its compiler has loaded.
            budget: Its memory and its stack.
            free: As for `Server`.
            tests: The payload of what will be asked of it.

        Yields:
            The server; one that failed is discarded.

        Raises:
            EngineFault: The engine is closed, or the host refuses.
        """
        key = (libraries, budget.memory_mb, budget.stack_mb, free)
        try:
            server = self._taken(key, tests) or Server(
                self._jail, libraries, budget, free=free
            )
        except OSError as error:
            raise EngineFault(f"this machine refused: {error}") from error
        with self._lock:
            self._busy.add(server)
        sound = False
        try:
            if self._closed:
                raise EngineFault("the engine is closed")
            yield server
            server.answered += 1
            if server.answered % _RENEWAL == 0:
                server.renew()
            sound = server.answered < _REQUESTS
        finally:
            with self._lock:
                self._busy.discard(server)
                sound = sound and not self._closed
                surplus = self._idle[: len(self._idle) - _IDLE + 1] if sound else []
                if sound:
                    self._idle = [*self._idle[len(surplus) :], (key, server)]
            for other in [old for _, old in surplus] + ([] if sound else [server]):
                other.close()

    def _taken(self, key: _Key, tests: bytes) -> Server | None:
        with self._lock:
            if self._closed:
                raise EngineFault("the engine is closed")
            if self._process != os.getpid():
                # A forked child has the sockets of its parent's servers, not the servers.
                self._process = os.getpid()
                self._idle, self._busy, self._foreseen = [], set(), set()
            places = [n for n, (each, _) in enumerate(self._idle) if each == key]
            if not places:
                return None
            # What knows the tests saves compiling them, a third of all; else the last one
            # used is the one whose memory is warm.
            known = [n for n in places if tests in self._idle[n][1].tests]
            return self._idle.pop((known or places)[-1])[1]
