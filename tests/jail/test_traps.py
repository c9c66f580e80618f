"""Seven ways in which a jail built from these tools looks tight and is not."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_reward.errors import JailFault
from ocaml_reward.sandbox import Jail, JailPolicy, JailRun, Mount, build_rootfs
from ocaml_reward.sandbox import cache_root as cache
from ocaml_reward.sandbox.mounts import with_submounts
from ocaml_reward.sandbox.preflight import PROBE, facts, probe_root

Attack = Callable[..., JailRun]


@pytest.fixture
def ask(jail: Jail, policy: JailPolicy) -> Attack:
    """Ask the shipped probe without the seccomp filter."""

    def run(*words: str) -> JailRun:
        return jail.run(replace(policy, rootfs=probe_root()), [PROBE, *words])

    return run


class TestUser:
    """Trap 1: uid 65534 inside can still be root for the permissions of the host's files."""

    def test_the_owner_s_private_file(self, attack: Attack, open_folder: Path) -> None:
        """A root caller's 0600 file stays unreadable, even where it is shown."""
        secret = open_folder / "secret"
        secret.write_text("secret")
        secret.chmod(0o600)
        shown = (Mount(source=open_folder, target="/task"),)
        run = attack("read", "/task/secret", mounts=shown)

        # Anybody else's jail has its own user's rights: it is shown nothing private.
        wanted = f"refused {errno.EACCES}\n".encode()
        assert run.result == wanted or os.geteuid() != 0

    def test_what_it_writes_is_nobody_s(self, attack: Attack, open_folder: Path) -> None:
        """A file made inside belongs to nobody on the host of a root caller."""
        open_folder.chmod(0o777)
        shown = (Mount(source=open_folder, target="/task", writable=True),)
        attack("create", "/task/file", mounts=shown)

        owner = 65534 if os.geteuid() == 0 else os.geteuid()
        assert owner == (open_folder / "file").stat().st_uid


SUBMOUNT = """
import sys
from pathlib import Path
from ocaml_reward.sandbox import Mount, choose
from ocaml_reward.sandbox.policy import JailPolicy, Limits
limits = Limits(wall_s=5.0, cpu_s=1, memory_bytes=1 << 26, stack_bytes=1 << 23,
                file_bytes=1 << 20, open_files=16, processes=1, output_bytes=1000)
folder, rootfs, name = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
policy = JailPolicy(rootfs=rootfs, seccomp="unfiltered", limits=limits,
                    mounts=(Mount(source=folder, target="/task"),))
run = choose(name).run(policy, ["/engine/attacks", "create", "/task/below/file"])
print(run.result.decode().strip())
"""


