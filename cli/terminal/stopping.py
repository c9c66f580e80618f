"""Being stopped: Ctrl-C, a polite kill, a terminal or a reader that goes away."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from types import FrameType

# Signals that came during a step that is done as a whole; None outside of one.
_deferred: list[int] | None = None


class Stopped(KeyboardInterrupt):
    """A signal asked to stop.  A KeyboardInterrupt, so that nothing takes it for an error."""

    def __init__(self, number: int) -> None:
        """Remember which signal it was."""
        super().__init__(number)
        self.number = number


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise Stopped at the first signal that asks to stop; ignore those that follow.

    A second Ctrl-C while the workers are being stopped would leave processes behind.
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

    # nohup runs us with SIGHUP ignored, and so it must stay.
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
    """Take a short step that never blocks, which a stop does not leave half done."""
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
    """Let the rest of standard output go nowhere, as it can be written no more.

    What is still in its buffer would fail once more when the interpreter ends.
    """
    # A stream that a test put there has no file to lead elsewhere.
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
