"""Calls from several threads to child processes; each call waits for its own result."""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Lock, Thread
from typing import Any

from ..abandoning import ending_by
from ..errors import Abandoned, MachineError
from .child_handle import Pair, Work
from .pool import Children


class ChildCalls:
    """Forwards calls from any thread to the children, and their results back, in its own thread."""

    def __init__(self, children: Children) -> None:
        """Start the forwarding thread; the children are closed with this object."""
        self._children = children
        self._lock = Lock()
        self._calls: deque[tuple[Pair, Future[Any]]] = deque()
        self._abandoned: deque[Future[Any]] = deque()
        self._pending: dict[Future[Any], Work] = {}
        self._closed = False
        self._wake_sender, wake_receiver = socket.socketpair()
        self._wake_sender.settimeout(0)
        children.wake_by(wake_receiver)
        self._wake_receiver = wake_receiver
        self._thread = Thread(target=self._run, name="children", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> int:
        """The number of children."""
        return self._children.alive

    @property
    def lost(self) -> int:
        """The number of children that have died."""
        return self._children.lost

    @property
    def replaced(self) -> Mapping[str, int]:
        """How many processes were replaced, by the reason, as `Children` counts them."""
        return self._children.replaced

    def call(self, pair: Pair) -> Any:
        """Return a child's result for a pair, or raise its exception.

        Raises MachineError if no child can start.
        """
        future: Future[Any] = Future()
        with self._lock:
            if self._closed:
                raise MachineError("the engine was closed")
            self._calls.append((pair, future))
        self._wake()
        with ending_by(partial(self._abandon, future)):
            return future.result()

    def _abandon(self, future: Future[Any]) -> None:
        """End a call, whose result nobody waits for."""
        self._abandoned.append(future)
        self._wake()

    def restart(self) -> None:
        """Replace every child; their pending calls are sent again."""
        self._children.restart()

    def close(self) -> None:
        """End every child; pending calls fail."""
        with self._lock:
            self._closed = True
        self._wake()
        self._thread.join()

    def _wake(self) -> None:
        # If the buffer is full, the thread is about to wake up anyway.
        with suppress(OSError):
            self._wake_sender.send(b".")

    def _run(self) -> None:
        """Hand calls to the children and settle them, until this is closed."""
        try:
            while self._accept_calls():
                try:
                    self._children.wait()
                except MachineError as error:
                    # The next call finds out whether the machine has recovered.
                    self._children.close()
                    self._fail(error)
                self._settle()
        finally:
            self._children.close()
            with self._lock:
                self._closed = True
            self._accept_calls()
            self._fail(MachineError("the engine was closed"))
            self._wake_sender.close()
            self._wake_receiver.close()

    def _accept_calls(self) -> bool:
        """Pass new calls to the children; return False once closed."""
        with self._lock:
            while self._calls:
                pair, future = self._calls.popleft()
                self._pending[future] = self._children.add(pair)
            while self._abandoned:
                future = self._abandoned.popleft()
                if work := self._pending.pop(future, None):
                    self._children.abandon(work)
                    future.set_exception(Abandoned("nobody waits for it"))
            return not self._closed

    def _settle(self) -> None:
        """Set the results of finished calls."""
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
