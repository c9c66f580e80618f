"""Attacks that use things up: time, memory, processes, disk, output."""

from __future__ import annotations

import errno
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_reward.sandbox import Jail, JailPolicy, JailRun, Limits, Mount, workdir

Attack = Callable[..., JailRun]


@pytest.fixture
def limits(policy: JailPolicy) -> Limits:
    """Take the limits that the attacks meet, to change one of them."""
    return policy.limits


def test_a_loop_that_ignores_signals_is_killed(attack: Attack) -> None:
    """The CPU limit ends a loop, not the host's clock.

    The kernel counts this limit in whole ticks: on a busy virtual machine the process
    got less than a second of it.
    """
    run = attack("spin")

    assert (signal.SIGKILL, False) == (run.signal, run.wall_exceeded)
    assert 0.3 < run.cpu_s < 2.0


@pytest.mark.parametrize("name", ["sleep", "read-blocking", "close-all"])
def test_a_sleeper_meets_the_wall(attack: Attack, limits: Limits, name: str) -> None:
    """What uses no CPU is ended by the host's clock, with all its descriptors closed too."""
    run = attack(name, limits=replace(limits, wall_s=0.4))

    assert (None, signal.SIGKILL, True) == (
        run.exit_code,
        run.signal,
        run.wall_exceeded,
    )
    assert 0.4 <= run.wall_s < 3.0


def test_a_fork_bomb_has_no_children(attack: Attack) -> None:
    """The process limit holds where the filter does not."""
    run = attack("fork-bomb")

    assert f"refused {errno.EAGAIN}\n".encode() == run.result


def test_a_fork_bomb_is_killed(attack: Attack) -> None:
    """Under the engine's policies the first fork ends the process."""
    run = attack("fork-bomb", seccomp="run")

    assert signal.SIGSYS == run.signal


def test_a_huge_mapping_is_refused(attack: Attack) -> None:
    """Address space is limited, so nothing can be reserved for later either."""
    run = attack("huge-mapping")

    assert f"refused {errno.ENOMEM}\n".encode() == run.result


def test_a_stack_overflow_is_a_crash(attack: Attack) -> None:
    """Endless recursion ends by the stack limit, as the program's own crash."""
    run = attack("stack-overflow")

    assert (signal.SIGSEGV, False) == (run.signal, run.wall_exceeded)


@pytest.mark.parametrize("seccomp", ["unfiltered", "compile", "run"])
def test_a_sparse_file_is_refused(attack: Attack, seccomp: str) -> None:
    """A terabyte of nothing is over the file limit, and no file at all may a run make."""
    with workdir() as folder:
        shown = (Mount(source=folder, target="/task", writable=True),)
        run = attack("sparse-file", seccomp=seccomp, mounts=shown)
        sizes = [path.stat().st_size for path in folder.iterdir()]

    wanted = [] if seccomp == "run" else [0]
    assert wanted == sizes
    assert not run.result.startswith(b"done")


def test_endless_folders_are_cut(attack: Attack, limits: Limits) -> None:
    """A run that fills its work folder with more than it may is ended and cleaned up."""
    with workdir() as folder:
        shown = (Mount(source=folder, target="/task", writable=True),)
        limits = replace(limits, disk_files=10, cpu_s=20)
        run = attack("deep-folders", limits=limits, mounts=shown)

    assert run.output_exceeded or b"done 3000\n" == run.result
    assert not folder.exists()


def test_the_policy_decides_about_folders(attack: Attack) -> None:
    """Neither engine policy lets a process make a folder, even where it may write."""
    for seccomp in ("compile", "run"):
        with workdir() as folder:
            shown = (Mount(source=folder, target="/task", writable=True),)
            run = attack("mkdir", "/task/x", seccomp=seccomp, mounts=shown)

        assert f"refused {errno.EROFS}\n".encode() == run.result


def test_tmp_is_small_and_gone(jail: Jail, policy: JailPolicy) -> None:
    """A policy may give /tmp some bytes of memory, which no later run sees."""
    roomy = replace(policy, tmp_bytes=1 << 20)
    for _ in range(2):
        run = jail.run(roomy, ["/engine/attacks", "mkdir", "/tmp/x"])

        assert b"done 0\n" == run.result


def test_nobody_else_pays(attack: Attack, open_folder: Path) -> None:
    """A run right after the worst one starts afresh."""
    attack("fork-bomb")
    run = attack("read-stdin", stdin=b"12345", seccomp="run")

    assert (0, b"done 5\n") == (run.exit_code, run.result)
