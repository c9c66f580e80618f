"""A run on a disk of three megabytes: `python -m tests.trainer.small_disk FOLDER WORD...`.

Only this process, and what it starts, see the disk at FOLDER.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys

from trainer_plugin.__main__ import main

# As in linux/sched.h.
CLONE_NEWNS = 0x00020000


def alone() -> None:
    """Have mounts of one's own, as unshare(1) does; that takes root's rights."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS):
        raise OSError(ctypes.get_errno(), "unshare")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)


if __name__ == "__main__":
    folder, *words = sys.argv[1:]
    alone()
    disk = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", folder]
    subprocess.run(disk, check=True)
    sys.exit(main(words))
