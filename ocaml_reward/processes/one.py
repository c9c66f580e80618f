"""One child as its parent sees it: its process, and what it has to do."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ..errors import MachineError
from .messages import Setup, send

Pair = tuple[Hashable, Any]

_CLOSE_S = 10.0

_RUN = "import sys; sys.path[:] = {path!r};\
 from ocaml_reward.processes.child import main; main({fd})"


@dataclass(slots=True, eq=False)
class Work:
    """One completion on its way, how many children died with it, and what came of it.

    Of its pair the first is what many have in common, a problem, and travels once.
    """

    pair: Pair
    deaths: int = 0
    found: Any = None


@dataclass(slots=True, eq=False)
class Child:
    """A process, and what it has to do; `alone` where that is one completion, which may have
    been the death of another.
    """

    process: subprocess.Popen[bytes]
    socket: socket.socket
    keys: dict[Hashable, int] = field(default_factory=dict)
    waiting: dict[int, Work] = field(default_factory=dict)
    problems: list[tuple[int, Hashable]] = field(default_factory=list)
    completions: list[tuple[int, int, Any]] = field(default_factory=list)
    data: bytearray = field(default_factory=bytearray)
    ready: bool = False
    alone: bool = False
    done: int = 0

    def add(self, number: int, work: Work) -> None:
        """Take work; `flush` sends it."""
        problem, completion = work.pair
        key = self.keys.get(problem)
        if key is None:
            key = self.keys[problem] = len(self.keys)
            self.problems.append((key, problem))
        self.waiting[number] = work
        self.completions.append((number, key, completion))

    def flush(self) -> None:
        """Send what was added."""
        if self.completions:
            # One that has died is met where it is read from.
            with suppress(OSError):
                send(self.socket, (self.problems, self.completions))
            self.problems, self.completions = [], []

    def end(self) -> None:
        """Wait for it, once its socket is closed, and kill it if it does not go."""
        try:
            self.process.wait(_CLOSE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def started(setup: Setup) -> Child:
    """Start one; raises MachineError."""
    ours, theirs = socket.socketpair()
    command = _RUN.format(path=sys.path, fd=theirs.fileno())
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", command],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            # Ctrl-C is for the parent, which ends its children.
            start_new_session=True,
        )
    except OSError as error:
        ours.close()
        raise MachineError(f"no process to grade in: {error}") from error
    finally:
        theirs.close()
    with suppress(OSError):
        send(ours, setup)
    return Child(process, ours)
