"""Each canary sings: what an attack could harm is seen to be harmed."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ocaml_reward.auditing import attacking, canaries
from ocaml_reward.auditing.attacks import Attack, load_attacks
from ocaml_reward.auditing.canaries import Canaries
from ocaml_reward.model import Verdict
from ocaml_reward.sandbox import workdir
from ocaml_reward.testing import FakeEngine


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "stdlib"
    folder.mkdir()
    (folder / "stdlib.cmi").write_bytes(b"interface")
    return folder


@pytest.fixture
def whole(library: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Canaries]:
    monkeypatch.setattr(canaries, "_PATIENCE_S", 0.05)
    with Canaries(library) as found:
        yield found


def connect(port: int) -> None:
    socket.create_connection(("127.0.0.1", port)).close()


def leave_a_process(_: Canaries) -> None:
    LEFT.append(subprocess.Popen(["sleep", "60"]))


LEFT: list[subprocess.Popen[bytes]] = []
HARMS: dict[str, Callable[[Canaries], object]] = {
    "the secret file changed": lambda c: Path(c.places["SECRET"]).write_text("x"),
    "a descriptor was written to": lambda c: os.write(int(c.places["DESCRIPTOR"]), b"x"),
    "somebody connected": lambda c: connect(int(c.places["PORT"])),
    "a process was killed": lambda c: kill(int(c.places["SIBLING"])),
    "the standard library changed": lambda c: Path(c.places["STDLIB"], "stdlib.cmi").write_bytes(
        b"broken"
    ),
    "the environment changed": lambda c: os.environ.pop(c.places["VARIABLE"]),
    "a process is left": leave_a_process,
}


def kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)
    os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)


@pytest.mark.parametrize("harm", HARMS)
def test_a_canary_sings(whole: Canaries, harm: str) -> None:
    """Harm done to one is named, and only that."""
    assert () == whole.harmed("")

    HARMS[harm](whole)
    found = whole.harmed("")
    while LEFT:
        process = LEFT.pop()
        process.kill()
        process.wait()

    assert (harm,) == found


def test_a_secret_that_came_back_is_heard(whole: Canaries) -> None:
    """The secret in anything that a completion said is a leak."""
    secret = Path(whole.places["SECRET"]).read_text(encoding="ascii")

    assert ("a secret came back",) == whole.harmed(f"detail={secret!r}")


def test_a_file_that_is_left_is_found(
    whole: Canaries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A work folder that is not gone, and what attacks make elsewhere, are temporary files."""
    with workdir():
        inside = whole.harmed("")
    # Other canaries of this machine have an eye on the real folder.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    planted = tmp_path / "ocaml-reward-planted"
    planted.touch()
    outside = whole.harmed("")
    planted.unlink()

    assert (("a temporary file is left",),) * 2 == (inside, outside)


def test_they_leave_nothing_themselves(library: Path) -> None:
    """Canaries go with their folder, their process and their variable."""
    with Canaries(library) as found:
        places = found.places
    gone = Path(places["SECRET"]).parent

    assert not gone.exists()
    assert places["VARIABLE"] not in os.environ
    assert not Path("/proc", places["SIBLING"]).exists()
    assert shutil.which("sleep")


def test_credit_and_verdict_are_held_to_the_file(library: Path) -> None:
    """A program that earns more than its file says, or another verdict, is reported."""
    code = "let answer n = n + 1\n"
    tame = Attack(
        name="tame",
        against="scorer",
        tries="nothing",
        verdicts=(Verdict.FAILED_TESTS,),
        most=0.3,
        code=code,
    )
    beside, outside = attacking.attack(FakeEngine(), library, [tame])

    assert not beside.contained
    assert [
        "it earned 1, more than 0.3",
        "its verdict is passed",
    ] == list(beside.wrong)
    # Any verdict will do where nothing in the code's process decides.
    assert ["it earned 1, more than 0.3"] == list(outside.wrong)


def test_a_later_compiler_has_verdicts_of_its_own() -> None:
    """From the version on that a file names, what it says of it is what may be."""
    found = {each.name: each for each in load_attacks()}["names-bound-60000-deep"]

    assert found == found.under("ocaml 4.13.1") == found.under("fake")
    later = found.under("ocaml 4.14.0")
    assert ((Verdict.FAILED_TESTS,), 0.3) == (later.verdicts, later.most)
    assert later == found.under("ocaml 5.3.0")
