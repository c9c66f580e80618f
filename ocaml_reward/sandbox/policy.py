"""What a jail must enforce, as values: no I/O here."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, kw_only=True, slots=True)
class Mount:
    """A host folder seen inside the jail at `target`, read-only unless `writable`; or a device,
    such as /dev/null.
    """

    source: Path
    target: str
    writable: bool = False
    device: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What one jailed process may use.  Seconds and bytes; 0 files means none may be written.

    `output_bytes` bounds stdout and stderr each, `result_bytes` what comes back on
    descriptor 3, `disk_bytes` and `disk_files` all that a run leaves in its writable
    mounts.  Backends whose limits count megabytes round up.  None is no limit of ours:
    what the caller's own process may use.
    """

    wall_s: float | None
    cpu_s: int | None
    memory_bytes: int | None
    stack_bytes: int
    file_bytes: int
    open_files: int
    processes: int | None
    output_bytes: int
    result_bytes: int = 16_000_000
    disk_bytes: int = 256_000_000
    disk_files: int = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class JailPolicy:
    """One kind of jail.

    `rootfs` is the cached, read-only root; `seccomp` names a policy shipped with the
    package ("compile", "gxx", "run", "session" or "shell").  Only the environment given here is
    visible inside.
    /tmp is a tmpfs of `tmp_bytes`, or read-only like the rest of the root when that is 0.
    With `fixed_addresses` a program lies at the same addresses in each run, where the
    kernel allows that: what it does then does not depend on them.
    """

    rootfs: Path
    seccomp: str
    limits: Limits
    mounts: tuple[Mount, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    cwd: str = "/"
    tmp_bytes: int = 0
    fixed_addresses: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class JailRun:
    """How a jailed process ended, from the host's own records.

    `exit_code` is the program's (None when a signal ended it, then `signal` is set).
    `result` is what came back on descriptor 3.  `wall_exceeded` and `output_exceeded`
    say that the host ended it.  `log` is the jail's own log, never the program's.
    `cpu_s` and `max_rss_bytes` may include the jail's own start, some milliseconds.
    """

    exit_code: int | None
    signal: int | None
    stdout: bytes
    stderr: bytes
    result: bytes
    wall_exceeded: bool
    output_exceeded: bool
    wall_s: float
    cpu_s: float
    max_rss_bytes: int
    log: str


class Session(Protocol):
    """A program that stays in its jail.  Usable from several threads; `socket` by one at a
    time.

    In the jail 0 is empty, 1 and 2 are one pipe, and 3 is the other end of `socket`.
    That pipe does not block: what it has no room for is refused to the writer.  An end
    shows as the end of `socket`, and `describe_end` may tell why.  A forked child has none of its
    parent's sessions: there they are not alive, and closing one ends nothing.
    """

    pid: int
    socket: socket.socket

    def alive(self) -> bool:
        """Tell whether it still runs."""
        ...

    def describe_end(self) -> str:
        """Return how it ended, if it did, and the end of what it printed, on one line."""
        ...

    def close(self) -> None:
        """End all that runs in the jail.  A `recv` in another thread returns at once."""
        ...


class Jail(Protocol):
    """Runs one command under a policy.  Usable from several threads at once.

    Descriptors inside: 0 reads `stdin`, 1 and 2 are captured up to the output limit,
    3 is a socket that first yields `request` and then carries `result` back; nothing else
    is open.  Raises JailFault when the jail itself cannot be set up.
    """

    @property
    def name(self) -> str:
        """Return "nsjail", "bubblewrap", "rlimits" or "none"."""
        ...

    def run(
        self,
        policy: JailPolicy,
        command: Sequence[str],
        *,
        stdin: bytes = b"",
        request: bytes = b"",
    ) -> JailRun:
        """Run a command to its end.

        Args:
            policy: What it may see and use.
            command: The words of the command; the first is an absolute path inside the jail.
            stdin: What it reads on descriptor 0.
            request: What it reads on descriptor 3, before it writes its result there.

        Returns:
            How it ended and what it wrote, from the host's own records.

        Raises:
            JailFault: The jail could not be set up.
        """
        ...

    def open(self, policy: JailPolicy, command: Sequence[str]) -> Session:
        """Start a command that runs until its session is closed or this process ends.

        Nobody watches its clock or its disk.

        Args:
            policy: What it may see and use, without a wall limit and a writable mount.
            command: The words of the command; the first is an absolute path inside the jail.

        Returns:
            The session, whose socket is the other end of descriptor 3 inside.

        Raises:
            JailFault: The jail could not be set up.
            ValueError: The policy has a wall limit or a writable mount.
        """
        ...
