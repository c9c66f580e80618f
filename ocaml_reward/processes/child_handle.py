"""The parent's handle of one child: its process and its pending work."""

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
    """One completion to grade, the number of children that died with it, and its result.

    The first element of `pair` is the problem, which many completions share; it is sent once.
    """

    pair: Pair
    deaths: int = 0
    found: Any = None
    abandoned: bool = False


@dataclass(slots=True, eq=False)
class Child:
    """A process and its pending work.

    It is `alone` while it has a single completion that may have killed another child.
    """

    process: subprocess.Popen[bytes]
    socket: socket.socket
    keys: dict[Hashable, int] = field(default_factory=dict)
    waiting: dict[int, Work] = field(default_factory=dict)
    problems: list[tuple[int, Hashable]] = field(default_factory=list)
    completions: list[tuple[int, int, Any]] = field(default_factory=list)
    abandoned: list[int] = field(default_factory=list)
    data: bytearray = field(default_factory=bytearray)
    ready: bool = False
    alone: bool = False
    done: int = 0

    def add(self, number: int, work: Work) -> None:
        """Accept work; `flush` sends it."""
        problem, completion = work.pair
        key = self.keys.get(problem)
        if key is None:
            key = self.keys[problem] = len(self.keys)
            self.problems.append((key, problem))
        self.waiting[number] = work
        self.completions.append((number, key, completion))

    def flush(self) -> None:
        """Send the added work, and what is abandoned."""
        if self.completions or self.abandoned:
            # A dead child is noticed when its socket is read.
            with suppress(OSError):
                send(self.socket, (self.problems, self.completions, self.abandoned))
            self.problems, self.completions, self.abandoned = [], [], []

    def end(self) -> None:
        """Wait for the process, whose socket is closed; kill it if it does not exit."""
        try:
            self.process.wait(_CLOSE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start_child(setup: Setup) -> Child:
    """Return a new child; raises MachineError."""
    ours, theirs = socket.socketpair()
    command = _RUN.format(path=sys.path, fd=theirs.fileno())
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", command],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            # Ctrl-C goes to the parent, which ends its children.
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
