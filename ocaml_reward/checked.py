"""Code that an engine has checked is not checked again."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Final, TypeVar

from .engine import CheckRequest, Engine
from .errors import JudgeFault, MachineError, RemoteFault, WorkerLost
from .model import CheckReport, Problem
from .once import Once

Value = TypeVar("Value")


ATTEMPTS: Final = 3
"""A process that is killed costs one, and so may the next, where the machine is short of memory."""


def retried(attempt: Callable[[], Value]) -> Value:
    """Try again where the machine failed; raise what the last attempt did."""
    for _ in range(ATTEMPTS - 1):
        try:
            return attempt()
        except (RemoteFault, WorkerLost, JudgeFault):
            # Every server was tried already, until the deadline, or three processes; and a
            # judge says the same of the same.
            raise
        except MachineError:
            continue
    return attempt()


_KEPT = 4096


class Slow(Exception):
    """A glance was not enough."""


class Checked:
    """What an engine reports of each distinct code for a problem, asked for once, also when
    several threads want it at the same time.  The newest are kept.
    """

    def __init__(self, engine: Engine) -> None:
        """Know nothing yet."""
        self._engine = engine
        self._reports: Once[CheckReport] = Once(_KEPT)

    def get(self, problem: Problem, request: CheckRequest) -> CheckReport:
        """Return the report on code for a problem.

        Args:
            problem: The problem whose tests the request has.
            request: The code; a machine that fails on it is tried twice.

        Returns:
            The report; on a program that is judged on its output, without its text.

        Raises:
            Slow: The request is hasty, and a check takes longer than most.
            MachineError: The machine failed twice.
        """
        # By its digest: the code may be megabytes long, and thousands are kept.
        digest = sha256(request.code.encode("utf-8", "replace")).digest()
        return self._reports.get(
            (problem, digest, request.given),
            lambda: retried(lambda: self._asked(request)),
        )

    def _asked(self, request: CheckRequest) -> CheckReport:
        report = self._engine.check(request)
        if report.cut and request.hasty:
            raise Slow
        return report
