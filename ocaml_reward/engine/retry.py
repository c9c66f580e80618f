"""
More attempts where the machine failed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from ..errors import MachineError, RemoteFault, WorkerLost

__all__ = ["retried"]

Value = TypeVar("Value")


ATTEMPTS: Final = 3
"""
A process that is killed costs one, and so may the next, where the machine is short of memory.
"""


def retried(attempt: Callable[[], Value]) -> Value:
    """
    Try again where the machine failed; raise what the last attempt did.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            return attempt()
        except (RemoteFault, WorkerLost):
            # Every server was tried already, until the deadline, or three processes.
            raise
        except MachineError:
            continue
    return attempt()
