"""Asks the probe questions in one jail; what the conformance suite is written in."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass, replace

from .policy import Jail, JailPolicy, JailRun, Limits, Mount, Session
from .preflight import PROBE, PROBE_LIMITS, facts, probe_root

CheckOutcome = tuple[bool, str]
"""Whether a promise held, and the evidence."""


@dataclass(frozen=True, slots=True)
class JailProbe:
    """Asks the probe in one jail."""

    jail: Jail

    def ask(
        self,
        *question: str,
        seccomp: str = "unfiltered",
        limits: Limits = PROBE_LIMITS,
        mounts: tuple[Mount, ...] = (),
        environment: tuple[tuple[str, str], ...] = (),
    ) -> JailRun:
        """Run the probe with one question."""
        policy = JailPolicy(
            rootfs=probe_root(),
            seccomp=seccomp,
            limits=limits,
            mounts=mounts,
            environment=environment,
        )
        return self.jail.run(policy, [PROBE, *question])

    def hold(self, *question: str) -> Session:
        """Start the probe with one question in a session."""
        limits = replace(PROBE_LIMITS, wall_s=None)
        policy = JailPolicy(rootfs=probe_root(), seccomp="session", limits=limits)
        return self.jail.open(policy, [PROBE, *question])

    def error(self, *question: str, mounts: tuple[Mount, ...] = ()) -> int:
        """Return the error that the probe's last call met, 0 if it succeeded."""
        answers = [*facts(self.ask(*question, mounts=mounts)).values()]
        # After an exec that succeeded nobody is left to answer.
        return answers[-1] if answers else 0


def describe_errno(code: int) -> str:
    """Describe the result of a system call by its error number; 0 is success."""
    if not code:
        return "it succeeded"
    return f"{os.strerror(code)} ({errno.errorcode.get(code, code)})"


def describe_errors(doing: str, errors: Mapping[str, int]) -> str:
    """Describe the results of one call on several paths, equal ones together."""
    alike: dict[int, list[str]] = {}
    for path, code in errors.items():
        alike.setdefault(code, []).append(path)
    return "; ".join(
        f"{doing} {', '.join(paths)}: {describe_errno(code)}" for code, paths in alike.items()
    )


def describe_end(run: JailRun) -> str:
    """Describe how a run ended."""
    if run.wall_exceeded:
        return f"killed by the host after {run.wall_s:.1f} s"
    if run.output_exceeded:
        return "killed by the host for its output"
    if run.signal is not None:
        return f"ended by {signal.Signals(run.signal).name}"
    return f"exited with {run.exit_code}"
