"""The conformance suite's second half: what jailed code can use up, and how it ends."""

from __future__ import annotations

import errno
import secrets
import signal
from dataclasses import replace
from pathlib import Path

from .jail_probe import CheckOutcome, JailProbe, describe_end, describe_errno
from .policy import Mount
from .preflight import PROBE_LIMITS, facts
from .workdir import workdir


def check_cpu(probe: JailProbe) -> CheckOutcome:
    """Check that the CPU limit kills what ignores every signal."""
    # It ignores every signal it can: only the hard limit ends it.
    run = probe.ask("spin", limits=replace(PROBE_LIMITS, wall_s=10.0))
    held = run.signal == signal.SIGKILL and not run.wall_exceeded
    return held, f"{describe_end(run)} after {run.cpu_s:.1f} s of CPU, limit 1 s"


def check_wall(probe: JailProbe) -> CheckOutcome:
    """Check that the host kills a sleeper and leaves no process behind."""
    token = secrets.token_hex(8)
    run = probe.ask("sleep", token, limits=replace(PROBE_LIMITS, wall_s=0.5))
    left = _running(token)
    held = run.wall_exceeded and run.result == b"asleep 1\n" and not left
    return held, f"sleeper {describe_end(run)}, {left} processes left"


def check_session(probe: JailProbe) -> CheckOutcome:
    """Check that a session answers, and that closing it leaves no process behind."""
    token = secrets.token_hex(8)
    session = probe.hold("sleep", token)
    try:
        session.socket.settimeout(5.0)
        answered = session.socket.recv(100) == b"asleep 1\n"
        ran = _running(token)
    finally:
        session.close()
    left = _running(token)
    held = answered and ran > 0 and not left
    told = "answered" if answered else f"said {session.describe_end() or 'nothing'}"
    return held, f"{told}, {left} processes left after its close"


def _running(token: str) -> int:
    """Count the processes of this machine with a word in their command line."""
    found = Path("/proc").glob("[0-9]*/cmdline")
    return sum(token.encode() in _read(cmdline) for cmdline in found)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def check_memory(probe: JailProbe) -> CheckOutcome:
    """Check that memory beyond the limit is refused."""
    run = probe.ask("memory", "512")
    got = facts(run).get("allocated", 0)
    return got < 128, f"{got} MB of a limit of 128 MB, {describe_end(run)}"


def check_output(probe: JailProbe) -> CheckOutcome:
    """Check that a flood on any of the three channels is cut and killed."""
    limits = replace(PROBE_LIMITS, result_bytes=100_000)
    runs = [probe.ask("flood", str(fd), limits=limits) for fd in (1, 2, 3)]
    sizes = [len(run.stdout + run.stderr + run.result) for run in runs]
    held = all(run.output_exceeded for run in runs) and max(sizes) <= 100_000
    return held, f"floods cut at {max(sizes)} bytes"


def check_files(probe: JailProbe) -> CheckOutcome:
    """Check that one file, many files and any file at all are limited as the policy says."""
    limits = replace(PROBE_LIMITS, file_bytes=1 << 20, disk_files=200)
    with workdir() as folder:
        shown = (Mount(source=folder, target="/task", writable=True),)
        big = probe.ask("file", "/task/big", "64", limits=limits, mounts=shown)
        size = (folder / "big").stat().st_size
        # Before the folder is full, for which the host would end this one, too.
        none = probe.ask("file", "/task/none", "1", seccomp="run", limits=limits, mounts=shown)
        many = probe.ask("files", "/task", seccomp="compile", limits=limits, mounts=shown)
    refused = facts(none).get("create")
    gone = not folder.exists()
    held = size <= 1 << 20 and many.output_exceeded and refused == errno.EROFS and gone
    return held, (
        f"a file cut at {size} bytes ({describe_end(big)}), endless files {describe_end(many)}, "
        f"a file under the run policy: {describe_errno(refused or 0)}, "
        f"the work folder is {'gone' if gone else 'left'}"
    )


def check_endings(probe: JailProbe) -> CheckOutcome:
    """Check that exit codes are never taken for signals, nor signals for exit codes."""
    codes = [probe.ask("exit", str(n)).exit_code for n in (0, 137, 159, 255)]
    crash = probe.ask("signal")
    held = codes == [0, 137, 159, 255] and crash.signal == signal.SIGSEGV
    return held, f"exit codes {codes}, a bad access {describe_end(crash)}"
