"""Canaries: targets for attacks on the host, and checks that they are intact."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from ..sandbox.workdir import PREFIX

_VARIABLE = "OCAML_REWARD_CANARY"
_PATIENCE_S = 3.0


class Canaries:
    """Targets for attacks.

    They are a secret file, a secret in the environment, an open descriptor, a listening socket, a
    process, the standard library and the temporary folder. (sotoblanco/BaseLayer issue 106,
    MakazhanAlpamys/Soup issue 21, rllm-org/rllm issue 915, basetenlabs/ml-cookbook pull 107)
    """

    def __init__(self, stdlib: Path) -> None:
        """Create them; `stdlib` is the folder of the standard library."""
        self._folder = Path(tempfile.mkdtemp(prefix="ocaml-reward-canaries-"))
        self._word = secrets.token_hex(16)
        self._secret = self._folder / "secret"
        self._secret.write_text(self._word, encoding="ascii")
        self._secret.chmod(0o600)
        os.environ[_VARIABLE] = self._word
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._reading, False)
        os.set_inheritable(self._writing, True)  # noqa: FBT003
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(0)
        self._sibling = subprocess.Popen(["sleep", "3600"])
        self._stdlib = stdlib
        self._library = self._listed(stdlib)
        self._files: set[str] = set()
        self._processes = 0
        self.settle()

    def __enter__(self) -> Self:
        """Return the canaries."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove them."""
        self._sibling.kill()
        self._sibling.wait()
        self._server.close()
        for descriptor in (self._reading, self._writing):
            os.close(descriptor)
        os.environ.pop(_VARIABLE, None)
        shutil.rmtree(self._folder)

    @property
    def places(self) -> dict[str, str]:
        """Return the values of the placeholders in attack programs."""
        return {
            "SECRET": str(self._secret),
            "VARIABLE": _VARIABLE,
            "DESCRIPTOR": str(self._writing),
            "PORT": str(self._server.getsockname()[1]),
            "SIBLING": str(self._sibling.pid),
            "STDLIB": str(self._stdlib),
        }

    def settle(self) -> None:
        """Record the current processes and temporary files as legitimate."""
        self._files = _temporary()
        self._processes = len(list(_descendants()))

    def harmed(self, output: str) -> tuple[str, ...]:
        """Return the names of damaged targets; `output` is all output of grading a completion."""
        wrong = {
            "a secret came back": self._word in output,
            "the secret file changed": not self._whole(),
            "a descriptor was written to": self._written(),
            "somebody connected": self._connected(),
            "a process was killed": self._sibling.poll() is not None,
            "the standard library changed": self._listed(self._stdlib) != self._library,
            "the environment changed": os.environ.get(_VARIABLE) != self._word,
            "a process is left": not _eventually(
                lambda: len(list(_descendants())) <= self._processes
            ),
            "a temporary file is left": not _eventually(lambda: _temporary() <= self._files),
        }
        return tuple(name for name, is_so in wrong.items() if is_so)

    def _whole(self) -> bool:
        """Tell whether the secret file is as it was written, alone in its folder."""
        try:
            same = self._secret.read_text(encoding="ascii") == self._word
        except (OSError, UnicodeError):
            return False
        return same and [self._secret] == list(self._folder.iterdir())

    def _written(self) -> bool:
        """Tell whether somebody has written to the open descriptor."""
        try:
            return bool(os.read(self._reading, 1))
        except BlockingIOError:
            return False

    def _connected(self) -> bool:
        """Tell whether somebody has connected to the server."""
        try:
            self._server.accept()[0].close()
        except BlockingIOError:
            return False
        return True

    @staticmethod
    def _listed(folder: Path) -> frozenset[tuple[str, int, int, int]]:
        """Return the name, inode, size and time of each file in a folder."""
        found = set()
        for entry in os.scandir(folder):
            seen = entry.stat(follow_symlinks=False)
            found.add((entry.name, seen.st_ino, seen.st_size, seen.st_mtime_ns))
        return frozenset(found)


def _eventually(holds: Callable[[], bool]) -> bool:
    """Tell whether a condition comes to hold within the time allowed."""
    deadline = time.monotonic() + _PATIENCE_S
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _temporary() -> set[str]:
    """Return the files in our work folders, and files next to them that attacks would leave."""
    own = f"{PREFIX}{os.getpid()}-"
    found = set()
    for folder in {tempfile.gettempdir(), "/dev/shm"}:  # noqa: S108 - only looked at
        with suppress(OSError):
            for entry in os.scandir(folder):
                if entry.name.startswith(own):
                    found |= {inside.path for inside in os.scandir(entry.path)}
                elif "planted" in entry.name:
                    found.add(entry.path)
    return found


def _descendants() -> Iterator[int]:
    """Yield the processes that descend from this one."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            stat = (entry / "stat").read_text(encoding="ascii", errors="replace")
            parent = int(stat.rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    waiting = [os.getpid()]
    while waiting:
        found = children.get(waiting.pop(), [])
        yield from found
        waiting += found
