"""
The server that benchmarks ask: a process of its own, with the real engine.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, cast


@dataclass(frozen=True, kw_only=True, slots=True)
class Serving:
    """
    A server that listens.
    """

    url: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        """
        Where it listens.
        """
        return int(self.url.rpartition(":")[2])

    @property
    def pid(self) -> int:
        """
        The process of the server itself.
        """
        return self.process.pid

    def end(self) -> int:
        """
        Ask it to end, wait until it has, and return its exit status.
        """
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


@contextmanager
def serving(*arguments: str) -> Iterator[Serving]:
    """
    Run a server, and yield it once it listens; it is ended if it was not before.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", "serve", "--port", "0", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    said = cast("IO[str]", process.stderr)
    server = Serving(url=said.readline().split()[-1], process=process)
    # Nobody reads the rest in time, and a full pipe would stop the server.
    threading.Thread(target=said.read, daemon=True).start()
    try:
        yield server
    finally:
        if process.poll() is None:
            server.end()
