"""Two runs of a probe that a backend must pass before it is trusted with anything."""

from __future__ import annotations

import errno
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import JailFault, SandboxUnavailable
from .cache import cache_root
from .native import native
from .policy import Jail, JailPolicy, JailRun, Limits
from .rootfs import build_rootfs

PROBE = "/engine/probe"
"""Where the probe lies in its root."""

PROBE_LIMITS = Limits(
    # A machine at its limit takes seconds to start a jail; nothing else is wrong with it.
    wall_s=20.0,
    cpu_s=1,
    memory_bytes=128 << 20,
    stack_bytes=8 << 20,
    file_bytes=0,
    open_files=16,
    processes=1,
    output_bytes=100_000,
)
"""Limits under which the probe runs."""


def probe_root() -> Path:
    """Return the root that holds nothing but the probe."""
    return build_rootfs(cache_root(), {PROBE: native("probe")})


def facts(run: JailRun) -> dict[str, int]:
    """Read the probe's "name number" lines."""
    pairs = (line.split() for line in run.result.decode().splitlines())
    return {name: int(value) for name, value in pairs}


@contextmanager
def listener() -> Iterator[int]:
    """Yield a port of this host on which something listens, for a jail not to reach."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


_EXPECTED = {
    "uid": (65534, "it runs as user {}, not as nobody"),
    "euid": (65534, "it runs as user {}, not as nobody"),
    "gid": (65534, "it runs as group {}, not as nogroup"),
    "caps": (0, "it keeps the capabilities {:#x}"),
    "no_new_privs": (1, "it can gain privileges"),
    "create": (errno.EROFS, "its root is writable (error {})"),
    "interfaces_up": (0, "it has {} network interfaces up"),
    "fork": (errno.EAGAIN, "it can fork (error {})"),
}


def preflight(jail: Jail) -> None:
    """Run the probe once on namespaces and limits alone, once with the seccomp filter.

    Raises SandboxUnavailable with the first thing that does not hold.
    """
    root = probe_root()
    bare = JailPolicy(rootfs=root, seccomp="unfiltered", limits=PROBE_LIMITS)
    filtered = JailPolicy(rootfs=root, seccomp="run", limits=PROBE_LIMITS)
    try:
        with listener() as port:
            seen = facts(jail.run(bare, [PROBE, "preflight", str(port)]))
        fork = jail.run(filtered, [PROBE, "fork"])
    except JailFault as fault:
        raise SandboxUnavailable(str(fault)) from fault
    for name, (wanted, complaint) in _EXPECTED.items():
        if name not in seen:
            raise SandboxUnavailable(f"{jail.name}: the probe did not report {name}")
        if seen[name] != wanted:
            raise SandboxUnavailable(f"{jail.name}: {complaint.format(seen[name])}")
    if seen.get("connect", 0) == 0:
        raise SandboxUnavailable(f"{jail.name}: it can reach the host's network")
    if fork.signal != signal.SIGSYS:
        raise SandboxUnavailable(f"{jail.name}: its seccomp filter lets a fork through")
