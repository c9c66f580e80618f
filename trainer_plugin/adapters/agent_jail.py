"""A jail for an agent: each command in a fresh one, with a shell, OCaml, and folders that stay.

All that is read or written goes through a command in the jail, so that no link there leads to a
file of the host.
"""

from __future__ import annotations

import posixpath
import shlex
import shutil
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Final

from ocaml_reward import InputError, MachineError
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.sandbox import JailPolicy, JailRun, Limits, Mount, build_rootfs, cache_root
from ocaml_reward.sandbox.choose import JAILED, choose
from ocaml_reward.sandbox.mounts import overfull
from ocaml_reward.sandbox.workdir import workdir

FOLDERS: Final = ("/workdir", "/logs", "/solution", "/tests", "/tmp")  # noqa: S108 (the jail's)
"""What an agent may write to."""
MOST_BYTES: Final = 64 << 20
"""What its files may take together."""
# What a file has at most, packed by tar.
_OUTPUT_BYTES: Final = 2 * MOST_BYTES
_MEMORY_MB: Final = 2048
# Without these harbor's own commands do not work.
_NEEDED: Final = "bash cat chmod cp find gzip mkdir mv pwd rm sh tar"
_MORE: Final = """
awk basename cmp cut date diff dirname echo env expr false grep head id ln ls mktemp nl od printf
readlink rmdir sed seq sleep sort stat tail tee test timeout touch tr true uniq wc whoami xargs
ocaml ocamlc ocamlc.opt ocamlrun
"""
_DEVICES: Final = ("null", "zero", "urandom")
_OCAML: Final = (".cma", ".cmi", ".cmo", ".mli", ".so")
_HEADERS: Final = ("camlheader", "runtime-launch-info", "ld.conf")


@cache
def _root() -> Path:
    """Return the read-only root: a shell, its common programs, and OCaml for bytecode.

    Raises MachineError if a program is missing.
    """
    toolchain = locate()
    found: dict[str, Path] = {}
    for name in (*_NEEDED.split(), *_MORE.split()):
        if (program := shutil.which(name)) is not None:
            # By both names, as scripts begin with either.
            names = (f"/usr/bin/{name}", f"/bin/{name}", program)
            found |= dict.fromkeys(names, Path(program))
        elif name in _NEEDED.split():
            raise MachineError(f"an agent's jail needs {name}, which is not on PATH: install it")
    for path in (*toolchain.stdlib.iterdir(), *toolchain.stdlib.glob("stublibs/*")):
        if path.suffix in _OCAML or path.name in _HEADERS:
            found[str(path)] = path
    # A mount needs a folder in the root, and a root only has the folders of its files.
    found |= {f"{each}/.mounted": Path(__file__) for each in FOLDERS}
    found |= {f"/dev/{each}": Path(__file__) for each in _DEVICES}
    return build_rootfs(cache_root(), found)


