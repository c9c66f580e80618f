"""Attacks that want out: to other processes, files, users, the network or the kernel."""

from __future__ import annotations

import errno
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from ocaml_reward.sandbox import JailRun, Mount

Attack = Callable[..., JailRun]

CATALOGUE = re.findall(
    r'^    \{"([\w-]+)", SYS_',
    Path(__file__).with_name("attacks.c").read_text(),
    re.MULTILINE,
)

# Without the filter these get through, to nothing: the network, user and IPC namespaces
# are the jail's own, and no capability goes with them.
HARMLESS = {
    "socket-inet",
    "socket-unix",
    "socket-netlink",
    "clone-user-namespace",
    "unshare-user",
    "pidfd-open",
    "io-uring",
    "userfaultfd",
    "memfd",
    "keyring",
    "personality",
    "inotify",
    "shared-memory",
    "message-queue",
}


def test_the_catalogue_is_read() -> None:
    """The names come from the C source, so that no attack is forgotten here."""
    assert len(CATALOGUE) >= 40
    assert set() == HARMLESS - set(CATALOGUE)


@pytest.mark.parametrize("seccomp", ["compile", "run"])
@pytest.mark.parametrize("name", CATALOGUE)
def test_the_filter_ends_the_process(attack: Attack, name: str, seccomp: str) -> None:
    """A call that no compiler or test needs ends the process by SIGSYS, tried or not."""
    run = attack(name, seccomp=seccomp)

    assert (signal.SIGSYS, b"") == (run.signal, run.result)


@pytest.mark.parametrize("name", [n for n in CATALOGUE if n not in HARMLESS])
def test_the_namespaces_hold_without_the_filter(attack: Attack, name: str) -> None:
    """Were the filter to fail, the kernel itself would still refuse the call."""
    run = attack(name)

    assert run.result.startswith(b"refused ")
    # That an address is wrong is found out by whoever has the right.
    assert f"refused {errno.EFAULT}\n".encode() != run.result


@pytest.mark.parametrize("seccomp", ["compile", "run"])
@pytest.mark.parametrize("name", ["int-0x80", "x32"])
def test_another_abi_is_no_way_around(attack: Attack, name: str, seccomp: str) -> None:
    """The call numbers of the 32-bit and x32 ABIs are not taken for the 64-bit ones."""
    run = attack(name, seccomp=seccomp)

    assert (signal.SIGSYS, b"") == (run.signal, run.result)


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/proc/self/mem",
        "/proc/1/environ",
        "/proc/self/fd/0",
        "/dev/null",
        "/dev/shm",
        "/sys",
        "/bin/sh",
        "/engine/../../etc/passwd",
        __file__,
    ],
)
def test_nothing_of_the_host_is_there(attack: Attack, path: str) -> None:
    """Files of the host, devices and /proc do not exist inside, whatever the path."""
    run = attack("read", path)

    assert f"refused {errno.ENOENT}\n".encode() == run.result


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("create", "/x"),
        ("create", "/task/x"),
        ("create", "/tmp/x"),
        ("write", "/lib/data"),
        ("truncate", "/lib/data"),
        ("unlink", "/lib/data"),
        ("rename", "/engine/attacks"),
        ("mkdir", "/lib/new"),
    ],
)
@pytest.mark.parametrize("seccomp", ["unfiltered", "compile", "run"])
def test_the_root_is_read_only(
    attack: Attack, rootfs: Path, name: str, path: str, seccomp: str
) -> None:
    """Nothing in the root can be made, changed or removed: it is shared by all runs."""
    before = sorted((p, p.stat().st_mtime_ns) for p in rootfs.rglob("*"))
    run = attack(name, path, seccomp=seccomp)

    refusals = {f"refused {e}\n".encode() for e in (errno.EROFS, errno.EACCES)}
    assert run.result in refusals
    assert before == sorted((p, p.stat().st_mtime_ns) for p in rootfs.rglob("*"))


def test_a_read_only_mount_stays_so(attack: Attack, open_folder: Path) -> None:
    """A folder shown read-only cannot be written, whoever owns it and whatever its mode."""
    open_folder.chmod(0o777)
    (open_folder / "file").write_text("as it was")
    shown = (Mount(source=open_folder, target="/task"),)
    refused = f"refused {errno.EROFS}\n".encode()

    assert refused == attack("create", "/task/new", mounts=shown).result
    assert refused == attack("unlink", "/task/file", mounts=shown).result
    assert "as it was" == (open_folder / "file").read_text()


@pytest.mark.parametrize("seccomp", ["unfiltered", "compile", "run"])
def test_there_is_no_shell(attack: Attack, seccomp: str) -> None:
    """No policy can forbid the first exec, so there is nothing else to execute."""
    run = attack("exec", "/bin/sh", seccomp=seccomp)

    assert f"refused {errno.ENOENT}\n".encode() == run.result


@pytest.mark.parametrize("seccomp", ["unfiltered", "compile", "run"])
@pytest.mark.parametrize(
    "target",
    ["-1", str(os.getpid()), str(os.getppid())],
    ids=["everybody", "grader", "parent"],
)
def test_no_signal_gets_out(attack: Attack, target: str, seccomp: str) -> None:
    """Killing everybody, or the grader by its number, reaches nobody."""
    run = attack("kill", target, seccomp=seccomp)

    refusals = {f"refused {e}\n".encode() for e in (errno.ESRCH, errno.EPERM)}
    assert run.result in refusals


def test_limits_cannot_be_raised(attack: Attack) -> None:
    run = attack("raise-limits")

    assert f"refused {errno.EPERM}\n".encode() == run.result


def test_the_log_cannot_be_forged(attack: Attack) -> None:
    """Printing what a jail's log looks like, on every descriptor, changes no ending."""
    run = attack("forge-log")

    assert 7 == run.exit_code
    assert "ended: exit 0 cpu_us 0 rss_kb 0" not in run.log
