"""The conformance suite's first half: what jailed code can see, reach and become."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from .jail_probe import (
    CheckOutcome,
    JailProbe,
    describe_end,
    describe_errno,
    describe_errors,
)
from .launcher import NOBODY, outside_ids
from .native import native
from .policy import Mount
from .preflight import facts, listener


def check_user(probe: JailProbe) -> CheckOutcome:
    """Check that jailed code is nobody, in no group."""
    seen = facts(probe.ask("identity"))
    ids = {seen["uid"], seen["euid"], seen["gid"]}
    # Only root can leave its supplementary groups behind.
    groups = seen["groups"] if os.geteuid() == 0 else 0
    return ids == {NOBODY} and groups == 0, f"uid {seen['uid']}, gid {seen['gid']}"


def check_capabilities(probe: JailProbe) -> CheckOutcome:
    """Check that it holds no capability."""
    caps = facts(probe.ask("identity"))["caps"]
    return caps == 0, f"capability set {caps:#x}"


def check_privileges(probe: JailProbe) -> CheckOutcome:
    """Check that it can gain none, and a filter is installed."""
    seen = facts(probe.ask("privileges", seccomp="run"))
    held = seen == {"no_new_privs": 1, "seccomp": 2}
    return held, f"no_new_privs {seen['no_new_privs']}, seccomp mode {seen['seccomp']}"


def check_seccomp_filter(probe: JailProbe) -> CheckOutcome:
    """Check that calls that no policy lists end the process."""
    unlisted = ("socket", "ptrace", "userns", "mount", "bpf", "io_uring")
    # A session's program forks what it then locks.
    tried = [(policy, "fork") for policy in ("run", "compile")]
    tried += [(policy, n) for policy in ("run", "compile", "session") for n in unlisted]
    through = [
        f"{seccomp} {question}: {describe_end(run)}"
        for seccomp, question in tried
        if (run := probe.ask(question, seccomp=seccomp)).signal != signal.SIGSYS
    ]
    told = f"{len(tried)} forbidden calls ended by SIGSYS"
    return not through, "; ".join(through) or told


def check_root(probe: JailProbe) -> CheckOutcome:
    """Check that no folder of the root can be written."""
    errors = {
        path: probe.error("create", f"{path}x")
        for path in ("/", "/engine/", "/task/", "/tmp/")  # noqa: S108
    }
    held = set(errors.values()) == {errno.EROFS}
    return held, describe_errors("making a file in", errors)


def check_network(probe: JailProbe) -> CheckOutcome:
    """Check that nothing of the network can be reached."""
    with listener() as port:
        seen = facts(probe.ask("network", str(port)))
    held = seen["connect"] != 0 and seen["interfaces_up"] == 0
    return held, (
        f"connecting to the host: {describe_errno(seen['connect'])}; "
        f"{seen['interfaces_up']} network interfaces are up"
    )


def check_fork(probe: JailProbe) -> CheckOutcome:
    """Check that the process limit alone stops a fork."""
    code = probe.error("fork")
    return code == errno.EAGAIN, f"forking: {describe_errno(code)}"


def check_shell(probe: JailProbe) -> CheckOutcome:
    """Check that there is no shell to execute."""
    code = probe.error("exec", "/bin/sh")
    return code == errno.ENOENT, f"executing /bin/sh: {describe_errno(code)}"


def check_proc(probe: JailProbe) -> CheckOutcome:
    """Check that neither /proc nor /dev exists."""
    errors = {p: probe.error("read", p) for p in ("/proc/self/status", "/dev/null")}
    held = set(errors.values()) == {errno.ENOENT}
    return held, describe_errors("reading", errors)


def check_canary(probe: JailProbe) -> CheckOutcome:
    """Check that a file of the host's can be neither found, read nor changed."""
    with tempfile.TemporaryDirectory() as name:
        folder, secret = Path(name), secrets.token_hex(16)
        folder.chmod(0o755)
        canary = folder / "canary"
        canary.write_text(secret)
        canary.chmod(0o600)
        shown = (Mount(source=folder, target="/task"),)
        by_path = probe.error("read", str(canary))
        overwrite = probe.error("create", "/task/canary", mounts=shown)
        beside = probe.error("create", "/task/new", mounts=shown)
        held = by_path == errno.ENOENT and overwrite != 0 and beside == errno.EROFS
        evidence = (
            f"reading a host file by its path: {describe_errno(by_path)}; "
            f"overwriting it where it is shown: {describe_errno(overwrite)}; "
            f"making one beside it: {describe_errno(beside)}"
        )
        if os.geteuid() == 0:
            # Trap: uid 65534 inside can still be root for the permissions of files.
            code = probe.error("read", "/task/canary", mounts=shown)
            held &= code == errno.EACCES
            evidence += f"; reading root's own file there: {describe_errno(code)}"
        untouched = canary.read_text() == secret and [*folder.iterdir()] == [canary]
    return held and untouched, evidence


def check_environment(probe: JailProbe) -> CheckOutcome:
    """Check that only the policy's own variables are visible."""
    seen = probe.ask("environment", environment=(("LC_ALL", "C"),)).result.decode()
    names = sorted(line.partition("=")[0] for line in seen.splitlines())
    return seen == "LC_ALL=C\n", (f"given LC_ALL alone it sees {', '.join(names) or 'no variable'}")


def check_descriptors(probe: JailProbe) -> CheckOutcome:
    """Check that nothing that the host left inheritable comes through."""
    with tempfile.TemporaryFile() as file:
        fcntl.fcntl(file.fileno(), fcntl.F_SETFD, 0)
        seen = probe.ask("descriptors").result.decode()
    numbers = [int(line.split()[1]) for line in seen.splitlines()]
    return numbers == [0, 1, 2, 3], (f"open inside: {', '.join(map(str, numbers)) or 'none'}")


def check_kill(probe: JailProbe) -> CheckOutcome:
    """Check that no signal reaches a process outside, not even one of the same user."""
    pid = facts(probe.ask("identity"))["pid"]
    if pid > 2:
        # Outside a process namespace -1 would be everything that this user runs.
        return False, f"no process namespace of its own: it is process {pid}"
    with _bystander() as bystander:
        # The process's number is its own outside only; -1 is everybody it can reach.
        errors = {p: probe.error("kill", str(p)) for p in (-1, bystander.pid)}
        alive = bystander.poll() is None
    held = alive and all(errors.values())
    return held, "; ".join(
        f"killing {'everybody' if p == -1 else 'a host process'}: {describe_errno(e)}"
        for p, e in errors.items()
    )


@contextmanager
def _bystander() -> Iterator[subprocess.Popen[bytes]]:
    """Yield a host process of the very user that jailed code is on the host."""
    with ExitStack() as stack:
        owner = outside_ids() if os.geteuid() == 0 else (None, None)
        process = stack.enter_context(
            subprocess.Popen(
                # Not a program from PATH, which may be empty, nor Python, which nobody
                # may be unable to enter below root's home.
                [native("probe"), "sleep"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                user=owner[0],
                group=owner[1],
            )
        )
        stack.callback(process.kill)
        yield process
