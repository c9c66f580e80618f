"""
Whether grading works, found out by grading: a right program passes and a wrong one does not.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from ocaml_reward import MachineError, Problem
from ocaml_reward.engine import CheckRequest, Engine
from ocaml_reward.model import Outcome

__all__ = ["Readiness"]

_PROBLEM: Final = Problem(
    id="canary",
    tests="let () = assert (half 8 = 4)\nlet () = assert (half (-6) = -3)",
)
_CANARIES: Final = {
    "let half x = x / 2": [Outcome.PASSED, Outcome.PASSED],
    "let half x = if x > 0 then x / 2 else 0": [Outcome.PASSED, Outcome.FAILED],
}
_AGAIN_S: Final = 1.0


class Readiness:
    """
    Grades two known programs whenever it was last done more than `every_s` seconds ago.

    It has a thread of its own, as a full queue is no sign of an engine that fails.
    """

    def __init__(self, engine: Engine, *, every_s: float) -> None:
        """
        Know nothing yet.
        """
        self._engine = engine
        self._every_s = every_s
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="canary")
        self._lock = asyncio.Lock()
        self._until = 0.0
        self._why: str | None = "nothing was graded yet"

    async def why_not(self) -> str | None:
        """
        Return why this server is not to be used, None where it is.
        """
        async with self._lock:
            if time.monotonic() >= self._until:
                loop = asyncio.get_running_loop()
                self._why = await loop.run_in_executor(
                    self._pool, lambda: _tried(self._graded)
                )
                held_s = self._every_s if self._why is None else _AGAIN_S
                self._until = time.monotonic() + held_s
            return self._why

    def close(self) -> None:
        """
        Stop asking.
        """
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _graded(self) -> str | None:
        tests = self._engine.prepare(_PROBLEM)
        for code, expected in _CANARIES.items():
            report = self._engine.check(CheckRequest(code=code, tests=tests))
            if [each.outcome for each in report.results] != expected:
                return "a known program was not graded as it has to be"
        return None


def _tried(attempt: Callable[[], str | None]) -> str | None:
    try:
        return attempt()
    except MachineError as error:
        return str(error)
