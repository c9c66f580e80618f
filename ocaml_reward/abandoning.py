"""Ends work that nobody waits for any more, in whatever thread it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from threading import Lock
from typing import Final, TypeVar

from .errors import Abandoned, MachineError

Value = TypeVar("Value")


class Abandonable:
    """Work that another thread may abandon: what it waits for is ended, and it raises Abandoned."""

    def __init__(self) -> None:
        """Nothing runs yet."""
        self._lock = Lock()
        self._ends: list[Callable[[], None]] = []
        self.abandoned = False

    def run(self, call: Callable[[], Value]) -> Value:
        """Return the call's result; raise Abandoned if this was abandoned before."""
        before = _current.set(self)
        try:
            return call()
        finally:
            _current.reset(before)

    def abandon(self) -> None:
        """End it soon, or before it begins."""
        with self._lock:
            self.abandoned = True
            # What is ended is still this work's: whoever uses it next waits for the lock.
            for end in self._ends:
                end()

    @contextmanager
    def ending_by(self, end: Callable[[], None]) -> Iterator[None]:
        """Call `end` if this is abandoned inside."""
        with self._lock:
            if self.abandoned:
                raise Abandoned("nobody waits for it")
            self._ends.append(end)
        try:
            yield
        except MachineError:
            if not self.abandoned:
                raise
        finally:
            with self._lock:
                self._ends.remove(end)
        if self.abandoned:
            # Whatever came of it, it was disturbed.
            raise Abandoned("nobody waits for it")


_current: ContextVar[Abandonable] = ContextVar("work")
_NEVER: Final = nullcontext()


def is_abandoned() -> bool:
    """Tell whether the current work was abandoned."""
    work = _current.get(None)
    return work is not None and work.abandoned


def ending_by(end: Callable[[], None]) -> AbstractContextManager[None]:
    """Call `end`, from another thread, if the current work is abandoned inside.

    Raises Abandoned if it was, before or inside.
    """
    work = _current.get(None)
    return _NEVER if work is None else work.ending_by(end)
