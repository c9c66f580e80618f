"""Whether grading works, found out by grading known programs; an engine that fails is started
anew.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from .. import MachineError
from ..engine import Engine
from ..engine.engines import self_test
from .logs import log

_AGAIN_S: Final = 1.0


class Readiness:
    """Grades known programs whenever it was last done more than `every_s` seconds ago.

    It has a thread of its own, as a full queue is no sign of an engine that fails.
    """

    def __init__(self, engine: Engine, *, every_s: float) -> None:
        """Know nothing yet."""
        self._engine = engine
        self._every_s = every_s
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="canary")
        self._lock = asyncio.Lock()
        self._until = 0.0
        self._why: str | None = "nothing was graded yet"

    async def why_not(self) -> str | None:
        """Return why this server is not to be used, None where it is."""
        async with self._lock:
            if time.monotonic() >= self._until:
                loop = asyncio.get_running_loop()
                self._why = await loop.run_in_executor(self._pool, self._graded)
                held_s = self._every_s if self._why is None else _AGAIN_S
                self._until = time.monotonic() + held_s
            return self._why

    def close(self) -> None:
        """Stop asking."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _graded(self) -> str | None:
        """Grade the known programs, and once more on servers that are new where that fails."""
        why = _tried(self._engine)
        restart = getattr(self._engine, "restart", None)
        if why is not None and restart is not None:
            log("restarting", why=why)
            restart()
            why = _tried(self._engine)
        return why


def _tried(engine: Engine) -> str | None:
    """Return why the engine does not grade; None if it does."""
    try:
        return self_test.failure(engine.prepare(self_test.KNOWN), engine.check)
    except MachineError as error:
        return str(error)
