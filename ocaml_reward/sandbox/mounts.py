"""What the host knows about a policy's mounts that the policy itself does not say."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from .policy import JailPolicy, Mount


def with_submounts(policy: JailPolicy) -> JailPolicy:
    """Add a read-only mount of its own for whatever is mounted below a read-only one.

    A bind mount takes such a mount along, and remounting the upper one read-only leaves
    it writable.  Below the root itself they are listed first, so that wanted mounts win.
    """
    points = _mount_points()
    below_root = _below(Mount(source=policy.rootfs, target="/"), points)
    below = [(mount, *(() if mount.writable else _below(mount, points))) for mount in policy.mounts]
    if not below_root and all(len(group) == 1 for group in below):
        return policy
    mounts = (*below_root, *(mount for group in below for mount in group))
    return replace(policy, mounts=mounts)


def _mount_points() -> list[str]:
    """Return where this process sees mounts, the octal escapes of mountinfo undone."""
    raw = Path("/proc/self/mountinfo").read_bytes()
    points = (line.split(b" ", 5)[4] for line in raw.splitlines())
    return [
        p.decode("unicode_escape").encode("latin-1").decode(errors="surrogateescape")
        if b"\\" in p
        else os.fsdecode(p)
        for p in points
    ]


def _below(mount: Mount, points: list[str]) -> tuple[Mount, ...]:
    """Return a mount for each mount point below a mount's source."""
    source = os.path.realpath(mount.source).rstrip("/") + "/"
    return tuple(
        Mount(
            source=Path(point),
            target=mount.target.rstrip("/") + "/" + point.removeprefix(source),
        )
        for point in points
        if point.startswith(source)
    )


def refuse_watched(policy: JailPolicy) -> None:
    """Raise ValueError for limits that need the host's eye, which a session does not have."""
    if policy.limits.wall_s is not None:
        raise ValueError("a session has no wall limit: close it instead")
    if any(mount.writable for mount in policy.mounts):
        raise ValueError("a session has no writable mount: nobody watches its disk")


def overfull(policy: JailPolicy) -> Callable[[], bool] | None:
    """Return the question whether a run has filled its writable mounts beyond the limits,
    None when it has no such mount.
    """
    folders = [mount.source for mount in policy.mounts if mount.writable]
    if not folders:
        return None
    limits = policy.limits

    def ask() -> bool:
        count = total = 0
        pending = [os.fspath(folder) for folder in folders]
        while pending:
            try:
                with os.scandir(pending.pop()) as entries:
                    for entry in entries:
                        status = entry.stat(follow_symlinks=False)
                        count += 1
                        total += status.st_blocks * 512
                        if count > limits.disk_files or total > limits.disk_bytes:
                            return True
                        if entry.is_dir(follow_symlinks=False):
                            pending.append(entry.path)
            except OSError:
                continue  # It vanished meanwhile, or its owner hides it.
        return False

    return ask
