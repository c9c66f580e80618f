"""Caches the engine's report of each (problem, code) pair."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from hashlib import sha256
from typing import Final, TypeVar

from .engine import CheckRequest, Engine
from .errors import Abandoned, JudgeFault, MachineError, RemoteFault, WorkerLost
from .model import CheckReport
from .single_flight import SingleFlightCache

Value = TypeVar("Value")


ATTEMPTS: Final = 3
"""Attempts at a request.  On a machine short of memory two in a row may lose their process."""


def retried(attempt: Callable[[], Value]) -> Value:
    """Call `attempt` until the machine does not fail, at most ATTEMPTS times."""
    for _ in range(ATTEMPTS - 1):
        try:
            return attempt()
        except (Abandoned, RemoteFault, WorkerLost, JudgeFault):
            # Another attempt cannot help: every server, or three processes, were tried already,
            # and a judge returns the same verdict for the same output.
            raise
        except MachineError:
            continue
    return attempt()


_KEPT = 4096
# Of longer code the digest is kept.
_LONG = 2000


class Slow(Exception):
    """A quick attempt ran out of its short budget."""


class ReportCache:
    """Keeps the newest reports of an engine; concurrent requests for the same code share one."""

    def __init__(self, engine: Engine) -> None:
        """Start empty."""
        self._engine = engine
        self._reports: SingleFlightCache[CheckReport] = SingleFlightCache(_KEPT)

    def get(self, problem: Hashable, request: CheckRequest) -> CheckReport:
        """Return the report on code for a problem.

        Args:
            problem: Stands for the problem that the request's tests belong to.
            request: The code; it is checked again if the machine fails.

        Returns:
            The report.

        Raises:
            Slow: The request is quick, and a check needs more time than a quick attempt has.
            MachineError: The machine failed at every attempt.
        """
        # Code may be megabytes long, and thousands are kept.
        code: str | bytes = request.code
        if len(request.code) > _LONG:
            code = sha256(request.code.encode("utf-8", "replace")).digest()
        return self._reports.get(
            (problem, code, request.continues),
            partial(retried, partial(self._check, request)),
        )

    def _check(self, request: CheckRequest) -> CheckReport:
        """Return the engine's report; raise Slow if a quick attempt was too short."""
        report = self._engine.check(request)
        if report.cut and request.quick:
            raise Slow
        return report
