"""Children that threads ask, each thread for one answer at a time."""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock, Thread
from typing import Any

from ..errors import MachineError
from .one import Pair, Work
from .pool import Children


class Asked:
    """Hands what threads ask to children, from a thread of its own, and their answers back."""

    def __init__(self, children: Children) -> None:
        """Begin; the children are closed with it."""
        self._children = children
        self._lock = Lock()
        self._asked: deque[tuple[Pair, Future[Any]]] = deque()
        self._pending: dict[Future[Any], Work] = {}
        self._closed = False
        self._bell, rung = socket.socketpair()
        self._bell.settimeout(0)
        children.wake_by(rung)
        self._rung = rung
        self._thread = Thread(target=self._run, name="children", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> int:
        """How many children there are."""
        return self._children.alive

    @property
    def lost(self) -> int:
        """How many have died so far."""
        return self._children.lost

    @property
    def replaced(self) -> Mapping[str, int]:
        """What was replaced in them, as `Children` counts it."""
        return self._children.replaced

    def ask(self, pair: Pair) -> Any:
        """Return what a child makes of a pair; raises what it raises there, and MachineError
        where no child can start.
        """
        future: Future[Any] = Future()
        with self._lock:
            if self._closed:
                raise MachineError("the engine was closed")
            self._asked.append((pair, future))
        self._ring()
        return future.result()

    def restart(self) -> None:
        """Replace every child; what they have is asked again."""
        self._children.restart()

    def close(self) -> None:
        """End every child; what waits for an answer fails."""
        with self._lock:
            self._closed = True
        self._ring()
        self._thread.join()

    def _ring(self) -> None:
        # A bell that is full will be heard.
        with suppress(OSError):
            self._bell.send(b".")

    def _run(self) -> None:
        try:
            while self._taken_in():
                try:
                    self._children.wait()
                except MachineError as error:
                    # Whoever asks next finds out whether it is still so.
                    self._children.close()
                    self._fail(error)
                self._settle()
        finally:
            self._children.close()
            with self._lock:
                self._closed = True
            self._taken_in()
            self._fail(MachineError("the engine was closed"))
            self._bell.close()
            self._rung.close()

    def _taken_in(self) -> bool:
        """Take in what was asked, and tell whether to go on."""
        with self._lock:
            while self._asked:
                pair, future = self._asked.popleft()
                self._pending[future] = self._children.add(pair)
            return not self._closed

    def _settle(self) -> None:
        for future, work in list(self._pending.items()):
            if isinstance(work.found, Exception):
                future.set_exception(work.found)
            elif work.found is not None:
                future.set_result(work.found)
            else:
                continue
            del self._pending[future]

    def _fail(self, error: MachineError) -> None:
        for future in self._pending:
            future.set_exception(error)
        self._pending.clear()
