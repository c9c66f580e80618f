"""The roots in the cache: whole or not there, built once, readable by a jail."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ocaml_reward.errors import MachineError
from ocaml_reward.sandbox import Jail, JailPolicy, build_rootfs, locked
from ocaml_reward.sandbox.cache import build_once


@pytest.fixture
def files(open_folder: Path) -> dict[str, Path]:
    """Take a dynamic program of this machine, and a private file."""
    private = open_folder / "private"
    private.write_text("data")
    private.chmod(0o600)
    program = Path(shutil.which("true") or "/bin/true")
    return {"/bin/program": program, "/deep/er/data": private}


def test_a_dynamic_program_runs(
    jail: Jail, policy: JailPolicy, open_folder: Path, files: dict[str, Path]
) -> None:
    """The loader and the libraries that a program needs come along."""
    root = build_rootfs(open_folder, files)
    chosen = JailPolicy(rootfs=root, seccomp="run", limits=policy.limits)

    assert 0 == jail.run(chosen, ["/bin/program"]).exit_code


def test_everybody_can_read_a_root(open_folder: Path, files: dict[str, Path]) -> None:
    """Whatever the umask and the files' own modes, the jailed user can read it all."""
    before = os.umask(0o077)
    try:
        root = build_rootfs(open_folder, files)
    finally:
        os.umask(before)
    modes = {p.relative_to(root).as_posix(): p.stat().st_mode & 0o777 for p in root.rglob("*")}

    assert 0o644 == modes["deep/er/data"]
    assert {0o755} == {modes[name] for name in ("bin", "bin/program", "deep", "task")}
    assert all(mode & 0o444 == 0o444 for mode in modes.values())


def test_an_unchanged_root_is_found_and_not_made_again(
    open_folder: Path, files: dict[str, Path]
) -> None:
    """A second call returns the same root, in which nothing was touched."""

    def state(root: Path) -> dict[Path, tuple[int, int]]:
        everything = (root, *root.rglob("*"))
        return {p: (p.lstat().st_ino, p.lstat().st_ctime_ns) for p in everything}

    root = build_rootfs(open_folder, files)
    before = state(root)

    assert root == build_rootfs(open_folder, files)
    assert before == state(root)


def test_a_changed_file_makes_another_root(open_folder: Path, files: dict[str, Path]) -> None:
    """After an upgrade of the toolchain the old root is not used."""
    old = build_rootfs(open_folder, files)
    files["/deep/er/data"].write_text("changed")
    new = build_rootfs(open_folder, files)

    assert old != new
    assert "data" == (old / "deep/er/data").read_text()
    assert "changed" == (new / "deep/er/data").read_text()


def test_roots_share_their_files(open_folder: Path, files: dict[str, Path]) -> None:
    """A second root with the same files takes no room but for what is new in it."""
    old = build_rootfs(open_folder, files)
    files["/deep/er/other"] = files["/deep/er/data"].with_name("other")
    files["/deep/er/other"].write_text("new")
    new = build_rootfs(open_folder, files)
    names = [p.relative_to(old) for p in old.rglob("*") if p.is_file()]

    assert 4 < len(names)
    assert all((old / name).samefile(new / name) for name in names)


def test_a_missing_file_leaves_no_root(open_folder: Path) -> None:
    """A root that cannot be built is an error of the machine, and nothing is left of it."""
    with pytest.raises(MachineError, match="cannot build the jail's root"):
        build_rootfs(open_folder, {"/x": open_folder / "missing"})

    assert not (open_folder / "rootfs").exists()


@pytest.mark.parametrize("inside", ["relative", "/../escape", "/a/../../escape"])
def test_a_root_holds_only_what_is_inside(open_folder: Path, inside: str) -> None:
    """A path that leads out of the root is refused."""
    with pytest.raises(MachineError, match="not an absolute path"):
        build_rootfs(open_folder, {inside: Path(__file__)})

    assert [] == [*(open_folder / "rootfs").glob("[!.]*")]


def test_only_one_builds(open_folder: Path) -> None:
    """Of many that need the same thing at once, one builds it and all get it whole."""
    calls: list[Path] = []

    def build(scratch: Path) -> None:
        calls.append(scratch)
        (scratch / "thing").mkdir()
        time.sleep(0.05)
        (scratch / "thing" / "part").write_text("whole")

    with ThreadPoolExecutor(8) as pool:
        built = [*pool.map(lambda _: build_once(open_folder / "thing", build), range(8))]

    assert 1 == len(calls)
    assert {"whole"} == {(thing / "part").read_text() for thing in built}


def test_a_failed_build_leaves_nothing(open_folder: Path) -> None:
    """What could not be finished does not appear, and can be tried again."""

    def build(scratch: Path) -> None:
        (scratch / "thing").write_text("half")
        raise MachineError("the disk is full")

    for _ in range(2):
        with pytest.raises(MachineError, match="disk is full"):
            build_once(open_folder / "thing", build)

    assert [] == [*open_folder.glob("[!.]*"), *open_folder.glob(".build-*")]


def test_a_killed_build_is_swept(open_folder: Path) -> None:
    """The scratch folder of a build that was killed goes with the next one of its kind."""
    leftover = open_folder / ".build-thing-x"
    leftover.mkdir()
    build_once(open_folder / "thing", lambda scratch: (scratch / "thing").mkdir())

    assert not leftover.exists()


def test_a_lock_is_between_processes(open_folder: Path) -> None:
    """While one holds the lock another process cannot take it."""
    path = open_folder / "lock"
    attempt = ["flock", "--nonblock", str(path), "true"]
    with locked(path):
        held = subprocess.run(attempt, check=False).returncode
    free = subprocess.run(attempt, check=False).returncode

    assert (1, 0) == (held, free)
