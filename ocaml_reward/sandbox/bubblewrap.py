"""bubblewrap: the fallback backend, with the same guarantees."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Sequence
from pathlib import Path

from ..errors import JailFault, SandboxUnavailable
from .channels import LOG_DESCRIPTOR
from .launched import Launched
from .launcher import describe_silent_end, final_options, launch, launcher_record
from .policy import JailPolicy, JailRun
from .process import ProcessResult
from .rootfs import INIT


def find_bubblewrap() -> Path:
    """Return bwrap's path.  Raises SandboxUnavailable when it is not installed."""
    if found := shutil.which("bwrap"):
        return Path(found)
    raise SandboxUnavailable("bubblewrap is not installed: apt install bubblewrap")


def argv(policy: JailPolicy, command: Sequence[str], *, binary: Path) -> list[str]:
    """Return the command line that runs `command` under `policy`.

    bwrap makes the namespaces and mounts; our launcher, process 1 inside, then sets the
    limits and the seccomp filter, closes what bwrap let through, and reports the end.
    """
    line = [str(binary), "--unshare-user", "--unshare-pid", "--unshare-net"]
    line += ["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    line += ["--uid", "65534", "--gid", "65534", "--hostname", "jail"]
    line += ["--cap-drop", "ALL", "--die-with-parent", "--new-session", "--as-pid-1"]
    line += ["--ro-bind", str(policy.rootfs), "/"]
    for mount in policy.mounts:
        # Any other mount of bwrap's takes a device for none.
        option = "--dev-bind" if mount.device else "--bind" if mount.writable else "--ro-bind"
        line += [option, str(mount.source), mount.target]
    if policy.tmp_bytes:
        line += ["--perms", "1777", "--size", str(policy.tmp_bytes), "--tmpfs", "/tmp"]  # noqa: S108
    line += ["--chdir", policy.cwd, "--clearenv"]
    inner = [INIT, "-l", str(LOG_DESCRIPTOR), "-w", "program"]
    inner += final_options(policy.limits, policy.seccomp, policy.environment)
    return [*line, *inner, "--", *command]


class Bubblewrap(Launched):
    """Runs each command in a fresh bubblewrap."""

    name = "bubblewrap"

    def __init__(self, binary: Path | None = None) -> None:
        """Use `binary`, else the one on PATH."""
        self._binary = binary or find_bubblewrap()

    def _line(self, policy: JailPolicy, command: Sequence[str]) -> list[str]:
        """Return the command line that starts a command in the jail."""
        # `bwrap --uid` alone leaves a root caller's jail with root's rights on files.
        line = launch("bubblewrap", drop=True, fixed=policy.fixed_addresses)
        return [*line, "--", *argv(policy, command, binary=self._binary)]

    def _judged(self, ended: ProcessResult) -> JailRun:
        """Read from our own launchers' records how the program ended."""
        jail = launcher_record(ended.log, "bubblewrap")
        found = launcher_record(ended.log, "program")
        by_host = ended.wall_exceeded or ended.output_exceeded
        if found is None and not by_host:
            # What bwrap says it says where the program would.
            if words := ended.stderr.decode(errors="replace").strip().splitlines():
                raise JailFault(f"bubblewrap failed: {words[-1]}")
            raise JailFault(describe_silent_end(ended.log, "bubblewrap", self._binary))
        used = found or jail
        return ended.run(
            exit_code=found.exit_code if found else None,
            signal=found.signal if found else signal.SIGKILL,
            cpu_s=used.cpu_s if used else 0.0,
            max_rss_bytes=used.max_rss_bytes if used else 0,
        )
