"""
One more attempt where the machine failed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..errors import MachineError, RemoteFault, WorkerLost

__all__ = ["retried"]

Value = TypeVar("Value")


def retried(attempt: Callable[[], Value]) -> Value:
    """
    Try a second time where the machine failed once.
    """
    try:
        return attempt()
    except (RemoteFault, WorkerLost):
        # Every server was tried already, until the deadline, or three processes.
        raise
    except MachineError:
        return attempt()
