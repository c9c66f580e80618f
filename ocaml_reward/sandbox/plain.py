"""Backends without namespaces, by explicit name only: `rlimits`, and `none`.

Neither protects the host from code that means harm.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import JailFault
from .launched import Launched
from .launcher import final_options, launch, launcher_record
from .policy import JailPolicy, JailRun
from .process import ProcessResult


def to_host(policy: JailPolicy, word: str) -> str:
    """Translate a path inside the jail to the host's; any other word stays as it is."""
    if not word.startswith("/"):
        return word
    for mount in sorted(policy.mounts, key=lambda m: len(m.target), reverse=True):
        if word == mount.target or word.startswith(mount.target.rstrip("/") + "/"):
            return str(mount.source) + word[len(mount.target.rstrip("/")) :]
    inside = policy.rootfs / word.lstrip("/")
    return str(inside) if inside.exists() else word


def argv(policy: JailPolicy, command: Sequence[str], *, locked: bool) -> list[str]:
    """Return the launcher's options and the command, with the host's paths.

    `locked` adds the limits and the seccomp filter.
    """
    environment = [(name, to_host(policy, v)) for name, v in policy.environment]
    line = ["-d", to_host(policy, policy.cwd)]
    if locked:
        line += final_options(policy.limits, policy.seccomp, environment)
    else:
        line += ["-f", "-e"]
        for name, value in environment:
            line += ["-E", f"{name}={value}"]
    return [*line, "--", *(to_host(policy, word) for word in command)]


class Plain(Launched):
    """Runs each command on the bare host: `rlimits` with our limits and filter, `none` not."""

    def __init__(self, name: str) -> None:
        """Be the backend "rlimits" or "none"."""
        self.name = name

    def _line(self, policy: JailPolicy, command: Sequence[str]) -> list[str]:
        """Return the command line that starts a command under the launcher."""
        locked = self.name == "rlimits"
        policy = replace(policy, rootfs=Path(os.path.realpath(policy.rootfs)))
        options = argv(policy, command, locked=locked)
        start = launch("program", drop=locked, fixed=policy.fixed_addresses)
        return start + options

    def _judged(self, ended: ProcessResult) -> JailRun:
        """Return a run from its process's end and the launcher's record."""
        found = launcher_record(ended.log, "program")
        if found is None and not (ended.wall_exceeded or ended.output_exceeded):
            raise JailFault("the launcher was killed")
        return ended.run(
            exit_code=found.exit_code if found else None,
            signal=found.signal if found else signal.SIGKILL,
            cpu_s=found.cpu_s if found else 0.0,
            max_rss_bytes=found.max_rss_bytes if found else 0,
        )
