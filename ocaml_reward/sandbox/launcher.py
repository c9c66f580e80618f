"""The command line of launch.c, with which every jail starts, and the users involved."""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import JailFault
from .channels import LOG_DESCRIPTOR
from .native import launcher
from .policy import Limits
from .seccomp import bpf

NOBODY = 65534
"""The user and group that jailed code sees itself as, and is on the host of a root caller."""


def outside_ids() -> tuple[int, int]:
    """Return the host user and group that jailed code runs as.

    A root caller gives it nobody's; anybody else can only give his own.
    """
    if os.geteuid() == 0:
        return NOBODY, NOBODY
    return os.geteuid(), os.getegid()


def launch(
    name: str, options: Sequence[str] = (), *, drop: bool = False, fixed: bool = False
) -> list[str]:
    """Return the words that start a host command which dies with this thread.

    `name` is how the log calls it.  With `drop`, a root caller's command runs as nobody
    from its first instruction; with `fixed`, it lies at the same addresses each time.
    """
    line = [str(launcher()), "-p", str(os.getpid()), "-l", str(LOG_DESCRIPTOR)]
    line += ["-w", name]
    if drop and os.geteuid() == 0:
        line += ["-u", str(NOBODY), "-g", str(NOBODY)]
    if fixed:
        line.append("-a")
    return [*line, *options]


@dataclass(frozen=True, kw_only=True, slots=True)
class LauncherRecord:
    """How a command ended by its launcher's record.  Exactly one of the first two is set."""

    exit_code: int | None
    signal: int | None
    cpu_s: float
    max_rss_bytes: int


def launcher_record(log: str, name: str) -> LauncherRecord | None:
    """Read how the command `name` ended, None when there is no record.

    Raises JailFault when the launcher could not start it.
    """
    for line in log.splitlines():
        if line.startswith("fault: "):
            raise JailFault(f"{name} failed: {line.removeprefix('fault: ')}")
    found = re.search(
        rf"^{name} ended: (exit|signal) (\d+) cpu_us (\d+) rss_kb (\d+)$",
        log,
        re.MULTILINE,
    )
    if found is None:
        return None
    how, value, cpu, rss = found.groups()
    return LauncherRecord(
        exit_code=int(value) if how == "exit" else None,
        signal=int(value) if how == "signal" else None,
        cpu_s=int(cpu) / 1e6,
        max_rss_bytes=int(rss) * 1024,
    )


def describe_silent_end(log: str, name: str, binary: Path) -> str:
    """Describe how a jail ended that left no message, from its launcher's log."""
    found = launcher_record(log, name)
    if found is None:
        return f"{name} ({binary}) left no record of its end"
    if found.signal is not None:
        return f"{name} ({binary}) was killed by signal {found.signal} and left no message"
    return f"{name} ({binary}) exited with {found.exit_code} and no message"


def final_options(
    limits: Limits, seccomp: str, environment: Iterable[tuple[str, str]]
) -> list[str]:
    """Return the launcher's options that put limits and filter on the final program."""
    values = (
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_CPU, limits.cpu_s),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_STACK, limits.stack_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_RTPRIO, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    )
    options = ["-f", "-e"]
    for number, value in values:
        if value is None:
            continue
        options += ["-r", f"{number}={value}"]
    for variable, text in environment:
        options += ["-E", f"{variable}={text}"]
    if (code := bpf(seccomp)) is not None:
        options += ["-s", code.hex()]
    return options
