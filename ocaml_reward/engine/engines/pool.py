"""The pool of warm servers of one engine; each is lent to one thread at a time."""

from __future__ import annotations

import logging
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from ...abandoning import ending_by
from ...errors import Abandoned, EngineFault
from ...model import Budget
from ...sandbox import Jail
from .server import Server, StrayAnswer

# Requests after which a server gets a new checker, which costs about as much as one completion; and
# requests after which the server itself is replaced.
_RENEWAL = 500
_REQUESTS = 20_000
# At most this many idle servers, of some 30 MB each.  A stream alternates between server kinds
# (libraries, stack, scan or not), so keep enough idle servers for every kind times the number of
# threads: starting one costs as much as a hundred completions.
_IDLE = 64

# Requests after which a server has to pass the self-test again.  It also has to after any death of
# its checker.  The self-test costs about as much as three completions.
_PROVED_EVERY = 500
# Servers in a row that may fail the self-test.
_UNSOUND = 3

log = logging.getLogger("ocaml_reward")


class _Key(NamedTuple):
    libraries: tuple[str, ...]
    memory_mb: int
    stack_mb: int
    allow_unsafe: bool


Prove = Callable[[Server, tuple[str, ...], Budget], str | None]
"""Runs the self-test on a server; returns the failure, or None."""


class Servers:
    """Servers in one jail, each started when no idle one fits.

    A server that replied wrongly, or not at all, is replaced; `replaced` counts them by the
    reason: "stray answer", "fault" or "known program".
    """

    def __init__(self, jail: Jail, prove: Prove) -> None:
        """Start no server yet; `prove` is called for each server now and then."""
        self._jail = jail
        self._prove = prove
        self.replaced: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._idle: list[tuple[_Key, Server]] = []
        self._busy: set[Server] = set()
        self._foreseen: set[_Key] = set()
        self._closed = False
        self._generation = 0
        self._process = os.getpid()

    def restart(self) -> None:
        """End the idle servers now, and the busy ones when they are returned."""
        with self._lock:
            self._generation += 1
            servers = [server for _, server in self._idle]
            self._idle.clear()
        for server in servers:
            server.close()

    def close(self) -> None:
        """End every server, also busy ones; none can be started any more."""
        with self._lock:
            self._closed = True
            servers = [server for _, server in self._idle] + list(self._busy)
            self._idle.clear()
        for server in servers:
            server.close()

    def foresee(self, libraries: tuple[str, ...], budget: Budget, *, allow_unsafe: bool) -> None:
        """Start the first server of a kind in advance: loading takes a tenth of a second."""
        key = _Key(libraries, budget.memory_mb, budget.stack_mb, allow_unsafe)
        with self._lock:
            new = key not in self._foreseen
            self._foreseen.add(key)
        if new:
            with self.lend(libraries, budget, allow_unsafe=allow_unsafe):
                pass

    @contextmanager
    def lend(
        self,
        libraries: tuple[str, ...],
        budget: Budget,
        *,
        allow_unsafe: bool = False,
        tests: bytes = b"",
        doubted: bool = False,
    ) -> Iterator[Server]:
        """Lend a server for one use, if possible one that has compiled `tests`.

        Args:
            libraries: The libraries that its compiler has loaded.
            budget: Its memory and stack.
            allow_unsafe: As for `Server`.
            tests: The test program that it will be sent.
            doubted: Whether it has to pass the self-test first in any case.

        Yields:
            The server; one that failed is discarded.

        Raises:
            EngineFault: The engine is closed, the host refuses, or the self-test fails.
        """
        key = _Key(libraries, budget.memory_mb, budget.stack_mb, allow_unsafe)
        server = self._sound(key, budget, tests, doubted=doubted)
        generation = self._generation
        sound = False
        try:
            if self._closed:
                raise EngineFault("the engine is closed")
            with ending_by(server.close):
                yield server
            server.answered += 1
            if server.answered % _RENEWAL == 0:
                server.renew()
            sound = server.answered < _REQUESTS and not server.lost
        except StrayAnswer as error:
            self._note("stray answer", str(error))
            raise
        except EngineFault as error:
            if not self._closed:
                self._note("fault", str(error))
            raise
        except Abandoned:
            # Whoever is next does not wait until another has started.
            with suppress(EngineFault):
                self._start_another(key, budget)
            raise
        finally:
            with self._lock:
                self._busy.discard(server)
                sound = sound and not self._closed and generation == self._generation
                surplus = self._idle[: len(self._idle) - _IDLE + 1] if sound else []
                if sound:
                    self._idle = [*self._idle[len(surplus) :], (key, server)]
            for other in [old for _, old in surplus] + ([] if sound else [server]):
                other.close()

    def _start_another(self, key: _Key, budget: Budget) -> None:
        """Start a server and keep it."""
        server = self._sound(key, budget, b"", doubted=False)
        with self._lock:
            self._busy.discard(server)
            if kept := not self._closed:
                self._idle.append((key, server))
        if not kept:
            server.close()

    def _sound(self, key: _Key, budget: Budget, tests: bytes, *, doubted: bool) -> Server:
        """Return a server that needs no self-test, or has just passed it; it counts as busy."""
        for _ in range(_UNSOUND):
            try:
                server = self._taken(key, tests) or Server(
                    self._jail, key.libraries, budget, allow_unsafe=key.allow_unsafe
                )
            except OSError as error:
                raise EngineFault(f"this machine refused: {error}") from error
            server.suspect |= doubted
            with self._lock:
                self._busy.add(server)
            why: str | None = "it was interrupted"
            try:
                why = self._wrong(server, key, budget)
            finally:
                if why is not None:
                    with self._lock:
                        self._busy.discard(server)
                    server.close()
            if why is None:
                return server
            self._note("known program", why)
            if doubted:
                break
        raise EngineFault(f"the engine's servers do not grade as they have to: {why}")

    def _wrong(self, server: Server, key: _Key, budget: Budget) -> str | None:
        """Return why a server may no longer be used; None if it may."""
        if not server.suspect and server.answered < server.proved + _PROVED_EVERY:
            return None
        try:
            why = self._prove(server, key.libraries, budget)
        except EngineFault as error:
            if self._closed:
                raise
            return str(error)
        server.suspect, server.proved = False, server.answered
        return why

    def _note(self, reason: str, why: str) -> None:
        """Count and log a server that is replaced."""
        with self._lock:
            self.replaced[reason] += 1
        log.warning("a server of the warm engine is replaced (%s): %s", reason, why)

    def _taken(self, key: _Key, tests: bytes) -> Server | None:
        """Take an idle server of this kind out of the pool; None if there is none."""
        with self._lock:
            if self._closed:
                raise EngineFault("the engine is closed")
            if self._process != os.getpid():
                # A forked child has the sockets of its parent's servers, not the servers.
                self._process = os.getpid()
                self._idle, self._busy, self._foreseen = [], set(), set()
            while True:
                places = [n for n, (each, _) in enumerate(self._idle) if each == key]
                if not places:
                    return None
                # A server that has the tests need not compile them, which saves a third of the
                # time; else take the last one used, whose memory is in the caches.
                known = [n for n in places if tests in self._idle[n][1].tests]
                _, server = self._idle.pop((known or places)[-1])
                # One that was killed while idle costs no attempt.
                if server.alive:
                    return server
                server.close()
