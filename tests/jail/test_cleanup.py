"""Whatever happens to the grader or to a jail, no process and no file stays behind."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_reward.errors import JailFault
from ocaml_reward.sandbox import (
    BACKENDS,
    JAILED,
    Jail,
    JailPolicy,
    Mount,
    choose,
    workdir,
)
from ocaml_reward.sandbox.preflight import PROBE, probe_root
from ocaml_reward.sandbox.workdir import PREFIX, remove_tree, sweep

Find = Callable[[str], list[int]]
Wait = Callable[[Callable[[], bool]], bool]

SLEEPER = """
import sys
from ocaml_reward.sandbox import Mount, choose, workdir
from ocaml_reward.sandbox.policy import JailPolicy, Limits
from ocaml_reward.sandbox.preflight import PROBE, probe_root
import threading
limits = Limits(wall_s=60.0, cpu_s=1, memory_bytes=1 << 26, stack_bytes=1 << 23,
                file_bytes=1 << 20, open_files=16, processes=1, output_bytes=1000)
def work():
    with workdir() as folder:
        print(folder.parent, flush=True)
        mount = Mount(source=folder, target="/task", writable=True)
        policy = JailPolicy(rootfs=probe_root(), seccomp="unfiltered", limits=limits,
                            mounts=(mount,))
        choose(sys.argv[1]).run(policy, [PROBE, "sleep", sys.argv[2]])
if sys.argv[3] == "thread":
    threading.Thread(target=work).start()
else:
    work()
"""


# Ctrl-C only reaches the main thread; it ends the others by itself.
@pytest.mark.parametrize(
    ("number", "place"),
    [(signal.SIGKILL, "main"), (signal.SIGKILL, "thread"), (signal.SIGINT, "main")],
)
@pytest.mark.parametrize("name", BACKENDS)
def test_a_killed_grader_leaves_no_process(
    processes: Find, eventually: Wait, *, name: str, number: int, place: str
) -> None:
    """Kill -9 or Ctrl-C of the Python process ends the jail, whichever thread runs it."""
    token = secrets.token_hex(8)
    with subprocess.Popen(
        [sys.executable, "-c", SLEEPER, name, token, place],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as grader:
        assert grader.stdout is not None
        home = Path(grader.stdout.readline().strip())
        # The grader itself, what it started, and the program inside.
        enough = 3 if name in JAILED else 2
        started = eventually(lambda: len(processes(token)) >= enough)
        grader.send_signal(number)
        grader.wait(timeout=10)
        ended = eventually(lambda: not processes(token))
    left = home.exists()
    sweep(home.parent)

    assert started
    assert ended
    # Only kill -9 leaves the folder, and the next start removes it.
    assert (number == signal.SIGKILL) == left
    assert not home.exists()


@pytest.mark.parametrize("victim", ["supervisor", "jail"])
def test_a_killed_jail_takes_its_program_along(
    jail: Jail, policy: JailPolicy, processes: Find, eventually: Wait, *, victim: str
) -> None:
    """When nsjail, bwrap or our supervisor is killed, the program dies; that is a fault."""
    token = secrets.token_hex(8)
    caught: list[BaseException] = []
    # Built before the clock starts; and the wall must not end it before the kill does.
    long = replace(policy, rootfs=probe_root(), limits=replace(policy.limits, wall_s=60.0))

    def run() -> None:
        try:
            jail.run(long, [PROBE, "sleep", token])
        except JailFault as fault:
            caught.append(fault)

    thread = threading.Thread(target=run)
    thread.start()
    assert eventually(lambda: any(map(is_program, processes(token))))
    above = {pid: parent(pid) for pid in processes(token)}
    supervisors = [pid for pid, its in above.items() if its == os.getpid()]
    jails = [pid for pid, its in above.items() if its in supervisors]
    (target,) = supervisors if victim == "supervisor" else jails
    os.kill(target, signal.SIGKILL)
    thread.join(timeout=30)

    assert [JailFault] == [type(fault) for fault in caught]
    assert eventually(lambda: not processes(token))


def is_program(pid: int) -> bool:
    """Tell whether a process is the program itself, not what is about to become it."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().startswith(PROBE.encode())
    except OSError:
        return False


@pytest.mark.parametrize("late", [False, True])
def test_a_caller_that_ignores_its_children(
    jail: Jail, policy: JailPolicy, monkeypatch: pytest.MonkeyPatch, *, late: bool
) -> None:
    """A caller who has the kernel reap its children still learns how a run ended, also where
    that is over before anybody looks.
    """
    pidfd_open = os.pidfd_open

    def look_late(pid: int, flags: int = 0) -> int:
        while Path(f"/proc/{pid}").exists():
            time.sleep(0.01)
        return pidfd_open(pid, flags)

    if late:
        monkeypatch.setattr(os, "pidfd_open", look_late)
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        run = jail.run(replace(policy, rootfs=probe_root()), [PROBE, "exit", "7"])
    finally:
        signal.signal(signal.SIGCHLD, before)

    assert (7, None) == (run.exit_code, run.signal)


