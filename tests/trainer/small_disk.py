"""A run on a disk of three megabytes: `python -m tests.trainer.small_disk FOLDER WORD...`.

Only this process, and what it starts, see the disk at FOLDER.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

from ocaml_reward.sandbox.cache import cache_root
from trainer_plugin.__main__ import main

# As in linux/sched.h.
CLONE_NEWNS = 0x00020000
CLONE_NEWUSER = 0x10000000


def alone() -> None:
    """Have mounts of one's own, as unshare(1) does; a user without rights is root among them."""
    user, group = os.geteuid(), os.getegid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS | (CLONE_NEWUSER if user else 0)):
        raise OSError(ctypes.get_errno(), "unshare")
    if user:
        for name, text in {
            "setgroups": "deny",
            "uid_map": f"0 {user} 1",
            "gid_map": f"0 {group} 1",
        }.items():
            Path("/proc/self", name).write_text(text, encoding="ascii")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)


if __name__ == "__main__":
    folder, *words = sys.argv[1:]
    # Root's would be another.
    os.environ["OCAML_REWARD_CACHE"] = str(cache_root())
    alone()
    disk = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", folder]
    subprocess.run(disk, check=True)
    sys.exit(main(words))
