"""The cache folder: nobody else may write it, and what is not used goes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ocaml_reward.errors import MachineError
from ocaml_reward.sandbox import cache_root
from ocaml_reward.sandbox.cache import build_once
from ocaml_reward.sandbox.retention import prune


def test_the_cache_is_where_it_is_said(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """$OCAML_REWARD_CACHE decides; the folder is made, and readable by all."""
    wanted = open_folder / "a" / "b"
    monkeypatch.setenv("OCAML_REWARD_CACHE", str(wanted))

    assert wanted == cache_root()
    assert 0o755 == wanted.stat().st_mode & 0o777


def test_a_cache_that_cannot_be_made_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An unusable cache is named in one line, with the variable to set."""
    monkeypatch.setenv("OCAML_REWARD_CACHE", "/proc/cache")

    with pytest.raises(MachineError) as caught:
        cache_root()
    said = "cannot create the cache folder /proc/cache: No such file or directory; "
    assert f"{said}set OCAML_REWARD_CACHE to a folder of your own" == str(caught.value)


def test_a_cache_that_cannot_be_written_is_an_error() -> None:
    """So is one that exists, once something has to be built in it."""
    with pytest.raises(MachineError, match=r"cannot write .* set OCAML_REWARD_CACHE"):
        build_once(Path("/proc/self/thing"), Path.mkdir)


@pytest.mark.parametrize("mode", [0o775, 0o757, 0o1777])
def test_a_cache_that_others_may_write_is_refused(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    """What we execute lies in the cache: nobody else may write it, sticky or not."""
    monkeypatch.setenv("OCAML_REWARD_CACHE", str(open_folder))
    open_folder.chmod(mode)

    with pytest.raises(MachineError, match="others may write the cache folder"):
        cache_root()
    assert mode == open_folder.stat().st_mode & 0o7777


def test_a_parent_that_all_may_write_is_refused(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who may rename the cache may put another in its place; below a sticky folder not."""
    monkeypatch.setenv("OCAML_REWARD_CACHE", str(open_folder / "cache"))
    open_folder.chmod(0o1777)
    cache_root()
    open_folder.chmod(0o777)

    with pytest.raises(MachineError, match=r"everybody may write .*, above the cache"):
        cache_root()


FOREIGN = """
import os, sys
from ocaml_reward.errors import MachineError
from ocaml_reward.sandbox import cache_root
if sys.argv[1:]:
    os.setuid(int(sys.argv[1]))
try:
    print(cache_root())
except MachineError as error:
    print(error)
"""


def foreign(folder: Path, *, owner: int) -> str:
    """Ask for the cache `folder`, which this user sees as that owner's."""
    before: list[str] = []
    after: list[str] = []
    if os.geteuid() == 0:
        os.chown(folder, owner, owner)
        after = ["4321"]
    elif owner != 0:
        # In a namespace of one user, what is root's is nobody's.
        before = ["unshare", "--user", "--map-root-user"]
    return subprocess.run(
        [*before, sys.executable, "-c", FOREIGN, *after],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "OCAML_REWARD_CACHE": str(folder),
        },
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_a_cache_of_root_s_may_be_used(open_folder: Path) -> None:
    """What root built ahead, for an image, serves every user."""
    folder = open_folder if os.geteuid() == 0 else Path("/usr/share")

    assert f"{folder}\n" == foreign(folder, owner=0)


def test_somebody_else_s_cache_is_refused(open_folder: Path) -> None:
    """Another user could put there what we would execute."""
    folder = open_folder if os.geteuid() == 0 else Path("/usr/share")
    said = f"the cache folder {folder} belongs to user 65534: set OCAML_REWARD_CACHE"

    assert foreign(folder, owner=65534).startswith(said)


def test_the_umask_opens_nothing(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the umask, all may read the cache and what is built, and none may write it."""
    monkeypatch.setenv("OCAML_REWARD_CACHE", str(open_folder / "a" / "b"))
    modes = set()
    for umask in (0o000, 0o077):
        before = os.umask(umask)
        try:
            target = cache_root() / f"{umask}" / "thing"
            build_once(target, lambda scratch: (scratch / "thing").mkdir())
        finally:
            os.umask(before)
        modes |= {path.stat().st_mode & 0o777 for path in (target, *target.parents[:3])}

    assert {0o755} == modes


class TestRetention:
    """What nobody used for 30 days goes when its neighbour is built."""

    @pytest.mark.parametrize(("days", "kept"), [(29, True), (31, False)])
    @pytest.mark.parametrize("folder", [True, False])
    def test_the_old_go(self, open_folder: Path, days: int, *, kept: bool, folder: bool) -> None:
        """The time of change of a file or folder says when it was last used."""
        old = open_folder / "old"
        if folder:
            (old / "inner").mkdir(parents=True)
        else:
            old.touch()
        aged(old, days)
        built(open_folder / "new")

        assert kept == old.exists()
        assert [] == [*open_folder.glob(".stale-*")]

    def test_use_is_noted(self, open_folder: Path) -> None:
        """Asking for something that is there renews it."""
        old = open_folder / "old"
        old.mkdir()
        aged(old, 31)
        built(old)

        assert time.time() - old.stat().st_mtime < DAY_S

    def test_what_a_process_uses_stays(self, open_folder: Path) -> None:
        """However old, it stays while a process that asked for it runs, and goes afterwards."""
        old = open_folder / "old"
        old.mkdir()
        with subprocess.Popen(
            [sys.executable, "-c", USER, old],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            held = process.stdout.readline()
            aged(old, 31)
            prune(open_folder)
            during = old.exists()
            process.communicate()
        prune(open_folder)

        assert (b"True\n", True) == (held, during)
        assert not old.exists()

    def test_what_was_removed_is_built_again(self, open_folder: Path) -> None:
        """A cache that somebody cleared by hand is filled again by the same process."""
        target = open_folder / "thing"
        built(target).rmdir()

        assert built(target).is_dir()

    def test_a_killed_removal_is_finished(self, open_folder: Path) -> None:
        """What a killed process left half removed goes with the next build."""
        (open_folder / ".stale-old" / "inner").mkdir(parents=True)
        built(open_folder / "new")

        assert [] == [*open_folder.glob(".stale-*")]


DAY_S = 86_400

USER = """
import sys
from pathlib import Path
from ocaml_reward.sandbox.retention import hold
print(hold(Path(sys.argv[1])), flush=True)
sys.stdin.read()
"""


def aged(path: Path, days: int) -> None:
    """Make something look last used so many days ago."""
    then = time.time() - days * DAY_S
    os.utime(path, (then, then))


def built(target: Path) -> Path:
    """Ask for an empty folder of the cache."""
    return build_once(target, lambda scratch: (scratch / target.name).mkdir())
