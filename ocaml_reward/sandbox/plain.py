"""
Backends without namespaces, by explicit name only: `rlimits`, and `none`.

Neither protects the host from code that means harm.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import JailFault
from .launcher import final_options, launch
from .mounts import overfull
from .policy import JailPolicy, JailRun
from .process import Ended, execute

__all__ = ["Plain", "argv", "to_host"]


def to_host(policy: JailPolicy, word: str) -> str:
    """
    Translate a path inside the jail to the host's; any other word stays as it is.
    """
    if not word.startswith("/"):
        return word
    for mount in sorted(policy.mounts, key=lambda m: len(m.target), reverse=True):
        if word == mount.target or word.startswith(mount.target.rstrip("/") + "/"):
            return str(mount.source) + word[len(mount.target.rstrip("/")) :]
    inside = policy.rootfs / word.lstrip("/")
    return str(inside) if inside.exists() else word


def argv(policy: JailPolicy, command: Sequence[str], *, locked: bool) -> list[str]:
    """
    Return the launcher's options and the command, with the host's paths.

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


class Plain:
    """
    Runs each command on the bare host: `rlimits` with our limits and filter, `none` not.
    """

    def __init__(self, name: str) -> None:
        """
        Be the backend "rlimits" or "none".
        """
        self.name = name

    def run(
        self,
        policy: JailPolicy,
        command: Sequence[str],
        *,
        stdin: bytes = b"",
        request: bytes = b"",
    ) -> JailRun:
        """
        Run `command` to its end.  Raises JailFault when it could not be started.
        """
        locked = self.name == "rlimits"
        # The mount that a jail would have made: a path alone cannot say "read-only".
        policy = replace(policy, rootfs=Path(os.path.realpath(policy.rootfs)))
        options = argv(policy, command, locked=locked)
        line = launch(drop=locked)[:-1] + options
        try:
            ended = execute(
                line,
                limits=policy.limits,
                environment={},
                stdin=stdin,
                request=request,
                overfull=overfull(policy),
            )
        except OSError as error:
            raise JailFault(f"{options[-1]} could not be started: {error}") from error
        return _judge(ended)


def _judge(ended: Ended) -> JailRun:
    for line in ended.log.splitlines():
        if line.startswith("fault: "):
            raise JailFault(f"the launcher failed: {line.removeprefix('fault: ')}")
    code = os.waitstatus_to_exitcode(ended.status)
    return JailRun(
        exit_code=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        stdout=ended.stdout,
        stderr=ended.stderr,
        result=ended.result,
        wall_exceeded=ended.wall_exceeded,
        output_exceeded=ended.output_exceeded,
        wall_s=ended.wall_s,
        cpu_s=ended.cpu_s,
        max_rss_bytes=ended.max_rss_bytes,
        log=ended.log,
    )