class AgentJail:
    """Folders that stay between commands. Usable from several threads at once."""

    def __init__(self, sandbox: str = "auto", *, memory_mb: int | None = None) -> None:
        """Make the folders.

        Args:
            sandbox: The jail, as the engine's.
            memory_mb: The memory of each process, in megabytes; None for 2048.

        Raises:
            InputError: That is no jail.
            MachineError: There is none that works, or no room.
        """
        if sandbox not in ("auto", *JAILED):
            raise InputError(f"sandbox {sandbox!r} keeps no agent in: choose {', '.join(JAILED)}")
        self._jail = choose(sandbox)
        self._root = _root()
        self._memory_bytes = (memory_mb or _MEMORY_MB) << 20
        self._lock = threading.Lock()
        self._held = ExitStack()
        self._mounts = self._fresh()

    def _fresh(self) -> tuple[Mount, ...]:
        """Return empty folders, which replace what there was."""
        self._held.close()
        devices = (Path("/dev", each) for each in _DEVICES)
        return (
            *(Mount(source=each, target=str(each), device=True) for each in devices),
            *(
                Mount(source=self._held.enter_context(workdir()), target=each, writable=True)
                for each in FOLDERS
            ),
        )

    def close(self) -> None:
        """Remove the folders."""
        self._held.close()

    def run(
        self,
        command: str,
        *,
        cwd: str = "/",
        environment: Mapping[str, str] | None = None,
        wall_s: float | None = None,
        stdin: bytes = b"",
    ) -> JailRun:
        """Run a command of the shell to its end, with all that it started.

        Who fills the disk loses what is on it: otherwise nothing could be read of it any more.

        Args:
            command: The command, for bash.
            cwd: The folder that it starts in.
            environment: Its variables, besides PATH, HOME and the language.
            wall_s: How long it may take, in seconds; None for as long as somebody waits.
            stdin: What it reads.

        Returns:
            How it ended and what it wrote.

        Raises:
            JailFault: The jail could not be set up.
        """
        policy = JailPolicy(
            rootfs=self._root,
            seccomp="shell",
            limits=Limits(
                wall_s=wall_s,
                cpu_s=None,
                memory_bytes=self._memory_bytes,
                stack_bytes=64 << 20,
                file_bytes=MOST_BYTES,
                open_files=256,
                processes=256,
                output_bytes=_OUTPUT_BYTES,
                disk_bytes=MOST_BYTES,
                disk_files=10_000,
            ),
            mounts=self._mounts,
            environment=tuple(self._environment(environment or {}).items()),
        )
        # Only inside is it known whether a folder is there.
        line = ["/bin/bash", "-c", 'cd -- "$0" && exec /bin/bash -c "$1"', cwd, command]
        done = self._jail.run(policy, line, stdin=stdin)
        is_full = overfull(policy)
        if is_full is not None and is_full():
            with self._lock:
                self._mounts = self._fresh()
        return done

    def _environment(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the variables of a command."""
        toolchain = locate()
        folders = dict.fromkeys(("/usr/bin", "/bin", str(toolchain.ocamlc.parent)))
        return {
            "PATH": ":".join(folders),
            "HOME": "/tmp",  # noqa: S108 (the jail's)
            "LC_ALL": "C",
            "OCAMLLIB": str(toolchain.stdlib),
            **given,
        }

    def read(self, path: str) -> bytes:
        """Return the content of a file; raises FileNotFoundError if it cannot be read."""
        return self._output(f"cat < {shlex.quote(path)}", path)

    def pack(self, folder: str) -> bytes:
        """Return a folder as a tar archive; raises FileNotFoundError if it cannot be read."""
        return self._output(f"tar -cf - -C {shlex.quote(folder)} .", folder)

    def write(self, path: str, data: bytes) -> None:
        """Write a file, and make its folder; raises PermissionError if that fails."""
        folder = shlex.quote(posixpath.dirname(path) or "/")
        self._feed(f"mkdir -p {folder} && cat > {shlex.quote(path)}", path, data)

    def unpack(self, folder: str, archive: bytes) -> None:
        """Unpack a tar archive into a folder; raises PermissionError if that fails."""
        there = shlex.quote(folder)
        self._feed(f"mkdir -p {there} && tar -xf - --no-same-owner -C {there}", folder, archive)

    def _output(self, command: str, path: str) -> bytes:
        done = self.run(command)
        if done.exit_code != 0:
            raise FileNotFoundError(f"{path}: cannot be read in the jail: {_last_line(done)}")
        return done.stdout

    def _feed(self, command: str, path: str, data: bytes) -> None:
        done = self.run(command, stdin=data)
        if done.exit_code != 0:
            raise PermissionError(f"{path}: cannot be written in the jail: {_last_line(done)}")


def _last_line(run: JailRun) -> str:
    """Return what a failed command said last."""
    lines: Sequence[str] = run.stderr.decode(errors="replace").split("\n")
    return next((each for each in reversed(lines) if each.strip()), "it was ended")
