"""
Code that an engine has checked is not checked again.
"""

from __future__ import annotations

from hashlib import sha256

from .engine import CheckRequest, Engine
from .engine.retry import retried
from .model import CheckReport, Problem
from .once import Once

__all__ = ["Checked", "Slow"]

_KEPT = 4096


class Slow(Exception):
    """
    A glance was not enough.
    """


class Checked:
    """
    What an engine reports of each distinct code for a problem, asked for once, also when
    several threads want it at the same time.  The newest are kept.
    """

    def __init__(self, engine: Engine) -> None:
        """
        Know nothing yet.
        """
        self._engine = engine
        self._reports: Once[CheckReport] = Once(_KEPT)

    def get(self, problem: Problem, request: CheckRequest) -> CheckReport:
        """
        Return the report on code for a problem.

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
            (problem, digest), lambda: retried(lambda: self._asked(request))
        )

    def _asked(self, request: CheckRequest) -> CheckReport:
        report = self._engine.check(request)
        if report.cut and request.hasty:
            raise Slow
        return report