class TestSubmounts:
    """Trap 2: a bind mount takes along what is mounted below, and leaves that writable."""

    def test_a_mount_below_is_read_only(self, jail: Jail, rootfs: Path, open_folder: Path) -> None:
        """A tmpfs inside a folder that is shown read-only cannot be written."""
        (open_folder / "below").mkdir()
        script = open_folder / "script.py"
        script.write_text(SUBMOUNT)
        # In a mount namespace of its own, so that the machine's mounts stay as they are.
        own = ["unshare", "--mount"]
        mount = 'mount -t tmpfs -o mode=777 none "$1/below"; exec '
        if os.geteuid() != 0:
            own += ["--user", f"--map-user={os.geteuid()}"]
            own += [f"--map-group={os.getegid()}", "--keep-caps"]
            mount += "setpriv --ambient-caps=-all --inh-caps=-all "
        mount += '"$2" "$3" "$1" "$4" "$5"'
        words = [open_folder, sys.executable, script, rootfs, jail.name]
        done = subprocess.run(
            [*own, "sh", "-ec", mount, "sh", *map(str, words)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )

        assert f"refused {errno.EROFS}" == done.stdout.strip()

    def test_each_gets_a_mount_of_its_own(self, policy: JailPolicy) -> None:
        """What is mounted below a read-only folder is listed after it, read-only."""
        host = replace(policy, mounts=(Mount(source=Path("/"), target="/host"),))
        added = with_submounts(host).mounts[1:]

        assert Mount(source=Path("/proc"), target="/host/proc") in added
        assert not any(mount.writable for mount in added)


class TestDescriptors:
    """Trap 3: descriptors that the caller left inheritable come through."""

    def test_only_four_are_open(self, ask: Attack) -> None:
        """Of an inheritable file and socket, and of the jail's own, nothing is visible."""
        reading, writing = os.pipe()
        try:
            fcntl.fcntl(reading, fcntl.F_SETFD, 0)
            # Inheritable, and of a number that nothing else has.
            high = fcntl.fcntl(writing, fcntl.F_DUPFD, 77)
            seen = ask("descriptors").result
            os.close(high)
        finally:
            for descriptor in (reading, writing):
                os.close(descriptor)

        assert b"fd 0\nfd 1\nfd 2\nfd 3\n" == seen


class TestProcessOne:
    """Trap 4: process 1 of a namespace ignores signals, those of CPU timers included."""

    def test_the_hard_limit_kills(self, attack: Attack) -> None:
        """The CPU limit is a hard one from the start, which even process 1 obeys."""
        run = attack("spin")

        assert (signal.SIGKILL, False) == (run.signal, run.wall_exceeded)


class TestCgroups:
    """Trap 5: cgroups cost time to join, and differ from machine to machine."""

    def test_none_is_used(self, ask: Attack) -> None:
        """The limits hold by themselves: memory and processes, without any cgroup."""
        before = Path("/proc/self/cgroup").read_text()

        assert facts(ask("memory", "256"))["allocated"] < 64
        assert errno.EAGAIN == facts(ask("fork"))["fork"]
        assert before == Path("/proc/self/cgroup").read_text()


class TestDefaults:
    """Trap 6: nsjail's defaults are nice 19, files of 1 MB, 32 open files and 600 s."""

    def test_every_limit_is_ours(self, jail: Jail, policy: JailPolicy) -> None:
        """Each limit that the policy names is the one in force, and no core is dumped."""
        limits = replace(
            policy.limits,
            cpu_s=7,
            memory_bytes=96 << 20,
            stack_bytes=4 << 20,
            file_bytes=40 << 20,
            open_files=50,
            processes=1,
        )
        chosen = replace(policy, rootfs=probe_root(), limits=limits)
        seen = facts(jail.run(chosen, [PROBE, "limits"]))

        wanted = {
            "nice": os.getpriority(os.PRIO_PROCESS, 0),
            "as": 96 << 20,
            "cpu": 7,
            "fsize": 40 << 20,
            "nofile": 50,
            "nproc": 1,
            "stack": 4 << 20,
            "core": 0,
            "memlock": 0,
        }
        assert wanted == seen

    def test_the_caller_s_own_stay(self, ask: Attack) -> None:
        """Our own process keeps the limits that it had."""
        before = resource.getrlimit(resource.RLIMIT_NPROC)
        ask("limits")

        assert before == resource.getrlimit(resource.RLIMIT_NPROC)


class TestEndings:
    """Trap 7: exit statuses 255, 159 and 137 each mean two things."""

    @pytest.mark.parametrize("code", [0, 1, 2, 125, 126, 127, 128, 137, 159, 255])
    def test_an_exit_code_is_the_program_s(self, ask: Attack, code: int) -> None:
        run = ask("exit", str(code))

        assert (code, None) == (run.exit_code, run.signal)

    def test_a_filtered_call_is_a_signal(self, attack: Attack) -> None:
        """159 by seccomp is SIGSYS."""
        run = attack("mount", seccomp="run")

        assert (None, signal.SIGSYS) == (run.exit_code, run.signal)

    def test_a_limit_is_a_signal(self, attack: Attack) -> None:
        """137 by the CPU limit is SIGKILL, and not the host's doing."""
        run = attack("spin")

        assert (None, signal.SIGKILL) == (run.exit_code, run.signal)

    @pytest.mark.parametrize("command", ["/engine/missing", "/lib/data", "/"])
    def test_a_failed_set_up_is_a_fault(self, jail: Jail, policy: JailPolicy, command: str) -> None:
        """255 because nothing could be executed is the machine's fault, not a result."""
        with pytest.raises(JailFault, match=f"{jail.name} failed"):
            jail.run(policy, [command])

    def test_a_missing_mount_is_a_fault(
        self, jail: Jail, policy: JailPolicy, open_folder: Path
    ) -> None:
        """A folder that cannot be mounted is the machine's fault, named in one line."""
        gone = replace(policy, mounts=(Mount(source=open_folder / "gone", target="/task"),))
        with pytest.raises(JailFault) as caught:
            jail.run(gone, ["/engine/attacks", "ignore-request"])

        assert "\n" not in str(caught.value)


def test_roots_hold_no_surprise(rootfs: Path, attacks: Path) -> None:
    """The root holds what was asked for, the launcher, and two empty folders."""
    files = {"/engine/attacks": attacks, "/lib/data": Path(__file__)}
    inside = {str(p.relative_to(rootfs)) for p in rootfs.rglob("*") if p.is_file()}

    assert rootfs.parent == build_rootfs(cache(), files).parent
    assert {".jail/launch", "engine/attacks", "lib/data"} == inside
    assert [] == [*(rootfs / "task").iterdir(), *(rootfs / "tmp").iterdir()]
