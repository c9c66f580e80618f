"""Handles signals that stop a command, and standard output that can no longer be written."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from types import FrameType

# Signals that arrived during an uninterrupted step; None outside one.
_deferred: list[int] | None = None


class Stopped(KeyboardInterrupt):
    """A signal asked to stop. It is a KeyboardInterrupt, so that no one catches it as an error."""

    def __init__(self, number: int) -> None:
        """Set the number of the signal."""
        super().__init__(number)
        self.number = number


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise Stopped at the first signal that asks to stop; ignore those that follow.

    A second Ctrl-C while workers are being stopped would leave processes behind.
    """
    if current_thread() is not main_thread():
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def stop(number: int, _: FrameType | None) -> None:
        if _deferred is not None:
            _deferred.append(number)
            return
        for each in numbers:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    # nohup starts us with SIGHUP ignored, which must not change.
    before = {
        number: signal.getsignal(number)
        for number in numbers
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def uninterrupted(step: Callable[[], None]) -> None:
    """Run a short step that never blocks; signals are handled after it."""
    global _deferred  # noqa: PLW0603 - signals concern the whole process, too
    signals: list[int] = []
    _deferred = signals
    try:
        step()
    finally:
        _deferred = None
    if signals:
        os.kill(os.getpid(), signals[0])


def abandon_output() -> None:
    """Redirect standard output to /dev/null, after a write to it failed.

    Otherwise flushing its buffer would fail again when the interpreter exits.
    """
    # The stream of a test has no file descriptor.
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