@pytest.mark.parametrize("attack", ["daemon", "daemon-and-sleep"])
@pytest.mark.parametrize("name", BACKENDS)
def test_a_daemon_does_not_outlive_its_run(
    policy: JailPolicy, processes: Find, name: str, attack: str
) -> None:
    """What leaves its session and its parent is gone when `run` returns, in any backend."""
    token = secrets.token_hex(8)
    roomy = replace(policy.limits, processes=1000, wall_s=0.5)
    run = choose(name).run(replace(policy, limits=roomy), ["/engine/attacks", attack, token])

    assert (attack == "daemon-and-sleep") == run.wall_exceeded
    assert [] == processes(token)


def parent(pid: int) -> int | None:
    """Return the parent of a process, None when it has ended."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def test_the_wall_leaves_nothing(jail: Jail, policy: JailPolicy, processes: Find) -> None:
    """When `run` returns after a time limit, the process is already gone."""
    token = secrets.token_hex(8)
    short = replace(policy, rootfs=probe_root(), limits=replace(policy.limits, wall_s=0.3))
    run = jail.run(short, [PROBE, "sleep", token])

    assert run.wall_exceeded
    assert [] == processes(token)


def test_no_descriptor_stays_open(jail: Jail, policy: JailPolicy) -> None:
    """A run returns every descriptor that it took, one that fails too."""
    jail.run(policy, ["/engine/attacks", "ignore-request"])
    before = sorted(Path("/proc/self/fd").iterdir())
    jail.run(policy, ["/engine/attacks", "ignore-request"], request=b"x" * 1_000_000)
    with pytest.raises(JailFault):
        jail.run(policy, ["/engine/missing"])

    assert before == sorted(Path("/proc/self/fd").iterdir())


@pytest.mark.parametrize("attack", ["deep-folders", "shut-folders"])
def test_a_hostile_tree_is_removed(jail: Jail, policy: JailPolicy, attack: str) -> None:
    """Folders 3,000 deep, or shut to their own owner, go with the work folder."""
    limits = replace(policy.limits, disk_files=10_000, cpu_s=20, wall_s=300.0)
    with workdir() as folder:
        shown = (Mount(source=folder, target="/task", writable=True),)
        roomy = replace(policy, limits=limits, mounts=shown)
        run = jail.run(roomy, ["/engine/attacks", attack])
        filled = any(folder.iterdir())

    assert run.result.startswith(b"done")
    assert filled
    assert not folder.exists()


def test_a_link_out_is_not_followed(open_folder: Path) -> None:
    """Removing a tree removes its links, not what they point to."""
    outside = open_folder / "outside"
    (outside / "kept").mkdir(parents=True)
    tree = open_folder / "tree"
    (tree / "deep").mkdir(parents=True)
    (tree / "deep" / "link").symlink_to(outside)
    (tree / "link").symlink_to(outside / "kept")
    remove_tree(tree)

    assert [outside] == [*open_folder.iterdir()]
    assert (outside / "kept").is_dir()


def test_each_work_folder_is_new(policy: JailPolicy) -> None:
    """Two work folders at once are two, empty, and the jailed user's own."""
    with workdir() as one, workdir() as two:
        assert one != two
        assert [] == [*one.iterdir(), *two.iterdir()]
        assert 0o700 == one.stat().st_mode & 0o777
    assert not one.exists()
    assert not two.exists()


def test_the_sweep_spares_the_living_and_the_foreign(open_folder: Path) -> None:
    """Only folders of processes that no longer run go, and only by our names."""
    ours = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    alive = open_folder / f"{PREFIX}{os.getpid()}-{ours}-x"
    reused = open_folder / f"{PREFIX}{os.getpid()}-1-x"
    gone = open_folder / f"{PREFIX}999999999-1-x"
    foreign = open_folder / "somebody-else-1-1-x"
    for folder in (alive, reused, gone, foreign):
        (folder / "inner").mkdir(parents=True)
    sweep(open_folder)

    assert sorted([alive, foreign]) == sorted(open_folder.iterdir())


def test_plain_backends_are_by_name_only() -> None:
    """Automatic choice never falls back to a backend without namespaces."""
    assert choose().name in JAILED
    assert {"nsjail", "bubblewrap"} == {*JAILED}
