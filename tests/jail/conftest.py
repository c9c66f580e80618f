"""Real jails around a real catalogue of attacks."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_reward.sandbox import (
    BACKENDS,
    JAILED,
    Jail,
    JailPolicy,
    JailRun,
    Limits,
    Mount,
    build_rootfs,
    cache_root,
    choose,
)

LIMITS = Limits(
    wall_s=10.0,
    cpu_s=1,
    memory_bytes=64 << 20,
    stack_bytes=8 << 20,
    file_bytes=1 << 20,
    open_files=16,
    processes=1,
    output_bytes=100_000,
)

Attack = Callable[..., JailRun]


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Make a folder that every user may enter, unlike pytest's own of a root run."""
    folder = Path(tempfile.mkdtemp(prefix="jail-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def attacks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the catalogue."""
    program = tmp_path_factory.mktemp("attacks") / "attacks"
    source = Path(__file__).with_name("attacks.c")
    subprocess.run(["gcc", "-O1", "-static", "-o", program, source], check=True)
    return program


@pytest.fixture(scope="session")
def rootfs(attacks: Path) -> Path:
    """Build a root that holds the catalogue and one more file."""
    files = {"/engine/attacks": attacks, "/lib/data": Path(__file__)}
    return build_rootfs(cache_root(), files)


@pytest.fixture(params=JAILED)
def jail(request: pytest.FixtureRequest) -> Jail:
    """Each backend with namespaces."""
    return choose(request.param)


@pytest.fixture
def policy(rootfs: Path) -> JailPolicy:
    """Namespaces, mounts and limits without the seccomp filter."""
    return JailPolicy(rootfs=rootfs, seccomp="unfiltered", limits=LIMITS)


@pytest.fixture(params=BACKENDS)
def any_jail(request: pytest.FixtureRequest) -> Jail:
    """Each backend, those without namespaces too."""
    return choose(request.param)


@pytest.fixture
def lasting(policy: JailPolicy) -> JailPolicy:
    """Lift the limits that a session has not, and put on its filter."""
    limits = replace(policy.limits, wall_s=None, cpu_s=None, memory_bytes=None, processes=None)
    return replace(policy, seccomp="session", limits=limits)


@pytest.fixture
def attack(jail: Jail, policy: JailPolicy) -> Attack:
    """Run one attack by name in the jail, under the policy with some fields replaced."""

    def run(
        *words: str,
        seccomp: str = "unfiltered",
        limits: Limits = LIMITS,
        mounts: tuple[Mount, ...] = (),
        stdin: bytes = b"",
        request: bytes = b"",
    ) -> JailRun:
        chosen = JailPolicy(rootfs=policy.rootfs, seccomp=seccomp, limits=limits, mounts=mounts)
        command = ["/engine/attacks", *words]
        return jail.run(chosen, command, stdin=stdin, request=request)

    return run


@pytest.fixture(scope="session")
def processes() -> Callable[[str], list[int]]:
    """List the processes of this machine with a word in their command line."""

    def find(word: str) -> list[int]:
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if word.encode() in words:
                found.append(int(entry.name))
        return found

    return find


@pytest.fixture(scope="session")
def eventually() -> Callable[[Callable[[], bool]], bool]:
    """Wait up to 20 seconds for something to become true, and tell whether it did."""

    def wait(condition: Callable[[], bool]) -> bool:
        deadline = time.monotonic() + 20
        while not condition():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        return True

    return wait
